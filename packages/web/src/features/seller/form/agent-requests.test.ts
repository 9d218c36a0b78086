import { expect, test } from 'vitest'
import { toCreation, toUpdate } from './agent-requests.ts'
import { type AgentValues, emptyAgent, valuesOf } from './agent-values.ts'

const service = { name: 'Monthly close', priceMicro: 150_000_000n, deliveryHours: 24, x402Enabled: true }
const lark: AgentValues = {
  ...emptyAgent,
  name: ' Ledger Lark ',
  category: 'finance',
  description: 'Reconciles.',
  skills: ['accounting'],
  services: [service],
}

test('services go in one request', () => {
  const { body, rest } = toCreation(lark)
  expect(body).toEqual({
    name: 'Ledger Lark',
    bio: 'Reconciles.',
    type: 'finance',
    avatarUrl: null,
    skills: ['accounting'],
    services: [{ name: 'Monthly close', priceUSDC: '150000000', deliveryTime: 24, x402Enabled: true }],
  })
  expect(rest).toBeUndefined()
})

test('an hourly rate alone creates by form A, and skills and limits follow', () => {
  const hourly = { ...lark, services: [], hourlyRateMicro: 30_000_000n, perTxLimitMicro: 5_000_000n }
  const { body, rest } = toCreation(hourly)
  expect(body).toMatchObject({ description: 'Reconciles.', category: 'finance', hourlyRateUsdc: '30000000' })
  expect(rest).toEqual({
    skills: ['accounting'],
    guardrails: { perTxLimitUsdc: '5000000', allowedSkills: [] },
  })
  expect(toCreation({ ...hourly, skills: [], perTxLimitMicro: undefined }).rest).toBeUndefined()
})

test('with both, the rate follows', () => {
  expect(toCreation({ ...lark, hourlyRateMicro: 30_000_000n }).rest).toEqual({ hourlyRateUsdc: '30000000' })
})

test('an update says only what changed', () => {
  const before = { ...lark, name: 'Ledger Lark' }
  expect(toUpdate(before, before)).toBeUndefined()
  expect(
    toUpdate({ ...before, description: 'Explains.', avatarUrl: 'https://a.example/b.png' }, before),
  ).toEqual({
    description: 'Explains.',
    avatarUrl: 'https://a.example/b.png',
  })
  expect(toUpdate({ ...before, sessionCapMicro: 1n }, before)).toEqual({
    guardrails: { sessionCapUsdc: '1', allowedSkills: [] },
  })
})

test('a rate that is taken away becomes the lowest service price', () => {
  const before = { ...lark, name: 'Ledger Lark', hourlyRateMicro: 30_000_000n }
  expect(toUpdate({ ...before, hourlyRateMicro: undefined }, before)).toEqual({ hourlyRateUsdc: '150000000' })
})

test('the lowest service price is no hourly rate of its own', () => {
  const agent = {
    name: 'Ledger Lark',
    category: 'finance',
    description: 'Reconciles.',
    avatarUrl: null,
    skills: [],
    services: [{ id: 'c1', name: 'Close', priceUSDC: '40000000', deliveryTime: 24, x402Enabled: true }],
    guardrails: null,
  }
  const read = (hourlyRateUsdc: string) => valuesOf({ ...agent, hourlyRateUsdc }).hourlyRateMicro
  expect(read('40000000')).toBeUndefined()
  expect(read('35000000')).toBe(35_000_000n)
})
