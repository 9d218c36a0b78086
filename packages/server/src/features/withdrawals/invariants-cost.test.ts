import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import { explaining, type PlanNode, rowsRead } from '../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { withdrawalInvariants } from './invariants.ts'

/** Of other intents. */
const OTHERS = 5_000
const WITHDRAWALS = 50

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`insert into journal_entries (id, kind, at)
      select 'entry-' || n, 'x402', now() from generate_series(1, ${OTHERS}::integer) n`)
    await tx.run(sql`insert into journal_postings
      select 'entry-' || n, 'wallet:' || n, 1 from generate_series(1, ${OTHERS}::integer) n`)
    await tx.run(sql`insert into intents (id, kind, key, payload, sender, finality)
      select 'intent-' || n, 'withdrawal', 'withdrawal:w' || n || ':1', '{}', 'operator', 'confirmed'
      from generate_series(1, ${WITHDRAWALS}::integer) n`)
    await tx.run(sql`insert into intents (id, kind, key, payload, sender, finality)
      select 'other-' || n, 'x402', 'other-' || n, '{}', 'operator', 'confirmed' from generate_series(1, ${OTHERS}::integer) n`)
    await tx.run(sql`insert into withdrawals (id, owner_id, agent_id, to_address, amount_micro, intent_id, created_at, authorization_nonce)
      select 'w' || n, 'owner', 'agent', '0xa', 1, 'intent-' || n, now(), 'nonce-' || n
      from generate_series(1, ${WITHDRAWALS}::integer) n`)
  })
  await database.db.run(sql`analyze`)
})
afterAll(() => database.close())

test('the audit of withdrawals reads no entries of others', async () => {
  const plans: PlanNode[] = []
  const keys = Array.from({ length: WITHDRAWALS }, (_, index) => `w${index + 1}`)
  const [ofEntries] = withdrawalInvariants
  await ofEntries?.check({ db: explaining(database.db, plans), chain: {} as ChainPort }, keys)
  expect(plans).not.toEqual([])
  const read = new Map(Object.entries(rowsRead(plans)))
  expect(read.get('journal_entries') ?? 0).toBeLessThanOrEqual(WITHDRAWALS)
})
