import { expect, test } from 'vitest'
import { splitShare } from './split-share.ts'

test.each([
  [450_000_000n, 6000, { sellerMicro: 264_600_000n, feeMicro: 5_400_000n, refundMicro: 180_000_000n }],
  [150_000_000n, 0, { sellerMicro: 0n, feeMicro: 0n, refundMicro: 150_000_000n }],
  [150_000_000n, 10_000, { sellerMicro: 147_000_000n, feeMicro: 3_000_000n, refundMicro: 0n }],
  [100_000_001n, 3333, { sellerMicro: 32_663_400n, feeMicro: 666_600n, refundMicro: 66_670_001n }],
])('%s micro-units with %i bps for the seller', (priceMicro, sellerBps, split) => {
  expect(splitShare(priceMicro, sellerBps)).toEqual(split)
})

test('the parts add up to the price, whatever the share', () => {
  const priceMicro = 123_456_789n
  for (let sellerBps = 0; sellerBps <= 10_000; sellerBps += 7) {
    const { sellerMicro, feeMicro, refundMicro } = splitShare(priceMicro, sellerBps)
    expect(sellerMicro + feeMicro + refundMicro).toBe(priceMicro)
  }
})
