import {
  escrowRail,
  type JobParty,
  type JobStatus,
  type PaymentMethod,
  partyActions,
  x402Rail,
} from '@agent-marketplace/contract'

/**
 * The law of jobs: who may move a job from where to where, on which rail, under which conditions, and what that does on
 * the chain. Code, diagram and tests all read this one table.
 */
export const actions = [...partyActions, 'EXPIRE', 'AUTO_RELEASE', 'RULE', 'LAPSE'] as const
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

export const isEscrowEffect = (effect: Transition['effect']): effect is EscrowEffect =>
  effect !== null && effect !== 'x402.settle' && effect !== 'x402.refund'

export type ConditionName =
  | 'beforeFundBy'
  | 'fundByPassed'
  | 'noPaymentUnderWay'
  | 'accepted'
  | 'awaitsAcceptance'
  | 'overdue'
  | 'deadlineMissed'
  | 'wasPaid'
  | 'keepsPay'
  | 'noRefundUnderWay'
  | 'reviewOpen'
  | 'reviewEnded'
  | 'noDisputeAsked'
  | 'changesLeft'
  | 'disputeOpen'
  | 'disputeLapsed'
  | 'offerOfOtherSide'
  | 'notReviewed'
  | 'reviewUnanswered'
  | 'roomOpen'

export interface Transition {
  action: Action
  from: JobStatus
  /** BY_SHARE: COMPLETED when the seller gets a part, CANCELLED when everything goes back. */
  to: JobStatus | 'BY_SHARE'
  by: readonly JobParty[]
  rail: PaymentMethod | 'ANY'
  when: readonly ConditionName[]
  effect: EscrowEffect | 'x402.settle' | 'x402.refund' | null
}

