import { afterAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { adminWallet } from '../../testing/start-world.ts'
import { findFacts, findOwnFacts } from './reading/facts.ts'
import { formA, formB, startAgents } from './testing/start-agents.ts'

const api = await startAgents({ approvesItself: false })
afterAll(() => api.close())

async function newAgent(payload: object = formB, quota = 1) {
  const seller = await api.newSeller({ quota })
  const { id, walletAddress } = (await api.create(seller, payload)).json().data
  return { seller, id, url: `/api/agents/${walletAddress}` }
}

describe('PATCH', () => {
  test('200 changes what is given and leaves the rest', async () => {
    const { seller, url } = await newAgent()
    const before = (await api.send('GET', url, seller.headers)).json().data.agent
    const response = await api.send('PATCH', url, seller.headers, {
      description: 'Reads them twice.',
      services: [
        { name: 'Quick look', priceUSDC: '50000000', deliveryTime: 12 },
        { name: 'Second opinion', priceUSDC: '70000000' },
      ],
    })
    expect(response.statusCode).toBe(200)
    const { agent } = response.json().data
    expect(agent).toMatchObject({
      name: before.name,
      bio: 'Reads them twice.',
      skills: before.skills,
      guardrails: before.guardrails,
      hourlyRateUsdc: '50000000',
    })
    expect(agent.services[0]).toMatchObject({ id: before.services[1].id, priceUSDC: '50000000' })
    expect((await api.send('GET', url, seller.headers)).json()).toEqual(response.json())
  })

  test('200 with a rate of its own, an avatar, and none again', async () => {
    const { seller, url } = await newAgent()
    const avatarUrl = 'https://cdn.example.com/a.png'
    const set = await api.send('PATCH', url, seller.headers, { hourlyRateUsdc: '1', avatarUrl })
    expect(set.json().data).toMatchObject({ hourlyRateUsdc: '1', avatarUrl })
    const cleared = await api.send('PATCH', url, seller.headers, { avatarUrl: null })
    expect(cleared.json().data).toMatchObject({ hourlyRateUsdc: '1', avatarUrl: null })
  })

  test('200 with the language that the profile is written in; English until then', async () => {
    const { seller, url } = await newAgent()
    expect((await api.send('GET', url)).json().data.agent.language).toBe('en')
    const changed = await api.send('PATCH', url, seller.headers, { language: 'fr' })
    expect([changed.statusCode, changed.json().data.agent.language]).toEqual([200, 'fr'])
    expect((await api.send('GET', url)).json().data.agent.language).toBe('fr')
    const unknown = await api.send('PATCH', url, seller.headers, { language: 'klingon' })
    expect(unknown.statusCode).toBe(400)
    expect(unknown.json().error.details.issues).toMatchObject([{ path: '/language' }])
  })

  test('200 without the rate again: the lowest service price stands for it, or "0"', async () => {
    for (const [payload, price] of [
      [{ ...formB, hourlyRateUsdc: '1' }, '40000000'],
      [formA, '0'],
    ] as const) {
      const { seller, url } = await newAgent(payload)
      const cleared = await api.send('PATCH', url, seller.headers, { hourlyRateUsdc: null })
      expect([cleared.statusCode, cleared.json().data.hourlyRateUsdc]).toEqual([200, price])
      expect((await api.send('GET', url)).json().data.agent.hourlyRateUsdc).toBe(price)
    }
  })

  test('200 by form B’s names, and 400 where the two names of a field disagree', async () => {
    const { seller, url } = await newAgent()
    const change = { type: 'auditing', bio: 'Reads them twice.', hourlyRateUsdc: '5' }
    const changed = await api.send('PATCH', url, seller.headers, change)
    expect(changed.json().data.agent).toMatchObject({
      ...change,
      category: 'auditing',
      description: 'Reads them twice.',
    })
    const both = { type: 'law', category: 'law' }
    expect((await api.send('PATCH', url, seller.headers, both)).json().data.category).toBe('law')
    for (const [torn, path] of [
      [{ type: 'law', category: 'art' }, '/type'],
      [{ bio: 'One.', description: 'Two.' }, '/bio'],
    ] as const) {
      const refused = await api.send('PATCH', url, seller.headers, torn)
      expect([refused.statusCode, refused.json().error.details.issues[0].path]).toEqual([400, path])
    }
  })

  test('400 names the fields when none of those given is known', async () => {
    const { seller, url } = await newAgent()
    const response = await api.send('PATCH', url, seller.headers, { hourlyRate: '1' })
    expect(response.statusCode).toBe(400)
    expect(response.json().error.message).toContain('hourlyRateUsdc')
  })

  test('new guardrails reach the wallet provider first', async () => {
    const { seller, id, url } = await newAgent()
    const change = { guardrails: { perTxLimitUsdc: '7' } }
    api.wallets.port = { ...api.embedded, updateLimits: () => Promise.reject(new Error('no response')) }
    expect((await api.send('PATCH', url, seller.headers, change)).statusCode).toBe(503)
    expect((await api.send('GET', url, seller.headers)).json().data.agent.guardrails.perTxLimitUsdc).toBe(
      '100000000',
    )
    api.wallets.port = undefined
    expect((await api.send('PATCH', url, seller.headers, change)).json().data.agent.guardrails).toEqual({
      sessionCapUsdc: null,
      perTxLimitUsdc: '7',
      allowedSkills: [],
    })
    const { limit } = await api.db.one<{ limit: bigint }>(
      sql`select per_tx_limit_micro as limit from agent_wallet_keys where agent_id = ${id}`,
    )
    expect(limit).toBe(7n)
  })

  test('400, 401, 403 and 404 change nothing', async () => {
    const { seller, url } = await newAgent()
    const stranger = await api.newSeller()
    const before = (await api.send('GET', url, seller.headers)).body
    const status = async (path: string, headers: Record<string, string>, body: object) =>
      (await api.send('PATCH', path, headers, body)).statusCode
    expect(await status(url, seller.headers, {})).toBe(400)
    expect(await status(url, seller.headers, { name: '' })).toBe(400)
    expect(await status(url, {}, { name: 'x' })).toBe(401)
    expect(await status(url, stranger.headers, { name: 'x' })).toBe(403)
    expect(await status(url, stranger.headers, { guardrails: { perTxLimitUsdc: '1' } })).toBe(403)
    expect(await status(`/api/agents/0x${'0d'.repeat(20)}`, seller.headers, { name: 'x' })).toBe(404)
    expect((await api.send('GET', url, seller.headers)).body).toBe(before)
  })
})

describe('pause and resume', () => {
  test('a paused agent leaves room in the quota; resuming needs room again', async () => {
    const { seller, url } = await newAgent()
    const paused = await api.send('POST', `${url}/pause`, seller.headers)
    expect(paused.json().data.agent).toMatchObject({ paused: true, listing: { visible: false } })
    expect((await api.send('POST', `${url}/pause`, seller.headers)).statusCode).toBe(200)
    expect((await api.create(seller, formA)).statusCode).toBe(201)
    const refused = await api.send('POST', `${url}/resume`, seller.headers)
    expect([refused.statusCode, refused.json().error.details]).toEqual([
      403,
      { current: 1, quota: 1, quotaUntil: null },
    ])
    await api.openPlan(seller.ownerId, 'AGENT_QUOTA', 2)
    const resumed = await api.send('POST', `${url}/resume`, seller.headers)
    expect(resumed.json().data.agent.paused).toBe(false)
    expect((await api.send('POST', `${url}/resume`, seller.headers)).statusCode).toBe(200)
  })

  test('resuming and creating at once never pass the cap', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { seller, url } = await newAgent()
      await api.send('POST', `${url}/pause`, seller.headers)
      const responses = await Promise.all([
        api.send('POST', `${url}/resume`, seller.headers),
        api.create(seller, formA),
        api.create(seller, formA),
      ])
      const [resumed, ...created] = responses.map(({ statusCode }) => statusCode)
      expect([resumed, ...created.toSorted()]).toEqual(resumed === 200 ? [200, 403, 403] : [403, 201, 403])
    }
  })

  test('only the owner may', async () => {
    const { url } = await newAgent()
    const stranger = await api.newSeller()
    for (const action of ['pause', 'resume']) {
      expect((await api.send('POST', `${url}/${action}`)).statusCode).toBe(401)
      expect((await api.send('POST', `${url}/${action}`, stranger.headers)).statusCode).toBe(403)
      const unknown = `/api/agents/0x${'0d'.repeat(20)}/${action}`
      expect((await api.send('POST', unknown, stranger.headers)).statusCode).toBe(404)
    }
  })
})

