import { expect, test } from 'vitest'
import { nextTierWords, quotaOf, runningCount } from './quota.ts'

test('without a subscription one agent may run', () => {
  expect(quotaOf(null)).toBe(1)
  expect(quotaOf({ effectiveQuota: 25 })).toBe(25)
  expect(quotaOf({ effectiveQuota: null })).toBe(1)
})

test('paused agents need no room', () => {
  expect(runningCount([{ paused: false }, { paused: true }])).toBe(1)
})

test.each([
  [1, true, 'A bought quota costs 1.00 USDC a month for each agent; from the 11th on, 0.85.'],
  [10, false, 'The next agent costs 0.85 USDC a month; from the 31st on, 0.70.'],
  [99, false, 'The next agent costs 0.55 USDC a month; from the 101st on, 0.40.'],
  [100, false, 'The next agent costs 0.40 USDC a month.'],
  [10_000, false, 'You have the largest quota there is.'],
])('a quota of %i names its next tier', (quota, isFreeTier, words) => {
  expect(nextTierWords(quota, isFreeTier)).toBe(words)
})
