import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { countLogs, listLogs } from './list-store.ts'

const PAGE = 20
const LOGS = 6_000
const ownerId = 'owner'

let database: TestDatabase
/** One owner is paid a third of all payments, pays a third, and logs a third; of some it is more than one of these. */
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.transaction(async (tx) => {
    // Vacuum takes for visible to all only what was written to disk before.
    await tx.run(sql`set local synchronous_commit = 'on'`)
    // The other owners are not read here, and need not exist.
    await tx.run(sql`set local session_replication_role = 'replica'`)
    const ownerWhere = (condition: ReturnType<typeof sql>) =>
      sql`case when ${condition} then ${ownerId} else 'other' || n end`
    await tx.run(sql`
      insert into x402_transactions (id, owner_id, agent_id, payee_owner_id, payer_owner_id, chain_id, tx_id, tx_key,
        payee_wallet, amount_micro, created_at)
      select 'log' || lpad(n::text, 6, '0'), 'other', 'agent' || n % 10, ${ownerWhere(sql`n % 3 = 0`)},
        ${ownerWhere(sql`n % 6 in (0, 1)`)}, 1, n, n, '0xa', 5000000, now() - n * interval '1 minute'
      from generate_series(1, ${LOGS}) n`)
    await tx.run(sql`
      insert into x402_reports (log_id, owner_id, created_at)
      select 'log' || lpad(n::text, 6, '0'), ${ownerWhere(sql`n % 6 in (0, 2)`)}, now() from generate_series(1, ${LOGS}) n`)
  })
  await database.db.run(sql`vacuum analyze x402_transactions, x402_reports`)
})
afterAll(() => database.close())

const numberOf = ({ id }: { id: string }): number => Number(id.slice(3))
const isOwn = (n: number): boolean => n % 3 === 0 || [0, 1, 2].includes(n % 6)
const own = Array.from({ length: LOGS }, (_, index) => LOGS - index).filter(isOwn)

test('the list has what the owner was paid, paid or logged, each once, the newest first', async () => {
  const { db } = database
  for (const page of [
    { limit: PAGE, offset: 0 },
    { limit: PAGE, offset: 1_234 },
  ]) {
    const rows = await listLogs(db, { ownerId }, page)
    expect(rows.map(numberOf)).toEqual(own.slice(page.offset, page.offset + page.limit))
  }
  expect(await countLogs(db, { ownerId })).toBe(own.length)

  const ofAgent = own.filter((n) => n % 10 === 7)
  const rows = await listLogs(db, { ownerId, agentId: 'agent7' }, { limit: PAGE, offset: 5 })
  expect(rows.map(numberOf)).toEqual(ofAgent.slice(5, 5 + PAGE))
  expect(await countLogs(db, { ownerId, agentId: 'agent7' })).toBe(ofAgent.length)
})

test('a page reads what it shows, and a few more where several lists have the same', async () => {
  const plans: PlanNode[] = []
  await listLogs(explaining(database.db, plans), { ownerId }, { limit: PAGE, offset: 0 })
  const read = rowsRead(plans)
  const rowsIn = (table: string): number => read[table] ?? 0
  expect(rowsIn('x402_transactions')).toBeLessThanOrEqual(3 * PAGE)
  expect(rowsIn('x402_reports')).toBeLessThanOrEqual(2 * PAGE)
})
