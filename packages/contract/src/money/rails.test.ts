import { expect, test } from 'vitest'
import { MAX_AMOUNT_MICRO } from './money.ts'
import { railFor, railOf, rails } from './rails.ts'

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
  expect(railOf('X402')).toMatchObject({ feeBps: 0n, holdsMoney: false })
  expect(railOf('X402').summary).toBe('Below 100 USDC: paid straight to the agent, at once, no fee')
  expect(railOf('ESCROW')).toMatchObject({ feeBps: 200n, holdsMoney: true })
  expect(railOf('ESCROW').summary).toBe('From 100 USDC on: held by a contract until you approve, 2% fee')
})
