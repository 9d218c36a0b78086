import type {
  AccountStatus,
  ApprovalStatus,
  EscrowState,
  HiddenReason,
  JobStatus,
  KycStatus,
  SubscriptionStatus,
  WithdrawalStatus,
  X402Verification,
} from '@agent-marketplace/contract'

/** The fixed set of tones: each has its colours and its icon. */
export type Tone = 'pending' | 'active' | 'review' | 'done' | 'disputed' | 'cancelled'

interface Statuses {
  job: JobStatus
  escrow: EscrowState
  kyc: KycStatus
  account: AccountStatus
  approval: ApprovalStatus
  listing: HiddenReason | 'VISIBLE'
  subscription: SubscriptionStatus
  withdrawal: WithdrawalStatus
  verification: X402Verification
}

export type StatusKind = keyof Statuses
export type StatusOf<Kind extends StatusKind> = Statuses[Kind]

type Look = readonly [Tone, string]

/** Every status of the service, in a word that a newcomer understands. */
export const statusWords: { [Kind in StatusKind]: Record<Statuses[Kind], Look> } = {
  job: {
    PENDING: ['pending', 'Awaiting payment'],
    IN_PROGRESS: ['active', 'In progress'],
    UNDER_REVIEW: ['review', 'Under review'],
    COMPLETED: ['done', 'Completed'],
    DISPUTED: ['disputed', 'Disputed'],
    CANCELLED: ['cancelled', 'Cancelled'],
  },
  escrow: {
    UNFUNDED: ['pending', 'Not funded'],
    FUNDED: ['active', 'Held in escrow'],
    SUBMITTED: ['review', 'Delivered, held'],
    DISPUTED: ['disputed', 'Frozen by dispute'],
    RELEASED: ['done', 'Released'],
    REFUNDED: ['cancelled', 'Refunded'],
    SETTLED: ['done', 'Settled'],
    RULED: ['done', 'Ruled'],
    EXPIRED: ['cancelled', 'Expired, refunded'],
  },
  kyc: {
    PENDING: ['pending', 'Not verified'],
    IN_REVIEW: ['review', 'In review'],
    VERIFIED: ['done', 'Verified'],
    REJECTED: ['disputed', 'Rejected'],
  },
  account: {
    ACTIVE: ['done', 'Active'],
    SUSPENDED: ['disputed', 'Suspended'],
    DEACTIVATED: ['cancelled', 'Deactivated'],
  },
  approval: {
    PENDING: ['pending', 'Awaiting approval'],
    APPROVED: ['done', 'Approved'],
    REJECTED: ['disputed', 'Rejected'],
  },
  listing: {
    VISIBLE: ['done', 'Listed'],
    PENDING_APPROVAL: ['pending', 'Awaiting approval'],
    REJECTED: ['disputed', 'Rejected'],
    PAUSED_BY_OWNER: ['cancelled', 'Paused by you'],
    PAUSED_BY_QUOTA: ['review', 'Paused: over quota'],
    PAUSED_AFTER_FAILURES: ['disputed', 'Paused: failed jobs'],
    OWNER_SUSPENDED: ['disputed', 'Account suspended'],
    UNDELIVERED_JOBS: ['disputed', 'Not listed: undelivered jobs'],
  },
  subscription: {
    ACTIVE: ['done', 'Active'],
    PAST_DUE: ['review', 'Past due'],
    CANCELED: ['cancelled', 'Cancelled'],
    TRIALING: ['active', 'Trial'],
  },
  withdrawal: {
    REQUESTED: ['pending', 'Requested'],
    SUBMITTED: ['active', 'Sent'],
    CONFIRMED: ['done', 'Arrived'],
    FAILED: ['disputed', 'Failed'],
  },
  verification: {
    PENDING: ['pending', 'Being checked'],
    VERIFIED: ['done', 'Verified on chain'],
    UNVERIFIED: ['cancelled', 'Not found on chain'],
  },
}

export function statusLook<Kind extends StatusKind>(kind: Kind, status: Statuses[Kind]): Look {
  return statusWords[kind][status]
}
