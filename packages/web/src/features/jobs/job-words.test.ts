import { describe, expect, test } from 'vitest'
import { localTime } from '../../format/time.ts'
import { situationOf, viewerOf } from './job-words.ts'
import { dispute, event, inDays, jobOf, nowMs } from './testing/job.ts'

const until = (days: number) => `until ${localTime(Date.parse(inDays(days)), { hasYear: false })}`

describe('the other party’s view', () => {
  test.each([
    [
      jobOf({ status: 'IN_PROGRESS', deadlineAt: inDays(2) }),
      'CLIENT',
      `Ledger Lark has ${until(2)} to deliver.`,
    ],
    [
      jobOf({ status: 'UNDER_REVIEW', reviewEndsAt: inDays(6.5) }),
      'SELLER',
      `Buyer 0x79C0…5c2c has ${until(6.5)} to review. Silence pays you.`,
    ],
    [
      jobOf({ fundBy: inDays(0.5) }),
      'SELLER',
      `Buyer 0x79C0…5c2c has ${until(0.5)} to pay. Do not start before that.`,
    ],
    [
      jobOf({ status: 'IN_PROGRESS', deadlineAt: inDays(-0.5) }),
      'CLIENT',
      'The deadline has passed. From 24 hours after it you can cancel.',
    ],
    [
      jobOf({ status: 'DISPUTED', dispute: dispute() }),
      'ONLOOKER',
      'The multisig decides. Until then the two sides can settle it.',
    ],
  ] as const)('%#', (job, viewer, text) => {
    expect(situationOf(job, viewer, nowMs).text).toBe(text)
  })
})

test.each([
  ['JOB_DECLINED', [], 'The seller declined it. No money has moved.'],
  ['JOB_REFUNDED', ['JOB_FUNDED'], 'The seller gave the money back. The whole price goes back to the buyer.'],
] as const)('why it ended: %s', (last, before, text) => {
  const timeline = [...before, last].map((type) => event(type))
  expect(situationOf(jobOf({ status: 'CANCELLED', timeline }), 'CLIENT', nowMs).text).toBe(text)
})

test('an owner who hired their own agent sees the side whose turn it is', () => {
  const nextAction = { actor: 'SELLER', action: 'DELIVER', dueAt: null, message: '' } as const
  expect(viewerOf(jobOf({ nextAction }), ['CLIENT', 'SELLER'])).toBe('SELLER')
  expect(viewerOf(jobOf({ nextAction }), ['CLIENT'])).toBe('CLIENT')
  expect(viewerOf(jobOf({ nextAction }), [])).toBe('ONLOOKER')
})
