import { expect, test } from 'vitest'
import { usdc } from './amounts.ts'

test.each([
  ['12.50', '12500000'],
  ['100', '100000000'],
  ['0.000001', '1'],
  ['99.999999', '99999999'],
  ['1000000000', '1000000000000000'],
])('%s USDC are %s micro-units', (amount, micro) => {
  expect(usdc(amount)).toBe(micro)
})

test.each(['', '0', '0.0', '-1', '1,5', '1e3', '.5', '5.', '0.0000001', '1000000000.000001', ' 1', 'NaN'])(
  '%j is refused',
  (amount) => {
    expect(() => usdc(amount)).toThrow(RangeError)
  },
)
