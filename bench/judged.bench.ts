// How many of the agents that somebody looks for are among the first five, over the catalogue of the demo.
import { pino } from 'pino'
import { judge, type Verdict } from '../packages/server/src/demo/testing/judge.ts'
import { exactSearches, judgedSentences } from '../packages/server/src/demo/testing/judged-searches.ts'
import { createNameSearch } from '../packages/server/src/demo/testing/search-names.ts'
import { seedCatalogue } from '../packages/server/src/demo/testing/seed-catalogue.ts'
import { createDatabase } from '../packages/server/src/platform/db/database.ts'
import { openBenchDatabase } from './agents-seed.ts'
import { atLeast, type Row } from './measuring/rows.ts'

/** 224 of 225 were found when only agents with every word were. */
const EXACT_BEFORE = 0.995

const describe = ({ misses }: Verdict): string =>
  misses.length === 0 ? 'nobody missed' : `missed somebody:\n    ${misses.join('\n    ')}`

export async function benchJudged(): Promise<Row[]> {
  const { connection, close } = await openBenchDatabase()
  const db = createDatabase({ connection, poolSize: 4, log: pino({ level: 'warn' }) })
  try {
    await seedCatalogue(db)
    const search = createNameSearch(db)
    const namesFor = async (q: string, limit: number) => (await search({ q, limit })).names
    const sentences = await judge(judgedSentences, namesFor)
    const exact = await judge(exactSearches, namesFor)
    return [
      atLeast('recall@5', `${judgedSentences.length} sentences`, sentences.recall, 0.9, describe(sentences)),
      atLeast(
        'recall@5',
        `${exactSearches.length} names, services and skills as written`,
        exact.recall,
        EXACT_BEFORE,
        describe(exact),
      ),
    ]
  } finally {
    await db.close()
    await close()
  }
}
