import { expect, test } from 'vitest'
import { MAX_AMOUNT_MICRO } from './money.ts'
import { paymentMethods, paymentWayOf, railFor, railOf, rails } from './rails.ts'

test('the limits of the rails leave no price out and overlap nowhere', () => {
  const sorted = [...rails].sort((one, other) => (one.fromMicro < other.fromMicro ? -1 : 1))
  expect(sorted[0]?.fromMicro).toBe(1n)
  expect(sorted.at(-1)?.belowMicro).toBeNull()
  for (const [place, { belowMicro }] of sorted.slice(0, -1).entries())
    expect(belowMicro).toBe(sorted[place + 1]?.fromMicro)
})

test('a price is routed to the rail whose limits hold it', () => {
  for (const price of [1n, 99_999_999n, 100_000_000n, MAX_AMOUNT_MICRO]) {
    const { fromMicro, belowMicro } = railFor(price)
    expect(price >= fromMicro && (belowMicro === null || price < belowMicro)).toBe(true)
  }
})

test('what a rail says of itself follows its numbers', () => {
  expect(railOf('X402')).toEqual({
    method: 'X402',
    name: 'x402',
    feeBps: 0n,
    fromMicro: 1n,
    belowMicro: 100_000_000n,
    holdsMoney: false,
    title: 'Paid directly by x402',
    summary: 'Below 100 USDC: paid straight to the agent, at once, no fee',
  })
  expect(railOf('ESCROW')).toEqual({
    method: 'ESCROW',
    name: 'Escrow',
    feeBps: 200n,
    fromMicro: 100_000_000n,
    belowMicro: null,
    holdsMoney: true,
    title: 'Held in escrow',
    summary: 'From 100 USDC on: held by a contract until you approve, 2% fee',
  })
})

test('the direct rail comes first', () => {
  expect(rails.map(({ method }) => method)).toEqual(['X402', 'ESCROW'])
  expect(paymentMethods.map(paymentWayOf)).toEqual(['x402', 'escrow'])
})

test.each([
  [1n, undefined, 'X402'],
  [99_999_999n, undefined, 'X402'],
  [99_999_999n, {}, 'X402'],
  [99_999_999n, { buyerProtection: false }, 'X402'],
  [99_999_999n, { buyerProtection: true }, 'ESCROW'],
  [1n, { buyerProtection: true }, 'ESCROW'],
  [100_000_000n, undefined, 'ESCROW'],
  [100_000_000n, { buyerProtection: false }, 'ESCROW'],
  [100_000_000n, { buyerProtection: true }, 'ESCROW'],
] as const)('%s with the wish %o goes by %s', (price, wish, method) => {
  expect(railFor(price, wish).method).toBe(method)
})
