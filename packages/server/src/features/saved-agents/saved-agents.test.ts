import { MAX_SAVED_AGENTS } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import type { WorldOwner } from '../../testing/world/world-people.ts'

let world: World
let seller: WorldOwner

beforeAll(async () => {
  world = await startWorld()
  seller = await world.newOwner({ kycStatus: 'VERIFIED' })
})
afterAll(() => world.close())

const call = (method: 'GET' | 'PUT' | 'DELETE', owner: WorldOwner | undefined, rest = '') =>
  world.http.inject({ method, url: `/api/saved-agents${rest}`, ...(owner && { headers: owner.headers }) })
const save = (owner: WorldOwner | undefined, { wallet }: { wallet: string }) =>
  call('PUT', owner, `/${wallet}`)
const remove = (owner: WorldOwner | undefined, { wallet }: { wallet: string }) =>
  call('DELETE', owner, `/${wallet}`)

describe('200', () => {
  test('a list is its owner’s own, those saved last first, and each agent is in it once', async () => {
    const [buyer, other] = [await world.newOwner(), await world.newOwner()]
    const [first, second] = [await world.newAgent(seller), await world.newAgent(seller)]
    const saved = await save(buyer, first)
    expect([saved.statusCode, saved.json()]).toEqual([
      200,
      { data: { walletAddress: first.wallet, savedAt: expect.any(String) } },
    ])
    world.wallClock.advance(60)
    expect((await save(buyer, { wallet: second.wallet.toLowerCase() })).statusCode).toBe(200)
    world.wallClock.advance(60)
    expect((await save(buyer, first)).json()).toEqual(saved.json())

    const { data } = (await call('GET', buyer, '?limit=1')).json()
    expect(data).toMatchObject({
      savedAgents: [{ agent: { id: second.id, walletAddress: second.wallet }, listed: expect.any(Boolean) }],
      walletAddresses: [second.wallet, first.wallet],
      total: 2,
      limit: 1,
      offset: 0,
    })
    const page = (await call('GET', buyer, '?limit=1&offset=1')).json().data
    expect(page.savedAgents.map(({ savedAt }: { savedAt: string }) => savedAt)).toEqual([
      saved.json().data.savedAt,
    ])
    expect((await call('GET', other)).json().data).toMatchObject({ savedAgents: [], total: 0 })

    expect((await remove(buyer, first)).json()).toEqual({ data: { removed: true } })
    expect((await remove(buyer, first)).json()).toEqual({ data: { removed: false } })
    expect((await call('GET', buyer)).json().data.walletAddresses).toEqual([second.wallet])
  })

  test('an agent that is hidden later stays in the list, and is marked', async () => {
    const buyer = await world.newOwner()
    const agent = await world.newAgent(seller)
    await save(buyer, agent)
    await world.db.run(sql`update agents set paused_by = 'OWNER' where id = ${agent.id}`)
    const [saved] = (await call('GET', buyer)).json().data.savedAgents
    expect(saved).toMatchObject({ listed: false, agent: { id: agent.id } })
  })
})

test('401 without an account', async () => {
  const agent = await world.newAgent(seller)
  const responses = [
    await call('GET', undefined),
    await save(undefined, agent),
    await remove(undefined, agent),
  ]
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
})

test('404 for a wallet that is no agent’s', async () => {
  const buyer = await world.newOwner()
  const nobody = { wallet: `0x${'9'.repeat(40)}` }
  expect([(await save(buyer, nobody)).statusCode, (await remove(buyer, nobody)).statusCode]).toEqual([
    404, 404,
  ])
})

test('409 when the list is full; what is in it can still be saved again', async () => {
  const buyer = await world.newOwner()
  const [first, second] = [await world.newAgent(seller), await world.newAgent(seller)]
  await save(buyer, first)
  await world.db.run(sql`
    insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key,
      skills, skill_keys, services, lowest_price_micro, x402_enabled, owner_active, approval_status, custom_orders,
      created_at)
    select ${first.id} || '-' || n, ${seller.ownerId}, '0x' || lpad(to_hex(n), 40, '0'), 'full-' || n, 'Lark', '',
      'finance', 'finance', '{}', '{}', '[]', 0, true, true, 'APPROVED', 'INSTANT', now()
    from generate_series(1, ${MAX_SAVED_AGENTS - 1}::integer) n`)
  await world.db.run(sql`
    insert into saved_agents select ${buyer.ownerId}, id, now() from agents where id like ${`${first.id}-%`}`)
  const full = await save(buyer, second)
  expect([full.statusCode, full.json().error.code]).toEqual([409, 'CONFLICT'])
  expect((await save(buyer, first)).statusCode).toBe(200)
  await remove(buyer, first)
  expect((await save(buyer, second)).statusCode).toBe(200)
})