describe('approval', () => {
  test('without self-approval an agent waits for an admin after its registration', async () => {
    const { seller, id } = await newAgent()
    await api.register(id)
    const { headers } = await api.newOwner({ wallet: adminWallet })
    const waiting = (await api.send('GET', '/api/admin/agents?approvalStatus=PENDING', headers)).json().data
    expect(waiting.agents.map((agent: { id: string }) => agent.id)).toContain(id)
    expect((await api.judge(id, 'approve')).json().data).toMatchObject({
      approvalStatus: 'APPROVED',
      listing: { visible: true },
    })
    expect((await api.judge(id, 'reject')).json().data).toMatchObject({
      approvalStatus: 'REJECTED',
      rejectionReason: 'Copied.',
    })
    expect((await api.notificationsOf(seller.ownerId)).slice(-2).map(({ type }) => type)).toEqual([
      'AGENT_APPROVED',
      'AGENT_REJECTED',
    ])
    const twice = await api.judge(id, 'reject')
    expect([twice.statusCode, twice.json().error.code]).toEqual([409, 'INVALID_STATE'])
    expect(twice.json().error.details).toMatchObject({ status: 'REJECTED' })
    expect((await api.judge('cnobody', 'approve')).statusCode).toBe(404)
  })

  test('a rejected agent uses no quota; approved later without room it is paused', async () => {
    const { seller, id } = await newAgent()
    await api.judge(id, 'reject')
    const second = await api.create(seller, formA)
    expect(second.statusCode).toBe(201)
    expect((await api.create(seller, formA)).json().error).toMatchObject({
      code: 'AGENT_QUOTA_EXCEEDED',
      details: { current: 1, quota: 1, quotaUntil: null },
    })
    const approved = (await api.judge(id, 'approve')).json().data
    expect(approved.listing).toEqual({ visible: false, reasons: ['PAUSED_BY_QUOTA'] })
  })

  test('other features find an agent by id and by wallet, and an owner only their own', async () => {
    const { seller, id, url } = await newAgent()
    const stranger = await api.newSeller()
    const facts = await findFacts(api.db, id)
    expect(facts).toMatchObject({
      id,
      ownerId: seller.ownerId,
      guardrails: { perTxLimitMicro: 100_000_000n, sessionCapMicro: 500_000_000n, allowedSkills: ['audits'] },
    })
    expect(await findFacts(api.db, url.slice('/api/agents/'.length).toLowerCase())).toEqual(facts)
    expect(await findOwnFacts(api.db, id, seller.ownerId)).toEqual(facts)
    expect(await findOwnFacts(api.db, id, stranger.ownerId)).toBeUndefined()
  })

  test('who may be hired: pending ones too, but none that is rejected or paused', async () => {
    const { seller, id, url } = await newAgent()
    const isHireable = async () => (await findFacts(api.db, id))?.isHireable
    expect(await isHireable()).toBe(true)
    await api.send('POST', `${url}/pause`, seller.headers)
    expect(await isHireable()).toBe(false)
    await api.send('POST', `${url}/resume`, seller.headers)
    await api.judge(id, 'reject')
    expect(await isHireable()).toBe(false)
    expect(await findFacts(api.db, 'cnobody')).toBeUndefined()
  })
})