const x402 = x402Rail.method
const escrow = escrowRail.method
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
  row('ACCEPT', 'PENDING', 'PENDING', ['SELLER'], { when: ['awaitsAcceptance', 'beforeFundBy'] }),
  row('PAY', 'PENDING', 'IN_PROGRESS', ['CLIENT'], {
    rail: x402,
    when: ['accepted', 'beforeFundBy'],
    effect: 'x402.settle',
  }),
  row('PAY', 'PENDING', 'IN_PROGRESS', ['CLIENT'], {
    rail: escrow,
    when: ['accepted', 'beforeFundBy'],
    effect: 'escrow.deposit',
  }),
  row('CANCEL', 'PENDING', 'CANCELLED', ['CLIENT'], { when: ['noPaymentUnderWay'] }),
  row('DECLINE', 'PENDING', 'CANCELLED', ['SELLER'], { when: ['noPaymentUnderWay'] }),
  row('EXPIRE', 'PENDING', 'CANCELLED', ['PLATFORM'], { when: ['fundByPassed', 'noPaymentUnderWay'] }),

  row('DELIVER', 'IN_PROGRESS', 'COMPLETED', ['SELLER'], { rail: x402, when: ['noRefundUnderWay'] }),
  row('DELIVER', 'IN_PROGRESS', 'UNDER_REVIEW', ['SELLER'], { rail: escrow, effect: 'escrow.submit' }),
  row('REQUEST_CHANGES', 'UNDER_REVIEW', 'IN_PROGRESS', ['CLIENT'], {
    rail: escrow,
    when: ['reviewOpen', 'changesLeft'],
    effect: 'escrow.requestChanges',
  }),
  row('APPROVE', 'UNDER_REVIEW', 'COMPLETED', ['CLIENT'], { rail: escrow, effect: 'escrow.release' }),
  row('AUTO_RELEASE', 'UNDER_REVIEW', 'COMPLETED', ['PLATFORM'], {
    rail: escrow,
    when: ['reviewEnded', 'noDisputeAsked'],
    effect: 'escrow.release',
  }),

  row('CANCEL', 'IN_PROGRESS', 'CANCELLED', ['CLIENT'], {
    rail: x402,
    when: ['overdue', 'noRefundUnderWay'],
  }),
  row('CANCEL', 'IN_PROGRESS', 'CANCELLED', ['CLIENT'], {
    rail: escrow,
    when: ['deadlineMissed'],
    effect: 'escrow.claimMissedDeadline',
  }),
  row('REFUND', 'IN_PROGRESS', 'CANCELLED', ['SELLER'], {
    rail: x402,
    when: ['noRefundUnderWay'],
    effect: 'x402.refund',
  }),
  row('REFUND', 'CANCELLED', 'CANCELLED', ['SELLER'], {
    rail: x402,
    when: ['keepsPay', 'noRefundUnderWay'],
    effect: 'x402.refund',
  }),
  row('REFUND', 'IN_PROGRESS', 'CANCELLED', ['SELLER'], { rail: escrow, effect: 'escrow.refund' }),
  row('REFUND', 'UNDER_REVIEW', 'CANCELLED', ['SELLER'], { rail: escrow, effect: 'escrow.refund' }),
  row('REFUND', 'DISPUTED', 'CANCELLED', ['SELLER'], { rail: escrow, effect: 'escrow.refund' }),

  row('DISPUTE', 'IN_PROGRESS', 'DISPUTED', parties, { rail: escrow, effect: 'escrow.openDispute' }),
  row('DISPUTE', 'UNDER_REVIEW', 'DISPUTED', parties, {
    rail: escrow,
    when: ['reviewOpen'],
    effect: 'escrow.openDispute',
  }),
  row('ADD_EVIDENCE', 'DISPUTED', 'DISPUTED', parties, { rail: escrow }),
  row('OFFER_SETTLEMENT', 'DISPUTED', 'DISPUTED', parties, {
    rail: escrow,
    when: ['disputeOpen'],
    effect: 'escrow.proposeSettlement',
  }),
  row('ACCEPT_SETTLEMENT', 'DISPUTED', 'BY_SHARE', parties, {
    rail: escrow,
    when: ['disputeOpen', 'offerOfOtherSide'],
    effect: 'escrow.acceptSettlement',
  }),
  row('RULE', 'DISPUTED', 'BY_SHARE', ['ARBITER'], { rail: escrow, when: ['disputeOpen'] }),
  row('LAPSE', 'DISPUTED', 'CANCELLED', ['PLATFORM'], {
    rail: escrow,
    when: ['disputeLapsed'],
    effect: 'escrow.refundUndecided',
  }),

  row('REVIEW', 'COMPLETED', 'COMPLETED', ['CLIENT'], { when: ['notReviewed'] }),
  row('REVIEW', 'IN_PROGRESS', 'IN_PROGRESS', ['CLIENT'], { rail: x402, when: ['overdue', 'notReviewed'] }),
  row('REVIEW', 'CANCELLED', 'CANCELLED', ['CLIENT'], { rail: x402, when: ['wasPaid', 'notReviewed'] }),
  row('REPLY_TO_REVIEW', 'COMPLETED', 'COMPLETED', ['SELLER'], { when: ['reviewUnanswered'] }),
  row('REPLY_TO_REVIEW', 'IN_PROGRESS', 'IN_PROGRESS', ['SELLER'], {
    rail: x402,
    when: ['reviewUnanswered'],
  }),
  row('REPLY_TO_REVIEW', 'CANCELLED', 'CANCELLED', ['SELLER'], { rail: x402, when: ['reviewUnanswered'] }),

  row('REPORT_PROGRESS', 'IN_PROGRESS', 'IN_PROGRESS', ['SELLER'], { when: ['noRefundUnderWay'] }),
  row('MESSAGE', 'IN_PROGRESS', 'IN_PROGRESS', parties),
  row('MESSAGE', 'UNDER_REVIEW', 'UNDER_REVIEW', parties, { rail: escrow }),
  row('MESSAGE', 'DISPUTED', 'DISPUTED', parties, { rail: escrow }),
  row('MESSAGE', 'COMPLETED', 'COMPLETED', parties, { when: ['roomOpen'] }),
  row('MESSAGE', 'CANCELLED', 'CANCELLED', parties, { when: ['wasPaid', 'roomOpen'] }),
]

/** Both ends of a row that a share decides. */
export function targetsOf({ to }: Transition): readonly JobStatus[] {
  return to === 'BY_SHARE' ? ['COMPLETED', 'CANCELLED'] : [to]
}
