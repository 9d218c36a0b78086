import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { foldRepeats } from './folding.ts'
import { type StartedFeed, startFeed } from './testing/start-feed.ts'

let feature: StartedFeed
beforeAll(async () => {
  feature = await startFeed()
})
afterAll(() => feature.close())

/** A connection keeps its plan while a table grows, until the database has counted the table again. */
test('each key is looked up by itself, also where the plan was made while there were hardly any', async () => {
  const plans: string[] = []
  const { db } = feature
  const explain = async (statement: Sql): Promise<number> => {
    const rows = await db.rows<Record<string, string>>(sql`explain ${statement}`)
    plans.push(rows.map((row) => Object.values(row).join('')).join('\n'))
    return 0
  }
  const keys = Array.from({ length: 32 }, (_, index) => ({
    ownerId: `cowner${index}`,
    foldKey: `key ${index}`,
  }))
  await foldRepeats({ ...db, run: explain }, keys, new Date())
  expect(plans).toEqual([
    expect.stringMatching(
      /notifications_fold.*\n *Index Cond: \(\(owner_id = [^)]+\) AND \(fold_key = [^)]+\)\)/,
    ),
  ])
})
