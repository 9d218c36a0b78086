import { earningSorts } from '@agent-marketplace/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walletAccount } from '../../money/books/accounts.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { listEarnings } from './store.ts'

const PAGE = 20
const big = walletAccount(`0x${'b1'.repeat(20)}`)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  // Half of all payments are one seller's, at one price; every other seller has one.
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into journal_entries (id, kind, at)
      select 'j' || n, 'x402', now() - n * interval '1 minute' from generate_series(1, 4000) n`)
    await tx.run(sql`
      insert into journal_postings
      select 'j' || n, case when n % 2 = 0 then ${big} else 'wallet:0x' || lpad(to_hex(n), 40, '0') end, 5000000
      from generate_series(1, 4000) n
      union all select 'j' || n, 'outside:world', -5000000 from generate_series(1, 4000) n`)
  })
  await db.run(sql`analyze`)
})
afterAll(() => database.close())

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

const rowsRead = (plan: Plan): number =>
  (plan['Relation Name'] === 'earning_entries' ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0)

/** There are so few entries that sorting all of them is as quick: the planner is kept from it. With many it chooses so by itself. */
test.each(earningSorts)('a page by %s can be read without the rest of a seller’s earnings', async (sort) => {
  const read: number[] = []
  await database.db.transaction(async (tx) => {
    await tx.run(
      sql`select set_config(name, 'off', true) from unnest(array['enable_sort', 'enable_hashjoin']) name`,
    )
    const explain = async <Row>(statement: Sql): Promise<Row[]> => {
      const [row] = await tx.rows<Record<string, [{ Plan: Plan }]>>(
        sql`explain (analyze, format json) ${statement}`,
      )
      for (const [{ Plan }] of Object.values(row ?? {})) read.push(rowsRead(Plan))
      return []
    }
    await listEarnings({ ...tx, rows: explain }, { accounts: [big] }, { sort, limit: PAGE, offset: 0 })
  })
  expect(read).toEqual([PAGE])
})
