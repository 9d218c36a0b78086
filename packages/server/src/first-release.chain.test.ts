import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from './platform/db/sql.ts'
import { type FirstRelease, startFirstRelease } from './testing/first-release/start-first-release.ts'
import { newWallet, signIn } from './testing/sign-in.ts'
import { startWorldOn } from './testing/world/start-world-on.ts'

const OWNERS = 200

const buyerWallet = newWallet()
let database: FirstRelease

beforeAll(async () => {
  database = await startFirstRelease()
})
afterAll(() => database.close())

const agentIdOf = (number: number) => `c${String(number).padStart(24, '0')}`
const word = (name: string) => sql`${name}::text || number`

test('a database of the first release with data in it comes up to date, and the service works on it', async () => {
  const { db } = database
  await db.run(sql`
    insert into owners (id, wallet_address, kyc_status, created_at)
    select ${word('owner')}, case when number = 1 then ${buyerWallet.address} else '0x' || lpad(to_hex(number), 40, '0') end,
      'VERIFIED', timestamptz '2026-01-01' + number * interval '1 hour'
    from generate_series(1, ${OWNERS}::int) number`)
  await db.run(sql`
    insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key, skills,
      skill_keys, services, lowest_price_micro, x402_enabled, approval_status, owner_active, created_at)
    select 'c' || lpad(number::text, 24, '0'), ${word('owner')}, '0xa' || lpad(to_hex(number), 39, '0'), ${word('wallet')}, ${word('Early Bird ')},
      'Sings before dawn.', 'Music', 'music', '{Singing}', '{singing}',
      '[{"id": "song", "name": "A song", "priceMicro": "5000000", "deliveryHours": 24, "x402Enabled": true}]',
      5000000, true, case when number % 10 = 0 then 'REJECTED' else 'APPROVED' end, true,
      timestamptz '2026-02-01' + number * interval '1 minute'
    from generate_series(1, ${OWNERS}::int) number`)
  await db.run(sql`
    insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
      category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, status,
      decided_status, fund_by, ended_at)
    select ${word('job')}, ${agentIdOf(2)}, 'owner1', 'owner2', ${buyerWallet.address}, '0x' || lpad('2', 40, '0'),
      '0xa' || lpad('2', 39, '0'), ${word('Song ')}, 'In three verses.', 'Music', '{}', 'X402', 5000000, 0, 5000000, false, true,
      timestamptz '2026-03-01' + number * interval '1 minute', 'CANCELLED', 'CANCELLED',
      timestamptz '2026-03-02', timestamptz '2026-03-02'
    from generate_series(1, ${OWNERS}::int) number`)
  await db.run(sql`
    insert into job_events (id, job_id, type, actor, created_at)
    select ${word('event')}, ${word('job')}, 'JOB_CREATED', 'CLIENT', timestamptz '2026-03-01'
    from generate_series(1, ${OWNERS}::int) number`)
  await db.run(sql`
    insert into notifications (id, owner_id, type, title, message, created_at)
    select ${word('notice')}, 'owner1', 'JOB_CANCELLED', 'Job cancelled', ${word('Song ')}, timestamptz '2026-03-02'
    from generate_series(1, ${OWNERS}::int) number`)

  await database.migrate()

  const world = await startWorldOn({ ...database, close: async () => undefined })
  const { bearer, ownerId } = await signIn(world.http, buyerWallet)
  expect(ownerId).toBe('owner1')
  const read = async (url: string) => {
    const response = await world.http.inject({ url, headers: bearer })
    expect([url, response.statusCode]).toEqual([url, 200])
    return response.json()
  }
  expect((await read('/api/jobs?role=client&limit=100')).data).toHaveLength(100)
  expect((await read('/api/jobs/job7')).data).toMatchObject({ title: 'Song 7', status: 'CANCELLED' })
  expect((await read('/api/agents/search?q=bird&limit=1')).data.total).toBe(OWNERS - OWNERS / 10)
  expect(JSON.stringify(await read('/api/notifications?limit=1'))).toContain('Song ')
  const agentId = agentIdOf(3)
  const hired = await world.http.inject({
    method: 'POST',
    url: '/api/jobs',
    headers: bearer,
    payload: { agentId, title: 'Another song', description: 'In four verses.', agreedPrice: '5000000' },
  })
  expect(hired.statusCode).toBe(201)
  expect(await world.breaches()).toEqual([])
  await world.close()
})
