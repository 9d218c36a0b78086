import { expect, test } from 'vitest'
import { isRejectedByUser, WalletError } from './wallet-error.ts'

test('a refusal is found however deep it is wrapped', () => {
  const refusal = { code: 4001, message: 'User rejected the request.' }
  expect(isRejectedByUser(refusal)).toBe(true)
  expect(isRejectedByUser(new Error('outer', { cause: new Error('inner', { cause: refusal }) }))).toBe(true)
})

test('other failures are failures', () => {
  expect(isRejectedByUser(new WalletError('OTHER_CHAIN', 'Wrong network.'))).toBe(false)
  expect(isRejectedByUser({ code: -32603 })).toBe(false)
  expect(isRejectedByUser(undefined)).toBe(false)
})

test('a circle of causes ends', () => {
  const error = new Error('round')
  error.cause = error
  expect(isRejectedByUser(error)).toBe(false)
})
