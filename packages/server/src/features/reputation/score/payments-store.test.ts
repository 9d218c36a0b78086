import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { listPayments } from './payments-store.ts'

const OTHERS = 3_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.transaction(async (tx) => {
    // Their owners and their agents do not exist.
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`
      insert into x402_transactions (id, owner_id, agent_id, payee_owner_id, chain_id, tx_id, tx_key, payer_wallet,
        payee_wallet, amount_micro, service_name, verification, log_index, created_at, counted)
      select 'cpaid' || n, 'cbuyer', case when n <= 3 then 'cours' else 'cagent' || n end, 'cseller', 1, 'tx' || n, 'tx' || n,
        '0xBEEF', '0xa', 5, 'Search', 'VERIFIED', 0, now(), n not in (2, 3)
      from generate_series(1, ${OTHERS}::int) n`)
    await tx.run(sql`
      insert into job_exclusions (job_id, agent_id, reason)
      values ('cpaid2', 'cours', 'SHARED_FUNDER'), ('cjob1', 'cours', 'SHARED_FUNDER')`)
  })
  await database.db.run(sql`analyze`)
})
afterAll(() => database.close())

test('lists what counts, and what the graph took out, of this agent alone', async () => {
  expect(await listPayments(database.db, 'cours')).toMatchObject([
    { paymentId: 'cpaid1', isCounted: true, excludedFor: null, payer: '0xbeef' },
    { paymentId: 'cpaid2', isCounted: false, excludedFor: 'SHARED_FUNDER', payer: '0xbeef' },
  ])
})

test('reads no other agent’s payments', async () => {
  const plans: PlanNode[] = []
  await listPayments(explaining(database.db, plans), 'cours')
  const read = Object.values(rowsRead(plans)).reduce((sum, rows) => sum + rows, 0)
  expect(read).toBeLessThan(20)
})
