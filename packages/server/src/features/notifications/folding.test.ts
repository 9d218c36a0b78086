import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { fold, foldRepeats } from './folding.ts'
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
  const explain = async <Row>(statement: Sql): Promise<Row[]> => {
    const rows = await db.rows<Record<string, string>>(sql`explain ${statement}`)
    plans.push(rows.map((row) => Object.values(row).join('')).join('\n'))
    return []
  }
  const keys = Array.from({ length: 32 }, (_, index) => ({
    ownerId: `cowner${index}`,
    foldKey: `key ${index}`,
  }))
  await foldRepeats({ ...db, rows: explain }, keys, new Date())
  expect(plans).toEqual([
    expect.stringMatching(
      /notifications_fold.*\n *Index Cond: \(\(owner_id = [^)]+\) AND \(fold_key = [^)]+\)\)/,
    ),
  ])
})

const key = { ownerId: 'cowner', foldKey: 'key' }
const shownOf = (...repeats: number[]) =>
  repeats.map((count, index) => ({ ...key, id: `shown ${index}`, repeats: count }))
const alone = { isFolded: false, repeats: 0 }

test.each([
  { there: [], added: [alone, alone, alone], hidden: [] },
  {
    there: [],
    added: [alone, alone, { isFolded: true, repeats: 0 }, { isFolded: false, repeats: 1 }],
    hidden: [],
  },
  { there: [0, 0], added: [alone], hidden: [] },
  { there: [0, 0, 0], added: [{ isFolded: false, repeats: 1 }], hidden: ['shown 2'] },
  { there: [0, 0, 7], added: [{ isFolded: false, repeats: 8 }], hidden: ['shown 2'] },
  {
    there: [0, 0, 7],
    added: [
      { isFolded: true, repeats: 0 },
      { isFolded: false, repeats: 9 },
    ],
    hidden: ['shown 2'],
  },
  // Read ones are gone from those that are there, so a newest one may stand alone.
  { there: [4], added: [alone], hidden: [] },
  // One that stays goes on to say what it stands for, and no other says it too.
  { there: [7, 0, 0], added: [{ isFolded: false, repeats: 1 }], hidden: ['shown 2'] },
])('$there.length there and $added.length more', ({ there, added, hidden }) => {
  const notices = added.map(() => key)
  expect(fold(shownOf(...there), notices)).toEqual({ added, hidden })
  const others = [
    { ...key, foldKey: 'other' },
    { ...key, ownerId: 'cother' },
  ]
  expect(fold(shownOf(...there), [...notices, ...others])).toEqual({
    added: [...added, alone, alone],
    hidden,
  })
})
