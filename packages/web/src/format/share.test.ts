import { expect, test } from 'vitest'
import { percentText } from './share.ts'

test.each([
  [1n, 4n, '25%'],
  [0n, 4n, '0%'],
  [1n, 1000n, '<1%'],
  // Not all of it is not 100%.
  [999n, 1000n, '99%'],
  [3, 3, '100%'],
  [5292n, 6342n, '83%'],
  [1050n, 6342n, '17%'],
  // Each is rounded by itself: halves are rounded up twice.
  [101, 200, '51%'],
  [99, 200, '50%'],
  [4, 3, '133%'],
  [1, 0, undefined],
])('%s of %s is %s', (part, whole, text) => {
  expect(percentText(part, whole)).toBe(text)
})
