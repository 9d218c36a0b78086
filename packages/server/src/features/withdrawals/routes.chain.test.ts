import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { walletAccount } from '../../money/books/accounts.ts'
import { sql } from '../../platform/db/sql.ts'
import { startWithdrawals } from './testing/start-withdrawals.ts'

let api: Awaited<ReturnType<typeof startWithdrawals>>
beforeAll(async () => {
  api = await startWithdrawals()
})
afterAll(async () => {
  expect(await api.breaches()).toEqual([])
  await api.close()
})

describe('201', () => {
  test('moves the amount from the agent’s wallet to the owner’s, to the micro-unit', async () => {
    const { ownerId, address, headers, agent } = await api.newSeller(10_000_000n)
    const response = await api.withdraw(headers, agent.id, 7_654_321n)
    expect(response.statusCode).toBe(201)
    const { data } = response.json()
    expect(data).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      agentId: agent.id,
      amount: '7654321',
      to: address,
      status: 'REQUESTED',
      txHash: null,
      failureReason: null,
      reservedUntil: null,
      createdAt: expect.any(String),
    })

    api.chaos.setWeather('slow')
    await api.engine.runOnce()
    const submitted = await api.read(headers, data.id)
    expect(submitted).toMatchObject({
      status: 'SUBMITTED',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(await api.balanceOf(address)).toBe(0n)

    api.chaos.setWeather('fair')
    await api.chaos.mine()
    await api.engine.runUntilIdle()
    const confirmed = await api.read(headers, data.id)
    expect(confirmed).toEqual({ ...data, status: 'CONFIRMED', txHash: submitted.txHash })
    expect(await api.balanceOf(agent.wallet)).toBe(2_345_679n)
    expect(await api.balanceOf(address)).toBe(7_654_321n)
    expect(await api.journalOf(agent.id)).toEqual([
      { account: walletAccount(agent.wallet), amountMicro: -7_654_321n },
      { account: walletAccount(address), amountMicro: 7_654_321n },
    ])
    const told = await api.notificationsOf(ownerId)
    expect(told.map(({ type }) => type)).toEqual(['WITHDRAWAL_REQUESTED', 'WITHDRAWAL_CONFIRMED'])
    expect(told[0]?.message).toContain('7.654321 USDC')
  })

  test('leads from its journal entry to the request, the intent, the transaction and the block', async () => {
    const { headers, agent } = await api.newSeller(1_000_000n)
    const { data } = (await api.withdraw(headers, agent.id, 1_000_000n)).json()
    await api.engine.runUntilIdle()
    const trail = await api.db.rows(sql`
      select w.id from journal_entries e
      join intents i on i.id = e.intent_id and i.request_id = e.request_id and i.tx_hash = e.tx_hash
      join withdrawals w on w.intent_id = i.id
      join chain_blocks b on b.hash = e.block_hash
      where e.agent_id = ${agent.id}`)
    expect(trail).toEqual([{ id: data.id }])
  })

  test('the same Idempotency-Key moves once', async () => {
    const { headers, address, agent } = await api.newSeller(3_000_000n)
    const keyed = { ...headers, 'idempotency-key': 'withdraw-once' }
    const responses = [
      await api.withdraw(keyed, agent.id, 1_000_000n),
      await api.withdraw(keyed, agent.id, 1_000_000n),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect(responses[1]?.json()).toEqual(responses[0]?.json())
    await api.engine.runUntilIdle()
    expect(await api.balanceOf(address)).toBe(1_000_000n)
    expect((await api.withdraw(keyed, agent.id, 2_000_000n)).statusCode).toBe(409)
  })
})

describe('20 parallel withdrawals', () => {
  test('of the whole balance move it once, also while a worker runs', async () => {
    const { headers, address, agent } = await api.newSeller(5_000_000n)
    const requests = Array.from({ length: 20 }, () => api.withdraw(headers, agent.id, 5_000_000n))
    let isOpen = true
    const working = (async () => {
      while (isOpen) await api.engine.runOnce()
    })()
    const responses = await Promise.all(requests)
    isOpen = false
    await working
    await api.engine.runUntilIdle()
    const codes = responses.map((response) => response.statusCode).sort()
    expect(codes).toEqual([201, ...Array.from({ length: 19 }, () => 422)])
    const refused = responses.find(({ statusCode }) => statusCode === 422)?.json()
    expect(refused.error).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { available: '0', required: '5000000' },
    })
    expect(await api.balanceOf(address)).toBe(5_000_000n)
    expect(await api.balanceOf(agent.wallet)).toBe(0n)
  })

  test('with room for three leave exactly three', async () => {
    const { headers, address, agent } = await api.newSeller(3_500_000n)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => api.withdraw(headers, agent.id, 1_000_000n)),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(3)
    await api.engine.runUntilIdle()
    expect(await api.balanceOf(address)).toBe(3_000_000n)
    expect(await api.balanceOf(agent.wallet)).toBe(500_000n)
  })

  test('under a session cap with room for two leave exactly two', async () => {
    const { headers, address, agent } = await api.newSeller(50_000_000n, { sessionCapMicro: 2_000_000n })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => api.withdraw(headers, agent.id, 1_000_000n)),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2)
    const refused = responses.find(({ statusCode }) => statusCode === 403)?.json()
    expect(refused.error).toMatchObject({
      code: 'FORBIDDEN',
      details: { guardrail: 'sessionCapUsdc', limit: '2000000', spent: '2000000', required: '1000000' },
    })
    await api.engine.runUntilIdle()
    expect(await api.balanceOf(address)).toBe(2_000_000n)

    await api.chaos.mine(24 * 3600)
    expect((await api.withdraw(headers, agent.id, 2_000_000n)).statusCode).toBe(201)
  })
})

