import type { AppError } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { checkRulable } from './rules.ts'

test.each([
  ['UNDER_REVIEW', 'SUBMITTED', 'The dispute has not reached the chain yet.'],
  ['DISPUTED', 'SUBMITTED', 'The dispute has not reached the chain yet.'],
  ['IN_PROGRESS', 'FUNDED', 'The dispute has not reached the chain yet.'],
  ['COMPLETED', 'SETTLED', 'The dispute is closed.'],
  ['CANCELLED', 'EXPIRED', 'The dispute is closed.'],
] as const)('a job that is %s and %s on chain: %s', (status, escrowState, message) => {
  try {
    checkRulable({ status, escrowState })
    expect.unreachable()
  } catch (error) {
    const { message: said, details } = error as AppError<'INVALID_STATE'>
    expect(said).toBe(message)
    expect(details?.allowed).not.toContain(details?.status)
  }
})

test('a dispute that stands on chain can be ruled on', () => {
  expect(() => checkRulable({ status: 'DISPUTED', escrowState: 'DISPUTED' })).not.toThrow()
})
