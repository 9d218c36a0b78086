import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDeal } from './features/jobs/testing/start-deal.ts'
import type { Database } from './platform/db/database.ts'
import type { Queryable } from './platform/db/queryable.ts'
import { sql } from './platform/db/sql.ts'
import { type FirstSchema, startFirstSchema } from './testing/first-schema.ts'
import { startWorldOn } from './testing/world/start-world-on.ts'

let deal: Awaited<ReturnType<typeof startDeal>>
let first: FirstSchema

beforeAll(async () => {
  deal = await startDeal()
  first = await startFirstSchema()
})
afterAll(async () => {
  await deal.world.close()
})

interface Table {
  name: string
  columns: string[]
}

/** All that a writer writes. What is known of a migration is its own. */
const tablesOf = (db: Queryable): Promise<Table[]> =>
  db.rows(sql`
    select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migrations' and is_generated = 'NEVER'
    group by table_name order by table_name`)

/** What the first schema had columns for: a later one has them all, because migrations only grow. */
async function copyInto(old: Database, { db }: { db: Database }): Promise<void> {
  const tables = await tablesOf(old)
  await old.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`)
    for (const { name, columns } of tables) {
      const table = sql.ident(name)
      const list = sql.join(columns.map(sql.ident), sql`, `)
      const { records } = await db.one<{ records: string }>(
        sql`select coalesce(json_agg(copied), '[]')::text as records from (select ${list} from ${table}) copied`,
      )
      await tx.run(sql`
        insert into ${table} (${list}) overriding system value
        select ${list} from json_populate_recordset(null::${table}, ${records}::json)`)
    }
    await tx.rows(sql`
      select setval(quote_ident(sequencename)::regclass, 1000000) from pg_sequences where schemaname = 'public'`)
  })
}

test('money in a database of the first schema keeps every rule, adds up to the same, and moves on', async () => {
  const { world, calls, client } = deal
  const seller = await world.newOwner({ kycStatus: 'VERIFIED' })
  const agent = await world.newAgent(seller)
  const escrowed = await calls.hireAndFund(client, agent)
  await calls.act(seller, escrowed, 'deliver', { content: 'Done.' })
  await world.runUntilIdle()
  await calls.act(client, escrowed, 'approve')
  await world.runUntilIdle()
  const held = await calls.hireAndFund(client, agent)
  await world.give(client.wallet.address, 5_000_000n)
  const { jobId } = await calls.hire(client, agent, '5000000')
  const header = await calls.x402Header(client.wallet, await calls.act(client, jobId, 'pay'))
  const paid = await world.whileWorking(calls.send(client, `/api/jobs/${jobId}/pay`, undefined, header))
  expect(paid.statusCode).toBe(200)
  const withdrawal = { agentId: agent.id, amount: '7000000' }
  expect((await calls.send(seller, '/api/owners/withdrawals', withdrawal)).statusCode).toBe(201)
  await world.runUntilIdle()
  await world.tick('withdrawals')
  expect(await world.breaches()).toEqual([])
  const urls = ['/api/owners/earnings', '/api/owners/withdrawals', `/api/jobs/${escrowed}`]
  const before = await Promise.all(urls.map(async (url) => (await calls.get(seller, url)).json().data))

  await copyInto(first.db, world)
  await first.migrate()
  const later = await startWorldOn({ ...first, close: async () => undefined }, { chain: world.chaos })
  expect(await later.breaches()).toEqual([])
  const read = async (url: string) => (await later.http.inject({ url, headers: seller.headers })).json().data
  expect(await Promise.all(urls.map(read))).toEqual(before)

  const sent = await later.http.inject({
    method: 'POST',
    url: `/api/jobs/${held}/deliver`,
    headers: seller.headers,
    payload: { content: 'Done.' },
  })
  expect(sent.statusCode).toBe(200)
  await later.runUntilIdle()
  await later.http.inject({ method: 'POST', url: `/api/jobs/${held}/approve`, headers: client.headers })
  await later.runUntilIdle()
  expect((await read(`/api/jobs/${held}`)).job).toMatchObject({
    status: 'COMPLETED',
    escrowState: 'RELEASED',
  })
  expect(await later.breaches()).toEqual([])
  await later.close()
  await first.close()
})
