import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { startWorld } from '../../testing/start-world.ts'
import { createTestClock } from '../../testing/test-clock.ts'

const clock = createTestClock()
let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld({ clock })
})
afterAll(() => world.close())

type Headers = Record<string, string>
const browser = { 'user-agent': 'Mozilla/5.0 Chrome/141.0.0.0 Safari/537.36' }

const look = (wallet: string, part: string, headers: Headers = browser, remoteAddress = '203.0.113.1') =>
  world.http.inject({
    method: 'POST',
    url: `/api/agents/${wallet}/views`,
    headers,
    payload: { part },
    remoteAddress,
  })
const funnelOf = async (headers: Headers, query = '') => {
  const response = await world.http.inject({ url: `/api/owners/funnel${query}`, headers })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().data
}
const hire = (headers: Headers, agentId: string) =>
  world.http.inject({
    method: 'POST',
    url: '/api/jobs',
    headers,
    payload: { agentId, title: 'Reconcile', description: 'All of it.', agreedPrice: '5000000' },
  })

const nothing = { views: 0, hireForms: 0, jobs: 0, paidJobs: 0, completedJobs: 0 }

test('each visitor counts once a day; bots and the owner do not', async () => {
  const [seller, buyer] = await Promise.all([world.newOwner(), world.newOwner()])
  const agent = await world.newAgent(seller)
  const inBrowser = (owner: { headers: Headers }) => ({ ...owner.headers, ...browser })
  for (const headers of [browser, browser, inBrowser(buyer), inBrowser(buyer), inBrowser(seller)])
    expect((await look(agent.wallet, 'PROFILE', headers)).statusCode).toBe(202)
  await look(agent.wallet.toLowerCase(), 'PROFILE', { 'user-agent': 'Googlebot/2.1' })
  await look(agent.wallet, 'PROFILE', browser, '203.0.113.2')
  await look(agent.wallet, 'HIRE_FORM')
  // A stranger's address and a signed-in buyer are two; another address is the third.
  expect((await funnelOf(seller.headers)).total).toEqual({ ...nothing, views: 3, hireForms: 1 })
  clock.advance(24 * 3600)
  await look(agent.wallet, 'PROFILE')
  expect((await funnelOf(seller.headers)).total).toMatchObject({ views: 4 })
  expect(
    (await funnelOf(seller.headers, `?startDate=${clock.now().toISOString().slice(0, 10)}`)).total,
  ).toMatchObject({
    views: 1,
  })
})

test('one address is one visitor, whatever browser it names', async () => {
  const seller = await world.newOwner()
  const agent = await world.newAgent(seller)
  for (let version = 1; version <= 5; version += 1)
    await look(agent.wallet, 'PROFILE', { 'user-agent': `Mozilla/5.0 Chrome/${version}.0` })
  expect((await funnelOf(seller.headers)).total).toMatchObject({ views: 1 })
})

test('nothing about visitors is stored, and a day of an agent is one row', async () => {
  const seller = await world.newOwner()
  const agent = await world.newAgent(seller)
  for (let last = 1; last <= 20; last += 1) await look(agent.wallet, 'PROFILE', browser, `203.0.113.${last}`)
  await funnelOf(seller.headers)
  const rows = await world.db.rows(sql`select * from agent_views where agent_id = ${agent.id}`)
  expect(rows).toEqual([
    { agentId: agent.id, day: clock.now().toISOString().slice(0, 10), profileViews: 20, hireForms: 0 },
  ])
})

describe('what is rejected leaves no row', () => {
  test.each([
    ['an unknown agent', `0x${'12'.repeat(20)}`, 'PROFILE', 404],
    ['no address', 'nobody', 'PROFILE', 400],
  ])('%s', async (_, wallet, part, status) => {
    const before = await world.db.one(sql`select count(*) from agent_views`)
    expect((await look(wallet, part)).statusCode).toBe(status)
    expect(await world.db.one(sql`select count(*) from agent_views`)).toEqual(before)
  })

  test('an unknown part', async () => {
    const agent = await world.newAgent(await world.newOwner())
    expect((await look(agent.wallet, 'PRICE')).statusCode).toBe(400)
  })
})

test('jobs of others by what became of them, for each agent, and for nobody else', async () => {
  const [seller, buyer] = await Promise.all([world.newOwner(), world.newOwner()])
  const [lark, wren] = [
    await world.newAgent(seller, { name: 'Lark' }),
    await world.newAgent(seller, { name: 'Wren' }),
  ]
  const jobs = await Promise.all(
    [1, 2, 3].map(async () => (await hire(buyer.headers, lark.id)).json().data.jobId),
  )
  await hire(seller.headers, lark.id)
  await world.db.run(sql`update jobs set paid_at = ${clock.now()} where id = any(${jobs.slice(0, 2)})`)
  await world.db.run(sql`update jobs set status = 'COMPLETED' where id = ${jobs[0]}`)
  await look(wren.wallet, 'PROFILE')
  const data = await funnelOf(seller.headers)
  expect(data.total).toEqual({ views: 1, hireForms: 0, jobs: 3, paidJobs: 2, completedJobs: 1 })
  expect(data.agents).toEqual([
    { agentId: wren.id, name: 'Wren', walletAddress: wren.wallet, ...nothing, views: 1 },
    {
      agentId: lark.id,
      name: 'Lark',
      walletAddress: lark.wallet,
      ...nothing,
      jobs: 3,
      paidJobs: 2,
      completedJobs: 1,
    },
  ])
  expect((await funnelOf(seller.headers, `?agentId=${wren.id}`)).total).toEqual({ ...nothing, views: 1 })
  expect((await funnelOf(buyer.headers)).agents).toEqual([])
  expect((await funnelOf(buyer.headers, `?agentId=${wren.id}`)).agents).toEqual([])
  expect((await world.http.inject({ url: '/api/owners/funnel' })).statusCode).toBe(401)
  const tooLong = await world.http.inject({
    url: '/api/owners/funnel?startDate=2020-01-01',
    headers: seller.headers,
  })
  expect(tooLong.statusCode).toBe(400)
})

test('views are kept for 400 days, and removed with the month that they are in', async () => {
  const seller = await world.newOwner()
  const agent = await world.newAgent(seller)
  await look(agent.wallet, 'PROFILE')
  await funnelOf(seller.headers)
  clock.advance(399 * 24 * 3600)
  await world.tick('months')
  const count = () => world.db.rows(sql`select day from agent_views where agent_id = ${agent.id}`)
  expect(await count()).toHaveLength(1)
  clock.advance(100 * 24 * 3600)
  await world.tick('months')
  expect(await count()).toHaveLength(0)
})
