import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatMicro,
  formatUsdc,
  formatUsdcExact,
  formatUsdcReadable,
  isAmount,
  parseMicro,
} from './money.ts'

const refused = [
  '',
  ' ',
  '-1',
  '+1',
  '01',
  '1.0',
  '1e6',
  '0x10',
  '１',
  '1 ',
  ' 1',
  '1\n',
  'NaN',
  '1000000000000001',
  '9'.repeat(30),
]

describe('amounts that callers send', () => {
  test.each(['1', '25000000', '999999999999999', '1000000000000000'])('%s is an amount', (text) => {
    expect(isAmount(text)).toBe(true)
    expect(formatMicro(parseMicro(text))).toBe(text)
  })

  test.each(refused)('%j is refused', (text) => {
    expect(isAmount(text)).toBe(false)
    expect(() => parseMicro(text)).toThrow(RangeError)
  })

  test('zero is no amount to pay, but can be read', () => {
    expect(isAmount('0')).toBe(false)
    expect(parseMicro('0')).toBe(0n)
  })

  test('every amount survives the round trip', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (amountMicro) => {
        expect(parseMicro(formatMicro(amountMicro))).toBe(amountMicro)
      }),
      { seed: 4000 },
    )
  })
})

describe('amounts in USDC', () => {
  test.each([
    [0n, '0.00', '0.000000'],
    [1n, '0.00', '0.000001'],
    [9_999n, '0.00', '0.009999'],
    [10_000n, '0.01', '0.010000'],
    [99_999_999n, '99.99', '99.999999'],
    [150_000_000n, '150.00', '150.000000'],
    [-1_500_000n, '-1.50', '-1.500000'],
  ])('%s is %s, exactly %s', (amountMicro, short, exact) => {
    expect(formatUsdc(amountMicro)).toBe(short)
    expect(formatUsdcExact(amountMicro)).toBe(exact)
  })

  test('two decimals never show more than there is, and hide less than a cent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (amountMicro) => {
        const shownMicro = BigInt(formatUsdc(amountMicro).replace('.', '')) * 10_000n
        expect(shownMicro <= amountMicro && amountMicro - shownMicro < 10_000n).toBe(true)
        expect(BigInt(formatUsdcExact(amountMicro).replace('.', ''))).toBe(amountMicro)
      }),
      { seed: 4000 },
    )
  })
})

test('an amount is read with two decimals, and with more where it has them', () => {
  expect([0n, 1n, 190_800_000n, 186_984_000n, -5_500_000n].map(formatUsdcReadable)).toEqual([
    '0.00',
    '0.000001',
    '190.80',
    '186.984',
    '-5.50',
  ])
})
