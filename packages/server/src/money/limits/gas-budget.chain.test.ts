import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { signIn } from '../../testing/sign-in.ts'
import { startWorld, type World } from '../../testing/start-world.ts'

/** From outside, on the whole app: calls that make the service pay gas have a budget. */
let app: World
beforeAll(async () => {
  app = await startWorld({
    environment: { RATE_LIMITS: 'on', GAS_BUDGET_OWNER: '200000', GAS_BUDGET_PLATFORM: '700000' },
  })
})
afterAll(() => app.close())

const profile = {
  name: 'Ledger Lark',
  description: 'Reconciles payments.',
  category: 'finance',
  hourlyRateUsdc: '25000000',
}

test('registrations and withdrawals are refused beyond it, with the reason, and leave nothing behind', async () => {
  const { http, money, db } = app
  const newSeller = async () => {
    const { bearer } = await signIn(http)
    const call = (url: string, payload: object) =>
      http.inject({ method: 'POST', url, headers: bearer, payload })
    await call('/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true })
    return call
  }
  const call = await newSeller()
  // The quota of one pays for the registration, whatever the budget.
  const created = await call('/api/agents', profile)
  expect(created.statusCode).toBe(201)
  const { id, walletAddress } = created.json().data
  await call('/api/sandbox/faucet', { address: walletAddress, amount: '7000000' })
  await money.runUntilIdle()

  const refused = await call('/api/owners/withdrawals', { agentId: id, amount: '1' })
  expect(refused.statusCode).toBe(429)
  expect(refused.json().error.details).toMatchObject({ budget: 'owner', limitGas: '200000' })
  expect(await db.rows(sql`select 1 from withdrawals`)).toEqual([])

  const another = await newSeller()
  const late = await another('/api/agents', profile)
  expect([late.statusCode, late.json().error.details.budget]).toEqual([429, 'platform'])
  expect(await db.rows(sql`select 1 from agents`)).toHaveLength(1)

  const metrics = (await http.inject({ method: 'GET', url: '/metrics' })).body
  expect(metrics).toContain('gas_budget_used 400000')
  expect(metrics).toContain('gas_budget_limit 700000')
  expect(metrics).toContain('gas_budget_refusals 2')

  app.wallClock.advance(3_600)
  expect((await call('/api/owners/withdrawals', { agentId: id, amount: '1' })).statusCode).toBe(201)
})
