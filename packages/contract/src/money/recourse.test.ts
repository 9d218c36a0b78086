import { describe, expect, test } from 'vitest'
import { railPromises } from './rail-words.ts'
import { isWithheld, paymentChoicesFor } from './recourse.ts'

const day = (count: number) => new Date(Date.UTC(2026, 0, 1 + count))

describe('an agent is withheld', () => {
  test.each([
    ['without undelivered jobs', [], false],
    ['two at once', [day(0), day(0)], false],
    ['three within 30 days', [day(0), day(12), day(30)], true],
    ['three on 31 days', [day(0), day(12), day(31)], false],
    ['in whatever order', [day(31), day(90), day(12), day(40)], true],
    ['one a month for a year', Array.from({ length: 12 }, (_, month) => day(month * 31)), false],
  ] as const)('%s: %s', (_name, dueTimes, expected) => {
    expect(isWithheld(dueTimes)).toBe(expected)
  })
})

describe('the ways to pay', () => {
  test('below 100 USDC there are two, at the same price to the client', () => {
    const [direct, protectedChoice, ...others] = paymentChoicesFor(99_999_999n)
    expect(others).toEqual([])
    expect(direct).toMatchObject({
      paymentMethod: 'X402',
      buyerProtection: false,
      agreedPrice: '99999999',
      platformFee: '0',
      netAmount: '99999999',
    })
    expect(protectedChoice).toMatchObject({
      paymentMethod: 'ESCROW',
      buyerProtection: true,
      agreedPrice: '99999999',
      platformFee: '1999999',
      netAmount: '98000000',
    })
  })

  test('each says what it promises', () => {
    expect(paymentChoicesFor(1n).map(({ promises }) => promises)).toEqual([
      [...railPromises.X402],
      [...railPromises.ESCROW],
    ])
  })

  test('from 100 USDC on there is one', () => {
    expect(paymentChoicesFor(100_000_000n).map(({ paymentMethod }) => paymentMethod)).toEqual(['ESCROW'])
  })
})
