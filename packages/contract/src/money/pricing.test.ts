import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AML_FLAG_MICRO,
  DEADLINE_GRACE_SECONDS,
  DISPUTE_PERIOD_SECONDS,
  FUNDING_PERIOD_SECONDS,
  flatPlanPricesMicro,
  isAmlFlagged,
  KYC_FEE_MICRO,
  paymentMethodFor,
  priceForQuota,
  proratedUpgradeMicro,
  QUOTE_LIFETIME_SECONDS,
  quotaTiers,
  REVIEW_PERIOD_SECONDS,
  splitPrice,
  subscriptionPlans,
} from './pricing.ts'

/** What one agent costs, as the spec's table writes it, in cents. */
function centsOfAgent(agent: number): number {
  if (agent <= 10) return 100
  if (agent <= 30) return 85
  if (agent <= 50) return 70
  if (agent <= 100) return 55
  return 40
}

const priceMicro = fc.bigInt({ min: 1n, max: 10n ** 15n })

describe('priceForQuota', () => {
  test.each([
    [1, 1_000_000n],
    [10, 10_000_000n],
    [11, 10_850_000n],
    [30, 27_000_000n],
    [31, 27_700_000n],
    [50, 41_000_000n],
    [51, 41_550_000n],
    [100, 68_500_000n],
    [101, 68_900_000n],
    [10_000, 4_028_500_000n],
  ])('%i agents cost %s micro-USDC', (agents, price) => {
    expect(priceForQuota(agents)).toBe(price)
  })

  test('every quota costs the sum over its agents', () => {
    let cents = 0
    for (let agents = 1; agents <= 10_000; agents += 1) {
      cents += centsOfAgent(agents)
      expect(priceForQuota(agents)).toBe(BigInt(cents) * 10_000n)
    }
  })

  test.each([0, -1, 1.5, 10_001, Number.NaN, Number.POSITIVE_INFINITY])('%s agents are refused', (agents) => {
    expect(() => priceForQuota(agents)).toThrow(
      new RangeError('agentQuota must be a whole number from 1 to 10000'),
    )
  })

  test('the tiers are published as they are', () => {
    expect(quotaTiers).toEqual([
      { upToAgents: 10, pricePerAgentMicro: 1_000_000n },
      { upToAgents: 30, pricePerAgentMicro: 850_000n },
      { upToAgents: 50, pricePerAgentMicro: 700_000n },
      { upToAgents: 100, pricePerAgentMicro: 550_000n },
      { upToAgents: 10_000, pricePerAgentMicro: 400_000n },
    ])
  })
})

describe('payment method and fee', () => {
  test('99.999999 USDC is X402, 100.000000 USDC is ESCROW', () => {
    expect(paymentMethodFor(99_999_999n)).toBe('X402')
    expect(paymentMethodFor(100_000_000n)).toBe('ESCROW')
    expect(paymentMethodFor(99_999_999n, { buyerProtection: true })).toBe('ESCROW')
  })

  test.each([
    [100_000_000n, 2_000_000n],
    [100_000_049n, 2_000_000n],
    [100_000_050n, 2_000_001n],
    [150_000_000n, 3_000_000n],
    [10n ** 15n, 20_000_000_000_000n],
  ])('the fee of %s is %s, rounded down', (price, fee) => {
    expect(splitPrice(price, 'ESCROW')).toEqual({ feeMicro: fee, netMicro: price - fee })
  })

  test('fee and net always make up the price, and x402 carries no fee', () => {
    fc.assert(
      fc.property(priceMicro, (price) => {
        const escrow = splitPrice(price, 'ESCROW')
        expect(escrow.feeMicro + escrow.netMicro).toBe(price)
        expect(escrow.feeMicro * 50n <= price && price < (escrow.feeMicro + 1n) * 50n).toBe(true)
        expect(splitPrice(price, 'X402')).toEqual({ feeMicro: 0n, netMicro: price })
      }),
      { seed: 4000 },
    )
  })
})

test('jobs from 5,000 USDC on are flagged for buyers without verification', () => {
  expect(AML_FLAG_MICRO).toBe(5_000_000_000n)
  expect(isAmlFlagged(4_999_999_999n, false)).toBe(false)
  expect(isAmlFlagged(5_000_000_000n, false)).toBe(true)
  expect(isAmlFlagged(5_000_000_000n, true)).toBe(false)
})

test('verification costs 5 USDC', () => {
  expect(KYC_FEE_MICRO).toBe(5_000_000n)
})

test('a quote lives an hour; funding and grace take a day, review 7 and disputes 30', () => {
  expect(QUOTE_LIFETIME_SECONDS).toBe(3_600)
  expect([FUNDING_PERIOD_SECONDS, DEADLINE_GRACE_SECONDS]).toEqual([86_400, 86_400])
  expect([REVIEW_PERIOD_SECONDS, DISPUTE_PERIOD_SECONDS]).toEqual([604_800, 2_592_000])
})

test('there are four plans', () => {
  expect(subscriptionPlans).toEqual(['AGENT_QUOTA', 'PREMIUM_LISTING', 'API_ACCESS', 'ENTERPRISE'])
})

test('the flat plans cost 10, 25 and 500 USDC', () => {
  expect(flatPlanPricesMicro).toEqual({
    PREMIUM_LISTING: 10_000_000n,
    API_ACCESS: 25_000_000n,
    ENTERPRISE: 500_000_000n,
  })
})

describe('proratedUpgradeMicro', () => {
  const prices = { oldPriceMicro: 10_000_000n, newPriceMicro: 27_000_000n, periodSeconds: 2_592_000n }

  test('charges the whole difference at the start, half of it in the middle and nothing at the end', () => {
    expect(proratedUpgradeMicro({ ...prices, remainingSeconds: 2_592_000n })).toBe(17_000_000n)
    expect(proratedUpgradeMicro({ ...prices, remainingSeconds: 1_296_000n })).toBe(8_500_000n)
    expect(proratedUpgradeMicro({ ...prices, remainingSeconds: 0n })).toBe(0n)
  })

  test('never exceeds the difference', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2_592_000n }), (remainingSeconds) => {
        const charge = proratedUpgradeMicro({ ...prices, remainingSeconds })
        expect(charge >= 0n && charge <= 17_000_000n).toBe(true)
      }),
      { seed: 4000 },
    )
  })
})
