import { expect, test } from 'vitest'
import { isStepDone, nextSetupStep } from './setup-steps.ts'

const newcomer = { kycStatus: 'PENDING', kycFeePaid: false } as const

test('a newcomer verifies, pays and creates, in this order', () => {
  expect(nextSetupStep(newcomer, 0)).toBe('verify')
  expect(nextSetupStep({ ...newcomer, kycStatus: 'IN_REVIEW' }, 0)).toBe('verify')
  expect(nextSetupStep({ ...newcomer, kycStatus: 'VERIFIED' }, 0)).toBe('fee')
  expect(nextSetupStep({ kycStatus: 'VERIFIED', kycFeePaid: true }, 0)).toBe('agent')
  expect(nextSetupStep({ kycStatus: 'VERIFIED', kycFeePaid: true }, 1)).toBeUndefined()
})

test('a step that was done early counts', () => {
  expect(isStepDone('fee', { kycStatus: 'REJECTED', kycFeePaid: true }, 0)).toBe(true)
  expect(nextSetupStep({ kycStatus: 'REJECTED', kycFeePaid: true }, 2)).toBe('verify')
})
