import type { JobParty, JobStatus, PaymentMethod } from '@agent-marketplace/contract'

/**
 * The law of jobs: who may move a job from where to where, on which rail, under which conditions, and what that does on
 * the chain. Code, diagram and tests all read this one table.
 */
export const actions = [
  'pay',
  'cancel',
  'decline',
  'expire',
  'deliver',
  'requestChanges',
  'approve',
  'autoRelease',
  'refund',
  'dispute',
  'addEvidence',
  'offerSettlement',
  'acceptSettlement',
  'rule',
  'lapse',
  'review',
  'replyToReview',
] as const
export type Action = (typeof actions)[number]

/** What an action has the operator do in the escrow. Each is an intent kind. */
export const escrowEffects = [
  'escrow.deposit',
  'escrow.submit',
  'escrow.requestChanges',
  'escrow.release',
  'escrow.refund',
  'escrow.claimMissedDeadline',
  'escrow.openDispute',
  'escrow.proposeSettlement',
  'escrow.acceptSettlement',
  'escrow.refundUndecided',
] as const
export type EscrowEffect = (typeof escrowEffects)[number]

export type ConditionName =
  | 'beforeFundBy'
  | 'fundByPassed'
  | 'noPaymentUnderWay'
  | 'deadlineMissed'
  | 'reviewOpen'
  | 'reviewEnded'
  | 'noDisputeAsked'
  | 'changesLeft'
  | 'disputeOpen'
  | 'disputeLapsed'
  | 'offerOfOtherSide'

export interface Transition {
  action: Action
  from: JobStatus
  /** BY_SHARE: COMPLETED when the seller gets a part, CANCELLED when everything goes back. */
  to: JobStatus | 'BY_SHARE'
  by: readonly JobParty[]
  rail: PaymentMethod | 'ANY'
  when: readonly ConditionName[]
  effect: EscrowEffect | 'x402.settle' | null
}

const parties = ['CLIENT', 'SELLER'] as const

type Rest = Partial<Pick<Transition, 'rail' | 'when' | 'effect'>>

const row = (
  action: Action,
  from: JobStatus,
  to: Transition['to'],
  by: readonly JobParty[],
  { rail = 'ANY', when = [], effect = null }: Rest = {},
): Transition => ({ action, from, to, by, rail, when, effect })

export const transitions: readonly Transition[] = [
  row('pay', 'PENDING', 'IN_PROGRESS', ['CLIENT'], {
    rail: 'X402',
    when: ['beforeFundBy'],
    effect: 'x402.settle',
  }),
  row('pay', 'PENDING', 'IN_PROGRESS', ['CLIENT'], {
    rail: 'ESCROW',
    when: ['beforeFundBy'],
    effect: 'escrow.deposit',
  }),
  row('cancel', 'PENDING', 'CANCELLED', ['CLIENT'], { when: ['noPaymentUnderWay'] }),
  row('decline', 'PENDING', 'CANCELLED', ['SELLER'], { when: ['noPaymentUnderWay'] }),
  row('expire', 'PENDING', 'CANCELLED', ['PLATFORM'], { when: ['fundByPassed', 'noPaymentUnderWay'] }),

  row('deliver', 'IN_PROGRESS', 'COMPLETED', ['SELLER'], { rail: 'X402' }),
  row('deliver', 'IN_PROGRESS', 'UNDER_REVIEW', ['SELLER'], { rail: 'ESCROW', effect: 'escrow.submit' }),
  row('requestChanges', 'UNDER_REVIEW', 'IN_PROGRESS', ['CLIENT'], {
    rail: 'ESCROW',
    when: ['reviewOpen', 'changesLeft'],
    effect: 'escrow.requestChanges',
  }),
  row('approve', 'UNDER_REVIEW', 'COMPLETED', ['CLIENT'], { rail: 'ESCROW', effect: 'escrow.release' }),
  row('autoRelease', 'UNDER_REVIEW', 'COMPLETED', ['PLATFORM'], {
    rail: 'ESCROW',
    when: ['reviewEnded', 'noDisputeAsked'],
    effect: 'escrow.release',
  }),

  row('cancel', 'IN_PROGRESS', 'CANCELLED', ['CLIENT'], { rail: 'X402', when: ['deadlineMissed'] }),
  row('cancel', 'IN_PROGRESS', 'CANCELLED', ['CLIENT'], {
    rail: 'ESCROW',
    when: ['deadlineMissed'],
    effect: 'escrow.claimMissedDeadline',
  }),
  row('refund', 'IN_PROGRESS', 'CANCELLED', ['SELLER'], { rail: 'ESCROW', effect: 'escrow.refund' }),
  row('refund', 'UNDER_REVIEW', 'CANCELLED', ['SELLER'], { rail: 'ESCROW', effect: 'escrow.refund' }),
  row('refund', 'DISPUTED', 'CANCELLED', ['SELLER'], { rail: 'ESCROW', effect: 'escrow.refund' }),

  row('dispute', 'IN_PROGRESS', 'DISPUTED', parties, { rail: 'ESCROW', effect: 'escrow.openDispute' }),
  row('dispute', 'UNDER_REVIEW', 'DISPUTED', parties, {
    rail: 'ESCROW',
    when: ['reviewOpen'],
    effect: 'escrow.openDispute',
  }),
  row('addEvidence', 'DISPUTED', 'DISPUTED', parties, { rail: 'ESCROW' }),
  row('offerSettlement', 'DISPUTED', 'DISPUTED', parties, {
    rail: 'ESCROW',
    when: ['disputeOpen'],
    effect: 'escrow.proposeSettlement',
  }),
  row('acceptSettlement', 'DISPUTED', 'BY_SHARE', parties, {
    rail: 'ESCROW',
    when: ['disputeOpen', 'offerOfOtherSide'],
    effect: 'escrow.acceptSettlement',
  }),
  row('rule', 'DISPUTED', 'BY_SHARE', ['ARBITER'], { rail: 'ESCROW', when: ['disputeOpen'] }),
  row('lapse', 'DISPUTED', 'CANCELLED', ['PLATFORM'], {
    rail: 'ESCROW',
    when: ['disputeLapsed'],
    effect: 'escrow.refundUndecided',
  }),

  row('review', 'COMPLETED', 'COMPLETED', ['CLIENT']),
  row('replyToReview', 'COMPLETED', 'COMPLETED', ['SELLER']),
]

/** Both ends of a row that a share decides. */
export function targetsOf({ to }: Transition): readonly JobStatus[] {
  return to === 'BY_SHARE' ? ['COMPLETED', 'CANCELLED'] : [to]
}
