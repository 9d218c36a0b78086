import { formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { printFigures, timesFor } from '../../../testing/proof.ts'
import { formA, formB, startAgents } from '../testing/start-agents.ts'

const api = await startAgents()
afterAll(() => api.close())
beforeEach(() => {
  api.wallets.port = undefined
  api.wallets.made.length = 0
})

const agentsOf = (ownerId: string) =>
  api.db.rows<{ id: string }>(sql`select id from agents where owner_id = ${ownerId}`)

describe('201', () => {
  test('form A, returned in both forms', async () => {
    const seller = await api.newSeller()
    const response = await api.create(seller, formA)
    expect(response.statusCode).toBe(201)
    const { data } = response.json()
    expect(data).toEqual({
      id: data.id,
      walletAddress: data.walletAddress,
      ...formA,
      avatarUrl: null,
      averageRating: 0,
      totalJobs: 0,
      approvalStatus: 'PENDING',
      undeliveredJobs: 0,
      online: null,
      lastSeenAt: null,
      medianFirstProgressSeconds: null,
      agent: {
        id: data.id,
        name: formA.name,
        walletAddress: data.walletAddress,
        providerWalletId: data.id,
        approvalStatus: 'PENDING',
        listing: { visible: false, reasons: ['PENDING_APPROVAL'] },
      },
    })
    expect(data.walletAddress).toMatch(/^0x[a-fA-F0-9]{40}$/)
  })

  test('form B: type is category, bio is description, the hourly rate is the lowest service price', async () => {
    const seller = await api.newSeller()
    const response = await api.create(seller, formB, { accept: formMediaTypes.a })
    expect(response.statusCode).toBe(201)
    expect(response.json().data).toMatchObject({
      name: 'Solidity Swan',
      category: 'security',
      description: 'Reads contracts line by line.',
      hourlyRateUsdc: '40000000',
    })
    expect(response.json().data.agent).toBeUndefined()
  })

  test('form B takes a rate of its own too, and null for none', async () => {
    const seller = await api.newSeller({ quota: 2 })
    const hourly = await api.create(seller, { ...formB, hourlyRateUsdc: '60000000' })
    expect([hourly.statusCode, hourly.json().data.hourlyRateUsdc]).toEqual([201, '60000000'])
    const none = await api.create(seller, { ...formB, hourlyRateUsdc: null })
    expect([none.statusCode, none.json().data.hourlyRateUsdc]).toEqual([201, '40000000'])
    const refused = await api.create(seller, { ...formB, hourlyRateUsdc: '1.5' })
    expect(refused.json().error.details.issues[0].path).toBe('/hourlyRateUsdc')
  })

  test('form B without services costs "0", and form B alone shows the wallet of the provider', async () => {
    const seller = await api.newSeller()
    const { services: _services, ...bare } = formB
    const response = await api.create(seller, bare, { accept: formMediaTypes.b })
    expect(Object.keys(response.json().data)).toEqual(['agent'])
    const wallet = response.json().data.agent.walletAddress
    expect((await api.send('GET', `/api/agents/${wallet}`)).json().data.hourlyRateUsdc).toBe('0')
  })

  test('the owner is notified of the wallet, and the registration is ordered in the same commit', async () => {
    const seller = await api.newSeller()
    const { id, walletAddress } = (await api.create(seller)).json().data
    expect(await api.notificationsOf(seller.ownerId)).toEqual([
      { type: 'WALLET_PROVISIONED', message: expect.stringContaining(walletAddress) },
    ])
    expect(await api.money.intents.find(api.db, `agent.register:${id}`)).toMatchObject({
      kind: 'agent.register',
      status: 'PENDING',
      payload: { agentId: id },
    })
  })

  test('the same Idempotency-Key gives the first response, also when the quota is full by then', async () => {
    const seller = await api.newSeller()
    const first = await api.create(seller, formB, { 'idempotency-key': 'one' })
    const again = await api.create(seller, formB, { 'idempotency-key': 'one' })
    expect(again.statusCode).toBe(201)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.json()).toEqual(first.json())
    expect(await agentsOf(seller.ownerId)).toHaveLength(1)
  })
})

test('400 names the fields of the nearer form, and makes nothing', async () => {
  const seller = await api.newSeller()
  const response = await api.create(seller, { name: 'x', type: 'y', skills: [] })
  expect(response.statusCode).toBe(400)
  expect(response.json().error.details.issues).toContainEqual({ path: '/bio', message: 'is required' })
  expect((await api.create(seller, { ...formA, hourlyRateUsdc: '-1' })).statusCode).toBe(400)
  expect((await api.create(seller, { ...formB, name: '  ' })).statusCode).toBe(400)
  for (const avatarUrl of [
    'http://cdn.example.com/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
  ]) {
    expect((await api.create(seller, { ...formA, avatarUrl })).statusCode).toBe(400)
  }
  expect(api.wallets.made).toEqual([])
})

