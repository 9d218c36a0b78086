import { describe, expect, test } from 'vitest'
import { exactUsdc, inputUsdc, parseUsdc, readableUsdc, shortUsdc, upToCent } from './money.ts'

describe('showing', () => {
  test('two decimals, cut, with thousands apart', () => {
    expect(shortUsdc(1_234_567_899_999n)).toBe('1,234,567.89')
    expect(shortUsdc(0n)).toBe('0.00')
    expect(shortUsdc(-150_000_000n)).toBe('−150.00')
    expect(shortUsdc(999_999_999n)).toBe('999.99')
    expect(shortUsdc(1_000_000_000n)).toBe('1,000.00')
  })

  test('six decimals', () => {
    expect(exactUsdc(1_234_567_890_001n)).toBe('1,234,567.890001')
  })

  test('what two decimals would hide is shown in full', () => {
    expect(readableUsdc(1n)).toBe('0.000001')
    expect(readableUsdc(10_000n)).toBe('0.01')
    expect(readableUsdc(0n)).toBe('0.00')
  })
})

describe('typing', () => {
  test.each([
    ['12.5', 12_500_000n],
    ['12,5', 12_500_000n],
    ['1,234.56', 1_234_560_000n],
    ['1 234', 1_234_000_000n],
    ['.5', 500_000n],
    ['7.', 7_000_000n],
    ['0.000001', 1n],
    [' 100 ', 100_000_000n],
  ])('%s', (text, micro) => {
    expect(parseUsdc(text)).toBe(micro)
  })

  test.each(['', '.', 'abc', '-1', '1e3', '1.2345678', '1.2.3', '12345678901'])('%s is no amount', (text) => {
    expect(parseUsdc(text)).toBeUndefined()
  })

  test('an amount in an input is read back as itself', () => {
    for (const micro of [0n, 1n, 10_000n, 12_500_000n, 1_234_560_000n, 999_999_999_999n]) {
      expect(parseUsdc(inputUsdc(micro))).toBe(micro)
    }
    expect(inputUsdc(12_500_000n)).toBe('12.50')
    expect(inputUsdc(1n)).toBe('0.000001')
  })
})

test('a price in cents is never less than what is charged', () => {
  expect([0n, 1n, 10_000n, 6_799_997n, 6_800_001n].map(upToCent)).toEqual([
    0n,
    10_000n,
    10_000n,
    6_800_000n,
    6_810_000n,
  ])
})
