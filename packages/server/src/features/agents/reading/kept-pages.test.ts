import { formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type AgentChange, changesBeside } from '../testing/agent-changes.ts'
import { startAgents, type TestSeller } from '../testing/start-agents.ts'

/** Pages are sent again while nothing on them has changed, no matter who changes it: here it is always another process. */

const REVIEWS = 12

const api = await startAgents()
afterAll(() => api.close())

let seller: TestSeller
let id: string
let url: string

beforeAll(async () => {
  seller = await api.newSeller()
  const { data } = (await api.create(seller)).json()
  id = data.id
  url = `/api/agents/${data.walletAddress}`
  await api.register(id)
  const client = await api.newSeller()
  await api.db.run(sql`
    insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
      category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, fund_by,
      status, ended_at, payer_wallet)
    select 'cjob' || n, ${id}, ${client.ownerId}, ${seller.ownerId}, '0x1', '0x2', '0x3', 'Work ' || n, '', 'x', '{}',
      'X402', 1, 0, 1, false, true, now(), now(), 'COMPLETED', now(), '0x4' from generate_series(1, ${REVIEWS}::int) n`)
  await api.db.run(sql`
    insert into reviews (id, job_id, agent_id, seller_id, client_id, kind, rating, counted, created_at)
    select 'creview' || n, 'cjob' || n, ${id}, ${seller.ownerId}, ${client.ownerId}, 'WORK', 5, true,
      now() - n * interval '1 minute' from generate_series(1, ${REVIEWS}::int) n`)
})

const page = async (headers: Record<string, string> = {}) => {
  const response = await api.send('GET', url, headers)
  expect(response.statusCode).toBe(200)
  return response.json().data
}
const agent = async () => (await page()).agent

describe('a change of what is shown is seen at once', () => {
  const ofAgent = (change: Sql) => sql`update agents set ${change} where id = ${id}`
  const ofReview = (n: number, change: Sql) => sql`update reviews set ${change} where id = ${`creview${n}`}`
  const ofJob = (n: number, change: Sql) => sql`update jobs set ${change} where id = ${`cjob${n}`}`

  test.each<AgentChange>([
    ['the profile', () => ofAgent(sql`name = 'Renamed Rook'`), { name: 'Renamed Rook' }],
    ['the state', () => ofAgent(sql`paused_by = 'OWNER'`), { paused: true, listing: { visible: false } }],
    ['the state again', () => ofAgent(sql`paused_by = null`), { paused: false, listing: { visible: true } }],
    ...changesBeside({ agentId: () => id, sellerId: () => seller.ownerId }),
    [
      'a reply',
      () => ofReview(1, sql`reply = 'Thank you.', replied_at = now()`),
      { reviews: expect.arrayContaining([expect.objectContaining({ id: 'creview1', reply: 'Thank you.' })]) },
    ],
    [
      'a refund',
      () => ofJob(2, sql`refund_state = 'CONFIRMED', refund_tx_hash = '0x1', refunded_at = now()`),
      { reviews: expect.arrayContaining([expect.objectContaining({ id: 'creview2', refunded: true })]) },
    ],
    [
      'a work that no longer counts makes room for an older one',
      () => ofReview(3, sql`counted = false`),
      { portfolio: expect.arrayContaining([expect.objectContaining({ jobId: 'cjob11' })]) },
    ],
    [
      'a title of a work whose review is not among the newest',
      () => ofJob(11, sql`title = 'Older work'`),
      { portfolio: expect.arrayContaining([expect.objectContaining({ title: 'Older work' })]) },
    ],
    [
      'a review that is gone',
      () => sql`delete from reviews where id = 'creview4'`,
      { reviews: expect.not.arrayContaining([expect.objectContaining({ id: 'creview4' })]) },
    ],
  ])('%s', async (_what, change, seen) => {
    const before = await agent()
    expect(before).not.toMatchObject(seen)
    // The second request is sent what the first has left.
    expect(await agent()).toEqual(before)
    await api.db.run(change())
    expect(await agent()).toMatchObject(seen)
  })

  test('all of the agent', async () => {
    const other = await api.newSeller()
    const { walletAddress, id: otherId } = (await api.create(other)).json().data
    const statuses = []
    for (const step of [0, 1, 2]) {
      if (step === 2)
        await api.db.run(
          sql`update agents set wallet_address = '0x' || repeat('0', 40) where id = ${otherId}`,
        )
      statuses.push((await api.send('GET', `/api/agents/${walletAddress}`)).statusCode)
    }
    expect(statuses).toEqual([200, 200, 404])
  })
})

test('each caller is sent their own form, and in any letter case', async () => {
  const forms = [formMediaTypes.a, formMediaTypes.b, 'application/json']
  const shown = async () =>
    Promise.all(forms.map(async (accept) => [accept, (await api.send('GET', url, { accept })).json().data]))
  const first = await shown()
  expect(await shown()).toEqual(first)
  expect(first.map(([, data]) => Object.keys(data).includes('agent'))).toEqual([false, true, true])
  expect(first.map(([, data]) => Object.keys(data).length > 1)).toEqual([true, false, true])
  const shouted = await api.send('GET', `/api/agents/0x${url.split('0x')[1]?.toUpperCase()}`)
  expect(shouted.json().data).toEqual(first[2]?.[1])
})

test('the owner is shown what is private, and nobody else is, in whatever order they ask', async () => {
  await api.db.run(sql`update agents set paused_by = 'OWNER' where id = ${id}`)
  const stranger = await api.newSeller()
  for (const _round of [1, 2]) {
    for (const [headers, reasons] of [
      [{}, []],
      [seller.headers, ['PAUSED_BY_OWNER']],
      [stranger.headers, []],
    ] as const) {
      expect((await page(headers)).agent.listing).toEqual({ visible: false, reasons })
    }
  }
})
