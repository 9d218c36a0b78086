import {
  accountStatuses,
  approvalStatuses,
  escrowStates,
  hiddenReasons,
  jobStatuses,
  kycStatuses,
  subscriptionStatuses,
  withdrawalStatuses,
  x402Verifications,
} from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { statusWords } from './status-words.ts'

test.each([
  ['job', jobStatuses],
  ['escrow', escrowStates],
  ['kyc', kycStatuses],
  ['account', accountStatuses],
  ['approval', approvalStatuses],
  ['listing', ['VISIBLE', ...hiddenReasons]],
  ['subscription', subscriptionStatuses],
  ['withdrawal', withdrawalStatuses],
  ['verification', x402Verifications],
] as const)('every %s status of the contract has a word of its own', (kind, statuses) => {
  const words = Object.values(statusWords[kind]).map(([, word]) => word)
  expect(Object.keys(statusWords[kind]).sort()).toEqual([...statuses].sort())
  expect(new Set(words).size).toBe(words.length)
})
