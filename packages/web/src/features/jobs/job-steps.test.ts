import { expect, test } from 'vitest'
import { stepsOf } from './job-steps.ts'
import { dispute, event, jobOf } from './testing/job.ts'

const shape = (job: Parameters<typeof stepsOf>[0]) => stepsOf(job).map(({ key, state }) => `${key} ${state}`)
const paid = [event('JOB_CREATED', 5), event('JOB_FUNDED', 4)]
const delivered = [...paid, event('JOB_DELIVERED', 3)]

test.each([
  ['unpaid', jobOf(), ['PENDING current', 'IN_PROGRESS ahead', 'UNDER_REVIEW ahead', 'COMPLETED ahead']],
  [
    'x402 has no review',
    jobOf({ paymentMethod: 'X402', status: 'IN_PROGRESS', timeline: paid }),
    ['PENDING done', 'IN_PROGRESS current', 'COMPLETED ahead'],
  ],
  [
    'under review',
    jobOf({ status: 'UNDER_REVIEW', timeline: delivered }),
    ['PENDING done', 'IN_PROGRESS done', 'UNDER_REVIEW current', 'COMPLETED ahead'],
  ],
  [
    'sent back for changes',
    jobOf({ status: 'IN_PROGRESS', timeline: [...delivered, event('CHANGES_REQUESTED', 2)] }),
    ['PENDING done', 'IN_PROGRESS current', 'UNDER_REVIEW ahead', 'COMPLETED ahead'],
  ],
  [
    'approved',
    jobOf({ status: 'COMPLETED', timeline: [...delivered, event('JOB_APPROVED')] }),
    ['PENDING done', 'IN_PROGRESS done', 'UNDER_REVIEW done', 'COMPLETED done'],
  ],
  [
    'disputed before any delivery',
    jobOf({ status: 'DISPUTED', timeline: paid, dispute: dispute() }),
    ['PENDING done', 'DISPUTED current', 'COMPLETED ahead'],
  ],
  [
    'settled',
    jobOf({
      status: 'COMPLETED',
      timeline: [...delivered, event('SETTLEMENT_ACCEPTED')],
      dispute: dispute({ sellerBps: 6000 }),
    }),
    ['PENDING done', 'IN_PROGRESS done', 'DISPUTED done', 'COMPLETED done'],
  ],
  [
    'cancelled unpaid',
    jobOf({ status: 'CANCELLED', timeline: [event('JOB_CREATED', 5), event('JOB_DECLINED')] }),
    ['CANCELLED failed'],
  ],
  [
    'refunded',
    jobOf({ status: 'CANCELLED', timeline: [...paid, event('JOB_REFUNDED')] }),
    ['PENDING done', 'CANCELLED failed'],
  ],
])('%s', (_, job, steps) => {
  expect(shape(job)).toEqual(steps)
})

test('a step that is under way has no time yet', () => {
  expect(stepsOf(jobOf({ status: 'IN_PROGRESS', timeline: delivered }))[1]?.at).toBeUndefined()
})
