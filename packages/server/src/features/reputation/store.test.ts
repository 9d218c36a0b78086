import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { countReviews, historyVersion, listNewestReviews, listPortfolios, listReviews } from './store.ts'

const REVIEWS = 3_000
const NOT_COUNTED = 10
const PAGE = 20

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.transaction(async (tx) => {
    // Their owners do not exist.
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`
      insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key, skills,
        skill_keys, services, lowest_price_micro, x402_enabled, owner_active, search, created_at, review_count)
      values ('cagent', 'cseller', '0xa', 'w', 'Reviewed Rook', '', 'finance', 'finance', '{}', '{}', '[]', 1, false, true, '',
        now(), ${REVIEWS - NOT_COUNTED})`)
    await tx.run(sql`
      insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
        category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, fund_by,
        status, ended_at, payer_wallet)
      select 'cjob' || n, 'cagent', 'cclient', 'cseller', '0x1', '0x2', '0x3', 'Work', '', 'x', '{}', 'X402', 1, 0, 1,
        false, true, now(), now(), 'COMPLETED', now(), '0x4' from generate_series(1, ${REVIEWS}::int) n`)
    await tx.run(sql`
      insert into reviews (id, job_id, agent_id, seller_id, client_id, kind, rating, counted, created_at)
      select 'creview' || n, 'cjob' || n, 'cagent', 'cseller', 'cclient', 'WORK', 3, n > ${NOT_COUNTED},
        now() - n * interval '1 minute' from generate_series(1, ${REVIEWS}::int) n
      union all select 'cother' || n, 'cotherjob' || n, 'cother', 'cseller', 'cclient', 'WORK', 5, true,
        now() from generate_series(1, ${REVIEWS}::int) n`)
  })
  await database.db.run(sql`analyze`)
})
afterAll(() => database.close())

test('an agent has as many reviews as there are, counted or not', async () => {
  expect(await countReviews(database.db, 'cagent')).toBe(REVIEWS)
  expect(await countReviews(database.db, 'cagent')).toBe(
    (await listReviews(database.db, { agentId: 'cagent', limit: 2 * REVIEWS, offset: 0 })).length,
  )
})

test.each<[string, (db: Queryable) => Promise<unknown>]>([
  ['a page of reviews', (db) => listReviews(db, { agentId: 'cagent', limit: PAGE, offset: 0 })],
  ['the number of reviews', (db) => countReviews(db, 'cagent')],
  ['what an agent’s page shows of its reviews', (db) => listNewestReviews(db, ['cagent'])],
  ['what it shows of its work, where no review praises it', (db) => listPortfolios(db, ['cagent'])],
  ['the version of both', (db) => db.rows(sql`select ${historyVersion(sql`'cagent'`)} as version`)],
])('%s is read without the other reviews', async (_what, readIt) => {
  const plans: PlanNode[] = []
  const db = explaining(database.db, plans)
  const one = async <Row>(statement: Sql): Promise<Row> => {
    await db.rows(statement)
    return { count: 0n } as Row
  }
  await readIt({ ...db, one })
  const read = Object.values(rowsRead(plans)).reduce((sum, rows) => sum + rows, 0)
  expect(read).toBeLessThan(100)
})
