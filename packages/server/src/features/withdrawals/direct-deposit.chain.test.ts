import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '../../money/audit/invariants.ts'
import { signIn } from '../../testing/sign-in.ts'
import { startWorld, type World } from '../../testing/start-world.ts'

/** From outside, on the whole app: money that nobody hired for arrives, is seen, and leaves again. */
let app: World
beforeAll(async () => {
  app = await startWorld()
})
afterAll(() => app.close())

test('what anybody sends to an agent is available and can be withdrawn, and is no earning', async () => {
  const { http, money } = app
  const seller = await signIn(http)
  const call = async (method: 'GET' | 'POST', url: string, payload?: object, status = 200) => {
    const response = await http.inject({ method, url, headers: seller.bearer, ...(payload && { payload }) })
    expect(response.statusCode, `${url}: ${response.body}`).toBe(status)
    return response.json().data
  }
  const profile = async () => {
    const { availableBalance, totalEarned } = await call('GET', '/api/owners/me')
    return { availableBalance, totalEarned }
  }
  await call('POST', '/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true })
  const profileOfAgent = {
    name: 'Ledger Lark',
    description: 'Reconciles payments.',
    category: 'finance',
    hourlyRateUsdc: '25000000',
  }
  const { id, walletAddress } = await call('POST', '/api/agents', profileOfAgent, 201)
  await call('POST', '/api/sandbox/faucet', { address: walletAddress, amount: '7000000' })
  await money.runUntilIdle()
  expect(await profile()).toEqual({ availableBalance: '7000000', totalEarned: '0' })

  const order = { agentId: id, amount: '6000000' }
  const withdrawal = await call('POST', '/api/owners/withdrawals', order, 201)
  expect(await profile()).toEqual({ availableBalance: '1000000', totalEarned: '0' })
  await money.runUntilIdle()
  expect(await call('GET', `/api/owners/withdrawals/${withdrawal.id}`)).toMatchObject({ status: 'CONFIRMED' })
  expect(await profile()).toEqual({ availableBalance: '1000000', totalEarned: '0' })
  expect((await call('GET', '/api/owners/earnings')).earnings).toEqual([])
  expect((await call('GET', `/api/agents/${walletAddress}`)).totalJobs).toBe(0)
  expect(await checkInvariants({ db: app.db, chain: app.chain })).toEqual([])
})
