import type { TimelineType } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { lookAtJob, lookAtWithdrawal } from './look.ts'

const txHash = `0x${'ab'.repeat(32)}`
const event = (type: TimelineType, hash: string | null = null, message: string | null = null) => ({
  id: `c${type}`,
  type,
  actor: 'PLATFORM' as const,
  message,
  txHash: hash,
  createdAt: '2026-11-15T09:00:00.000Z',
})
const created = event('JOB_CREATED')

test('the event of its kind names the transaction', () => {
  const job = { status: 'IN_PROGRESS' as const, timeline: [created, event('JOB_FUNDED', txHash)] }
  expect(lookAtJob({ kind: 'payment', seenEvents: 1 }, job)).toEqual({ state: 'sent', txHash })
  expect(lookAtJob({ kind: 'release', seenEvents: 1 }, job)).toEqual({ state: 'sent' })
})

test('an older refusal is not held against a new attempt', () => {
  const refused = event('PAYMENT_REFUSED', null, 'The escrow refused deposit: too late.')
  const job = { status: 'PENDING' as const, timeline: [created, refused] }
  expect(lookAtJob({ kind: 'payment', seenEvents: 2 }, job)).toEqual({ state: 'sent' })
  const failed = { state: 'failed', failure: 'The escrow refused deposit: too late.' }
  expect(lookAtJob({ kind: 'payment', seenEvents: 1 }, job)).toEqual(failed)
})

test('a payment for a cancelled job has failed', () => {
  expect(lookAtJob({ kind: 'payment' }, { status: 'CANCELLED', timeline: [created] }).state).toBe('failed')
})

test('a withdrawal is read from the service until its transaction is known', () => {
  const withdrawal = {
    id: 'c1',
    agentId: 'c2',
    amount: '1',
    to: '0x',
    status: 'REQUESTED' as const,
    txHash: null,
    failureReason: null,
    reservedUntil: null,
    createdAt: '2026-11-15T09:00:00.000Z',
  }
  expect(lookAtWithdrawal(withdrawal)).toEqual({ state: 'signed' })
  expect(lookAtWithdrawal({ ...withdrawal, status: 'SUBMITTED', txHash })).toEqual({ state: 'sent', txHash })
  const failed = {
    ...withdrawal,
    status: 'FAILED' as const,
    failureReason: 'Paused. Nothing has left the wallet.',
  }
  expect(lookAtWithdrawal(failed)).toEqual({ state: 'failed', failure: failed.failureReason })
})
