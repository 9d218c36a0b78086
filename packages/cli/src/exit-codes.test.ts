import { MarketplaceError, type MarketplaceErrorCode } from '@agent-marketplace/sdk'
import { expect, test } from 'vitest'
import { CommandError, exitCodes, outcomeOf } from './exit-codes.ts'

const coded = (code: MarketplaceErrorCode, status?: number) =>
  new MarketplaceError(code, { message: 'x', ...(status !== undefined && { status }) })

test.each([
  [new CommandError('usage', 'x'), 2],
  [coded('VALIDATION_ERROR'), 2],
  [coded('UNAUTHORIZED'), 3],
  [coded('PAYMENT_REQUIRED'), 4],
  [coded('INSUFFICIENT_BALANCE'), 4],
  [coded('UNEXPECTED_PAYMENT'), 4],
  // A budget is reported with 402, whatever its code.
  [coded('CONFLICT', 402), 4],
  [coded('NETWORK_ERROR'), 5],
  [coded('UNAVAILABLE'), 5],
  [coded('RATE_LIMIT_EXCEEDED'), 5],
  [coded('INVALID_STATE'), 1],
  [new Error('x'), 1],
])('%s ends with its own exit code', (error, code) => {
  expect(exitCodes[outcomeOf(error)]).toBe(code)
})
