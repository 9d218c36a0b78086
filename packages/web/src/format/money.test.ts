import { splitPrice } from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import { exactUsdc, inputUsdc, parseUsdc, upToCent, usdcText } from './money.ts'

describe('showing', () => {
  test('two decimals with thousands apart, and more only where the amount has them', () => {
    expect(usdcText(1_234_567_899_999n)).toBe('1,234,567.899999')
    expect(usdcText(0n)).toBe('0.00')
    expect(usdcText(-150_000_000n)).toBe('−150.00')
    expect(usdcText(186_984_000n)).toBe('186.984')
    expect(usdcText(1_000_000_000n)).toBe('1,000.00')
    expect(usdcText(1n)).toBe('0.000001')
  })

  test('the parts of a price add up as they are shown', () => {
    const shown = (micro: bigint) => parseUsdc(usdcText(micro)) ?? 0n
    for (const priceMicro of [190_800_000n, 123_456_789n, 100_000_001n, 999_999_999n]) {
      const { feeMicro, netMicro } = splitPrice(priceMicro, 'ESCROW')
      expect(shown(netMicro) + shown(feeMicro)).toBe(shown(priceMicro))
    }
  })

  test('six decimals', () => {
    expect(exactUsdc(1_234_567_890_001n)).toBe('1,234,567.890001')
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
