import { priceForQuota } from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import type { SpendPermission } from '../../ports/chain/port.ts'
import { timeOf } from './pulls/schedule.ts'
import {
  checkAligned,
  checkFields,
  checkPrice,
  failureOf,
  firstPeriodOf,
  isSameAddress,
  termsOf,
  upgradeCharge,
  usedBefore,
} from './rules.ts'

const DAY = 24 * 3600
const nowSeconds = 1_800_000_000
const now = timeOf(nowSeconds)
const spender = `0x${'ab'.repeat(20)}`
const token = `0x${'cd'.repeat(20)}`
const permission = {
  spender,
  token,
  start: nowSeconds,
  period: 30 * DAY,
  end: nowSeconds + 60 * DAY,
} as SpendPermission
const invalid = (path: string, message: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', details: { issues: [{ path, message }] } })

describe('terms', () => {
  test('of a plan with one price have no quota', () => {
    expect(termsOf({ plan: 'API_ACCESS', agentQuota: 5 })).toEqual({
      plan: 'API_ACCESS',
      agentQuota: null,
      priceMicro: 25_000_000n,
    })
  })

  test('of AGENT_QUOTA follow the quota, which is required', () => {
    expect(termsOf({ plan: 'AGENT_QUOTA', agentQuota: 11 })).toEqual({
      plan: 'AGENT_QUOTA',
      agentQuota: 11,
      priceMicro: 10_850_000n,
    })
    expect(() => termsOf({ plan: 'AGENT_QUOTA' })).toThrow(
      invalid('/agentQuota', 'is required for AGENT_QUOTA'),
    )
  })

  test('the allowance is the price, neither more nor less', () => {
    const terms = termsOf({ plan: 'AGENT_QUOTA', agentQuota: 1 })
    expect(() => checkPrice(terms, 1_000_000n)).not.toThrow()
    for (const given of [999_999n, 1_000_001n])
      expect(() => checkPrice(terms, given)).toThrow(
        expect.objectContaining({
          code: 'PRICE_MISMATCH',
          details: { expected: '1000000', given: given.toString() },
        }),
      )
  })
})

describe('the fields of a permission', () => {
  const check = (given: Partial<SpendPermission>) =>
    checkFields({ ...permission, ...given }, { now, spender, token })

  test.each([
    [{}],
    [{ spender: spender.toUpperCase() as SpendPermission['spender'] }],
    [{ start: nowSeconds + 31 * DAY, end: nowSeconds + 61 * DAY }],
    [{ period: DAY, end: nowSeconds + DAY }],
    [{ period: 31 * DAY }],
  ])('that fit: %o', (given) => {
    expect(() => check(given)).not.toThrow()
  })

  test.each([
    [{ spender: token }, '/permission/spender', `must be ${spender}, the service’s own`],
    [{ token: spender }, '/permission/token', `must be ${token}, the USDC contract`],
    [{ end: nowSeconds }, '/permission/end', 'must lie in the future'],
    [{ start: nowSeconds + 31 * DAY + 1 }, '/permission/start', 'must be at most 31 days ahead'],
    [{ period: DAY - 1 }, '/permission/period', 'must be 1 to 31 days, in seconds'],
    [{ period: 31 * DAY + 1 }, '/permission/period', 'must be 1 to 31 days, in seconds'],
    [{ end: nowSeconds + 30 * DAY - 1 }, '/permission/end', 'must leave room for the whole first period'],
  ] as [Partial<SpendPermission>, string, string][])('that do not: %o', (given, path, message) => {
    expect(() => check(given)).toThrow(invalid(path, message))
  })

  test('the first period is the one that runs, or the first to come', () => {
    const begun = { ...permission, start: nowSeconds - 31 * DAY }
    expect(firstPeriodOf(begun, now)).toEqual({ start: nowSeconds - DAY, end: nowSeconds + 29 * DAY })
    const ahead = { ...permission, start: nowSeconds + DAY }
    expect(firstPeriodOf(ahead, now)).toEqual({ start: nowSeconds + DAY, end: nowSeconds + 31 * DAY })
  })
})

describe('an upgrade', () => {
  const end = nowSeconds + 15 * DAY
  const current = {
    status: 'ACTIVE',
    agentQuota: 10,
    priceMicro: priceForQuota(10),
    currentPeriodEnd: timeOf(end),
  }
  const upgrade = (given: Partial<typeof current> | { currentPeriodEnd: null }, agentQuota = 30) =>
    upgradeCharge({ ...current, ...given }, termsOf({ plan: 'AGENT_QUOTA', agentQuota }), {
      periodSeconds: 30 * DAY,
      now,
    })

  test('costs the difference for the rest of the period', () => {
    expect(upgrade({})).toEqual({ amountMicro: 8_500_000n, period: { start: end - 30 * DAY, end } })
  })

  test('needs a paid period with ten minutes left', () => {
    expect(upgrade({ currentPeriodEnd: timeOf(nowSeconds + 600) }).amountMicro).toBeGreaterThan(0n)
    const refusal = (status: string) =>
      expect.objectContaining({
        code: 'INVALID_STATE',
        message: 'An upgrade needs a paid period with at least ten minutes left.',
        details: { status, allowed: ['ACTIVE'] },
      })
    expect(() => upgrade({ currentPeriodEnd: timeOf(nowSeconds + 599) })).toThrow(refusal('ACTIVE'))
    expect(() => upgrade({ currentPeriodEnd: null })).toThrow(refusal('ACTIVE'))
    expect(() => upgrade({ status: 'PAST_DUE' })).toThrow(refusal('PAST_DUE'))
  })

  test('only goes up', () => {
    const refusal = (quota: number) =>
      invalid('/agentQuota', `must be higher than ${quota}: there is no downgrade`)
    expect(() => upgrade({}, 10)).toThrow(refusal(10))
    expect(() => upgrade({}, 9)).toThrow(refusal(10))
    expect(upgrade({}, 11).amountMicro).toBe(425_000n)
    const flat = { ...current, agentQuota: null }
    expect(() =>
      upgradeCharge(flat, termsOf({ plan: 'AGENT_QUOTA', agentQuota: 30 }), { periodSeconds: DAY, now }),
    ).toThrow(refusal(0))
    expect(() =>
      upgradeCharge(current, termsOf({ plan: 'ENTERPRISE' }), { periodSeconds: DAY, now }),
    ).toThrow(refusal(10))
  })

  test('stands on the periods that run', () => {
    const period = { start: 100, end: 100 + DAY }
    const aligned = { ...permission, start: 100, period: DAY }
    expect(() => checkAligned(aligned, period)).not.toThrow()
    expect(() => checkAligned({ ...aligned, start: 101 }, period)).toThrow(
      invalid('/permission/start', 'must be 100, the start of the running period'),
    )
    expect(() => checkAligned({ ...aligned, period: DAY + 1 }, period)).toThrow(
      invalid('/permission/period', `must be ${DAY}, as before`),
    )
  })
})

test('a permission is used once', () => {
  expect(usedBefore()).toMatchObject({
    details: {
      issues: [{ path: '/permission', message: 'was used before: sign a new one with another salt' }],
    },
  })
})

test.each([
  ['UnauthorizedSpendPermission', 'revoked'],
  ['AfterSpendPermissionEnd', 'expired'],
  ['ERC20: transfer amount exceeds balance', 'unpaid'],
])('%s means %s', (reason, failure) => {
  expect(failureOf(reason)).toBe(failure)
})

test('addresses are the same by their bytes', () => {
  expect([isSameAddress('0xAb', '0xaB'), isSameAddress('0xab', '0xac')]).toEqual([true, false])
})
