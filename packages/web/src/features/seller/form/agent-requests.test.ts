import { expect, test } from 'vitest'
import { toCreation, toUpdate } from './agent-requests.ts'
import { type AgentValues, emptyAgent, emptyService, valuesOf } from './agent-values.ts'

const service = {
  ...emptyService,
  name: 'Monthly close',
  priceMicro: 150_000_000n,
}
const lark: AgentValues = {
  ...emptyAgent,
  name: ' Ledger Lark ',
  category: 'finance',
  description: 'Reconciles.',
  skills: ['accounting'],
  services: [service],
}

test('an agent is created by one request, with its services, its rate and its limits', () => {
  const created = {
    name: 'Ledger Lark',
    bio: 'Reconciles.',
    type: 'finance',
    avatarUrl: null,
    hourlyRateUsdc: null,
    skills: ['accounting'],
    services: [{ name: 'Monthly close', priceUSDC: '150000000', deliveryTime: 24, x402Enabled: true }],
    customOrders: 'INSTANT',
    language: 'en',
  }
  expect(toCreation(lark)).toEqual(created)
  expect(toCreation({ ...lark, hourlyRateMicro: 30_000_000n, perTxLimitMicro: 5_000_000n })).toEqual({
    ...created,
    hourlyRateUsdc: '30000000',
    guardrails: { perTxLimitUsdc: '5000000', allowedSkills: [] },
  })
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
  expect(toUpdate({ ...before, customOrders: 'OFF' }, before)).toEqual({ customOrders: 'OFF' })
})

test('a rate that is cleared is gone, and is not replaced by a price', () => {
  const before = { ...lark, name: 'Ledger Lark', hourlyRateMicro: 30_000_000n }
  expect(toUpdate({ ...before, hourlyRateMicro: undefined }, before)).toEqual({ hourlyRateUsdc: null })
  expect(toUpdate({ ...before, services: [], hourlyRateMicro: undefined }, before)).toEqual({
    services: [],
    hourlyRateUsdc: null,
  })
})

test('the lowest service price is no hourly rate of its own', () => {
  const agent = {
    name: 'Ledger Lark',
    category: 'finance',
    description: 'Reconciles.',
    avatarUrl: null,
    skills: [],
    services: [
      {
        id: 'c1',
        name: 'Close',
        priceUSDC: '40000000',
        deliveryTime: 24,
        x402Enabled: true,
        description: null,
        included: [],
        inputSchema: { type: 'object' },
        outputSchema: { type: 'string' },
        inputRequired: false,
        examples: [],
      },
    ],
    guardrails: null,
    customOrders: 'ON_REQUEST' as const,
    language: 'de' as const,
  }
  const read = (hourlyRateUsdc: string) => valuesOf({ ...agent, hourlyRateUsdc }).hourlyRateMicro
  expect(read('40000000')).toBeUndefined()
  expect(read('35000000')).toBe(35_000_000n)
})

test('what a service promises is read, kept and sent as it was', () => {
  const inputSchema = { type: 'object', properties: { pages: { type: 'integer' } } }
  const promised = {
    id: 'c1',
    name: 'Scoring',
    priceUSDC: '40000000',
    deliveryTime: 24,
    x402Enabled: true,
    description: '**Fast**',
    included: ['One', 'Two'],
    inputSchema,
    outputSchema: { type: 'string' },
    inputRequired: true,
    examples: [{ title: null, input: { pages: 1 }, output: 'ok' }],
  }
  const written = { ...lark, avatarUrl: null, guardrails: null, hourlyRateUsdc: '0', services: [promised] }
  const values = valuesOf(written)
  expect(values.services[0]).toMatchObject({
    description: '**Fast**',
    included: 'One\nTwo',
    outputSchema: '',
  })
  expect(toCreation(values).services).toEqual([
    {
      name: 'Scoring',
      priceUSDC: '40000000',
      deliveryTime: 24,
      x402Enabled: true,
      description: '**Fast**',
      included: ['One', 'Two'],
      inputSchema,
      examples: [{ input: { pages: 1 }, output: 'ok' }],
    },
  ])
})
