import { type Static, Type } from 'typebox'
import { DateTime, Id, nullableString, nullableTxHash, oneOf } from '../base/shapes.ts'

export const jobParties = ['CLIENT', 'SELLER', 'ARBITER', 'PLATFORM'] as const
export type JobParty = (typeof jobParties)[number]

/** What can be on a job's timeline. */
export const timelineTypes = [
  // What a party decided.
  'JOB_CREATED',
  'JOB_ACCEPTED',
  'JOB_DECLINED',
  'JOB_CANCELLED',
  'JOB_FUNDED',
  'JOB_DELIVERED',
  'CHANGES_REQUESTED',
  'JOB_APPROVED',
  'REFUND_STARTED',
  'JOB_REFUNDED',
  'DISPUTE_OPENED',
  'EVIDENCE_ADDED',
  'SETTLEMENT_OFFERED',
  'SETTLEMENT_ACCEPTED',
  // What time brought.
  'JOB_EXPIRED',
  'DEADLINE_MISSED',
  'REVIEW_ENDED',
  'DISPUTE_LAPSED',
  // What the chain recorded, or rejected.
  'ESCROW_SUBMITTED',
  'ESCROW_CHANGES_REQUESTED',
  'ESCROW_DISPUTED',
  'ESCROW_OFFER',
  'ESCROW_RELEASED',
  'ESCROW_REFUNDED',
  'ESCROW_SETTLED',
  'ESCROW_RULED',
  'ESCROW_EXPIRED',
  'OPERATOR_DISABLED',
  'PAYMENT_REFUSED',
  'ESCROW_REFUSED',
  'REFUND_FAILED',
] as const
export type TimelineType = (typeof timelineTypes)[number]

export const TimelineEvent = Type.Object(
  {
    id: Id,
    type: oneOf(timelineTypes, { examples: ['JOB_DELIVERED'] }),
    actor: oneOf(jobParties),
    message: nullableString({ examples: ['The delivery is ready for review.'] }),
    txHash: nullableTxHash('The transaction that did it, where there is one.'),
    createdAt: DateTime,
  },
  { title: 'TimelineEvent' },
)
export type TimelineEvent = Static<typeof TimelineEvent>