describe('refusals change nothing', () => {
  test('403 above the limit of one transfer', async () => {
    const { ownerId, headers, agent } = await api.newSeller(5_000_000n, { perTxLimitMicro: 1_000_000n })
    const response = await api.withdraw(headers, agent.id, 1_000_001n)
    expect(response.statusCode).toBe(403)
    expect(response.json().error.details).toMatchObject({ guardrail: 'perTxLimitUsdc', limit: '1000000' })
    expect(await api.notificationsOf(ownerId)).toEqual([])
    expect((await api.withdraw(headers, agent.id, 1_000_000n)).statusCode).toBe(201)
  })

  test('422 with what is available and required', async () => {
    const { headers, agent } = await api.newSeller(2_000_000n)
    expect((await api.withdraw(headers, agent.id, 1_500_000n)).statusCode).toBe(201)
    const response = await api.withdraw(headers, agent.id, 500_001n)
    expect(response.statusCode).toBe(422)
    expect(response.json().error.details).toMatchObject({ available: '500000', required: '500001' })
  })

  test('404 for another seller’s agent, the same as for none', async () => {
    const { agent } = await api.newSeller(1_000_000n)
    const stranger = await api.newOwner({ kycStatus: 'VERIFIED' })
    const foreign = await api.withdraw(stranger.headers, agent.id, 1n)
    const absent = await api.withdraw(stranger.headers, `c${'0'.repeat(24)}`, 1n)
    expect(foreign.statusCode).toBe(404)
    expect(foreign.json().error.message).toBe(absent.json().error.message)
    expect(absent.statusCode).toBe(404)
  })

  test('404 for another seller’s withdrawal', async () => {
    const { headers, agent } = await api.newSeller(1_000_000n)
    const { data } = (await api.withdraw(headers, agent.id, 1n)).json()
    const stranger = await api.newOwner({ kycStatus: 'VERIFIED' })
    const url = `/api/owners/withdrawals/${data.id}`
    expect((await api.http.inject({ method: 'GET', url, headers: stranger.headers })).statusCode).toBe(404)
  })

  test.each([
    ['KYC_REQUIRED', { kycStatus: 'IN_REVIEW' as const }],
    ['FORBIDDEN', { kycStatus: 'VERIFIED' as const, accountStatus: 'SUSPENDED' as const }],
  ])('403 %s', async (code, fields) => {
    const { headers, agent } = await api.newSeller(1_000_000n, {}, fields)
    const response = await api.withdraw(headers, agent.id, 1n)
    expect(response.statusCode).toBe(403)
    expect(response.json().error.code).toBe(code)
  })

  test('401 without a credential', async () => {
    expect((await api.withdraw({}, `c${'0'.repeat(24)}`, 1n)).statusCode).toBe(401)
  })

  test.each(['0', '-1', '1.5', '1e3', '', '1000000000000001'])('400 for the amount "%s"', async (amount) => {
    const { headers, agent } = await api.newSeller(0n)
    expect((await api.withdraw(headers, agent.id, amount)).statusCode).toBe(400)
  })

  test('503 while the chain does not respond', async () => {
    const { headers, agent } = await api.newSeller(1_000_000n)
    api.chaos.setDown(true)
    const response = await api.withdraw(headers, agent.id, 1n)
    api.chaos.setDown(false)
    expect(response.statusCode).toBe(503)
  })
})

test('lists newest first, by agent and by status, and only one’s own', async () => {
  const { headers, agent } = await api.newSeller(10_000_000n)
  const other = await api.newAgent(agent.owner, 1_000_000n)
  await api.newSeller(1_000_000n).then((seller) => api.withdraw(seller.headers, seller.agent.id, 1n))
  const first = (await api.withdraw(headers, agent.id, 1_000_000n)).json().data
  await api.engine.runUntilIdle()
  await api.chaos.mine()
  const second = (await api.withdraw(headers, other.id, 1_000_000n)).json().data
  const list = async (query: string) =>
    (await api.http.inject({ method: 'GET', url: `/api/owners/withdrawals?${query}`, headers })).json().data

  const all = await list('')
  expect(all).toMatchObject({ total: 2, limit: 50, offset: 0 })
  expect(all.withdrawals.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
  expect(await list('status=CONFIRMED')).toMatchObject({ total: 1, withdrawals: [{ id: first.id }] })
  expect(await list('status=REQUESTED')).toMatchObject({ total: 1, withdrawals: [{ id: second.id }] })
  expect(await list(`agentId=${other.id}`)).toMatchObject({ total: 1, withdrawals: [{ id: second.id }] })
  expect(await list('limit=1&offset=1')).toMatchObject({ total: 2, withdrawals: [{ id: first.id }] })
})