test('401 without a credential', async () => {
  expect((await api.send('POST', '/api/agents', {}, formA)).statusCode).toBe(401)
})

describe('403', () => {
  test('KYC_REQUIRED without verification or fee, before the body is looked at', async () => {
    for (const lacking of [{ kycStatus: 'PENDING' as const }, { kycFeePaid: false }]) {
      const response = await api.create(await api.newSeller(lacking), {})
      expect(response.statusCode).toBe(403)
      expect(response.json().error.code).toBe('KYC_REQUIRED')
    }
  })

  test('the suspended create nothing', async () => {
    const response = await api.create(await api.newSeller({ accountStatus: 'SUSPENDED' }))
    expect([response.statusCode, response.json().error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('AGENT_QUOTA_EXCEEDED at the cap, without a wallet made in vain; a bad body comes first', async () => {
    const seller = await api.newSeller()
    await api.create(seller)
    api.wallets.made.length = 0
    const response = await api.create(seller)
    expect(response.statusCode).toBe(403)
    expect(response.json().error).toMatchObject({
      code: 'AGENT_QUOTA_EXCEEDED',
      details: { current: 1, quota: 1 },
    })
    expect(api.wallets.made).toEqual([])
    expect((await api.create(seller, {})).statusCode).toBe(400)
  })
})

test('409 for the same Idempotency-Key with another body, and the first wallet keeps its limits', async () => {
  const seller = await api.newSeller({ quota: 5 })
  const { id } = (await api.create(seller, formB, { 'idempotency-key': 'k' })).json().data
  const other = { ...formB, guardrails: { perTxLimitUsdc: '999' } }
  const response = await api.create(seller, other, { 'idempotency-key': 'k' })
  expect([response.statusCode, response.json().error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  const kept = await api.db.one<{ perTxLimitMicro: bigint }>(
    sql`select per_tx_limit_micro from agent_wallet_keys where agent_id = ${id}`,
  )
  expect(kept.perTxLimitMicro).toBe(100_000_000n)
})

describe('503', () => {
  test('a provider that fails leaves nothing behind', async () => {
    const seller = await api.newSeller()
    api.wallets.port = { ...api.embedded, provision: async () => Promise.reject(new Error('no response')) }
    const response = await api.create(seller)
    expect([response.statusCode, response.json().error.code]).toEqual([503, 'UNAVAILABLE'])
    expect(response.headers['retry-after']).toBe('2')
    expect(response.body).not.toContain('no response')
    expect(await agentsOf(seller.ownerId)).toEqual([])
    expect(await api.notificationsOf(seller.ownerId)).toEqual([])
    api.wallets.port = undefined
    expect((await api.create(seller)).statusCode).toBe(201)
  })

  test('a crash after the wallet was made: the retry finds the same wallet, and nothing was counted', async () => {
    const seller = await api.newSeller()
    const made: string[] = []
    api.wallets.port = {
      ...api.embedded,
      async provision(request) {
        const wallet = await api.embedded.provision(request)
        made.push(wallet.address)
        throw new Error('the process died here')
      },
    }
    await api.create(seller, formB, { 'idempotency-key': 'crash' })
    api.wallets.port = undefined
    const response = await api.create(seller, formB, { 'idempotency-key': 'crash' })
    expect(response.statusCode).toBe(201)
    expect(made).toEqual([response.json().data.walletAddress])
    expect(new Set(api.wallets.made).size).toBe(1)
  })
})

/** Twenty at once, several times: never more and never fewer than the cap. */
describe.each([1, 3, 10])('with a cap of %i', (cap) => {
  const rounds = timesFor({ usual: 3, proof: 50 })
  test('20 parallel creates leave exactly the cap', async () => {
    const figures = { cap, rounds, creates: 0, made: 0, refused: 0 }
    const quotaUntil = cap === 1 ? null : '2099-01-01T00:00:00.000Z'
    for (let round = 0; round < rounds; round += 1) {
      const seller = await api.newSeller({ quota: cap })
      const responses = await Promise.all(Array.from({ length: 20 }, () => api.create(seller)))
      const made = responses.filter(({ statusCode }) => statusCode === 201)
      const refused = responses.filter(({ statusCode }) => statusCode === 403)
      expect(made).toHaveLength(cap)
      expect(refused).toHaveLength(20 - cap)
      for (const response of refused) {
        expect(response.json().error.details).toEqual({ current: cap, quota: cap, quotaUntil })
      }
      expect(await agentsOf(seller.ownerId)).toHaveLength(cap)
      figures.creates += responses.length
      figures.made += made.length
      figures.refused += refused.length
    }
    printFigures('G5', figures)
  })
})
