import {
  AppError,
  type JobParty,
  type JobStatus,
  MAX_CHANGE_REQUESTS,
  MESSAGE_DAYS_AFTER_END,
  type PartyAction,
  partyActions,
  type Review,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../../../platform/clock/clock.ts'
import type { Side } from '../escrow-facts.ts'
import { isOverdue, type JobRow, keepsPay } from '../job.ts'
import { missedAtOf } from './overtaking.ts'
import {
  type Action,
  type ConditionName,
  isEscrowEffect,
  type Transition,
  transitions,
} from './transitions.ts'

/** What a decision is made on. */
export interface Situation {
  job: JobRow
  now: Date
  /** The caller's roles: two when they hired their own agent, none for an admin. */
  roles: readonly JobParty[]
  isPaymentUnderWay: boolean
  /** Who made the standing offer. */
  offeredBy: Side | null
  /** Whether the client asked for a dispute that the chain refused: the service never releases then. */
  isDisputeAsked: boolean
  /** The review of the job. */
  review: Pick<Review, 'kind' | 'reply'> | null
}

interface Condition {
  holds(situation: Situation): boolean
  refusal: string
  /** Where it is not INVALID_STATE. */
  code?: 'CONFLICT'
}

/** It says "not delivered", and the work came in time after all: it no longer counts, and the client may review the work. */
const isDisproven = ({ status, endedAt, owedAt }: JobRow, { kind }: Pick<Review, 'kind'>): boolean =>
  kind === 'NOT_DELIVERED' &&
  status === 'COMPLETED' &&
  endedAt !== null &&
  owedAt !== null &&
  endedAt <= owedAt

const ROOM_SECONDS = MESSAGE_DAYS_AFTER_END * 24 * 3600

const isPast = (time: Date | null, now: Date): boolean => time !== null && time <= now

/** What came with its payment has no time beyond that. */
const isLateToPay = ({ paidInCall, fundBy }: JobRow, now: Date): boolean => paidInCall || isPast(fundBy, now)

const conditions: Record<ConditionName, Condition> = {
  beforeFundBy: {
    holds: ({ job, now }) => !isLateToPay(job, now),
    refusal: 'The time to pay for this job is over.',
  },
  fundByPassed: {
    holds: ({ job, now }) => isLateToPay(job, now),
    refusal: 'There is still time to pay for this job.',
  },
  noPaymentUnderWay: {
    holds: ({ isPaymentUnderWay }) => !isPaymentUnderWay,
    refusal: 'A payment for this job is being settled.',
  },
  accepted: {
    holds: ({ job }) => !job.needsAcceptance,
    refusal: 'The seller has not accepted this order yet.',
  },
  awaitsAcceptance: {
    holds: ({ job }) => job.needsAcceptance,
    refusal: 'This order needs no acceptance.',
  },
  overdue: {
    holds: ({ job, now }) => isOverdue(job, now),
    refusal: 'The deadline of this job has not passed.',
  },
  wasPaid: {
    holds: ({ job }) =>
      job.paidAt !== null || (job.escrowFacts !== null && job.escrowFacts.state !== 'UNFUNDED'),
    refusal: 'This job was never paid.',
  },
  keepsPay: {
    holds: ({ job }) => keepsPay(job),
    refusal: 'There is nothing to give back: the job was never paid, or is refunded already.',
  },
  noRefundUnderWay: {
    holds: ({ job }) => job.refundState !== 'PENDING',
    refusal: 'A refund of this job is pending.',
  },
  deadlineMissed: {
    holds: ({ job, now }) => isPast(missedAtOf(job.dueAt), now),
    refusal: 'An escrow job can be cancelled from 24 hours after a missed deadline.',
  },
  reviewOpen: {
    holds: ({ job, now }) => !isPast(job.reviewEndsAt, now),
    refusal: 'The review window is over.',
  },
  reviewEnded: {
    // The chain must have taken the delivery: its own window is the one that counts.
    holds: ({ job, now }) => job.openIntents.length === 0 && isPast(job.reviewEndsAt, now),
    refusal: 'The review window is still open.',
  },
  noDisputeAsked: {
    holds: ({ isDisputeAsked }) => !isDisputeAsked,
    refusal: 'The client asked for a dispute in time.',
  },
  changesLeft: {
    holds: ({ job }) => job.changeRequests < MAX_CHANGE_REQUESTS,
    refusal: `Changes can be requested ${MAX_CHANGE_REQUESTS} times at most.`,
  },
  disputeOpen: {
    holds: ({ job, now }) => !isPast(job.undecidedAt, now),
    refusal: 'The time to decide this dispute is over.',
  },
  disputeLapsed: {
    holds: ({ job, now }) => job.openIntents.length === 0 && isPast(job.undecidedAt, now),
    refusal: 'There is still time to decide this dispute.',
  },
  offerOfOtherSide: {
    holds: ({ offeredBy, roles }) => offeredBy !== null && roles.some((role) => role !== offeredBy),
    refusal: 'There is no offer of the other side to accept.',
  },
  notReviewed: {
    holds: ({ job, review }) => review === null || isDisproven(job, review),
    refusal: 'This job already has its review.',
    code: 'CONFLICT',
  },
  reviewUnanswered: {
    holds: ({ review }) => review !== null && review.reply === null,
    refusal: 'There is no review without a reply.',
    code: 'CONFLICT',
  },
  roomOpen: {
    holds: ({ job, now }) => job.endedAt === null || addSeconds(job.endedAt, ROOM_SECONDS) > now,
    refusal: `Messages can be written until ${MESSAGE_DAYS_AFTER_END} days after the job has ended.`,
  },
}

export interface Permission {
  transition: Transition
  /** The side for which it is done. */
  actor: JobParty
}

/** The row of the table that allows this, or the reason why not: 403 for the wrong role, 409 for the wrong moment. */
export function permit(action: Action, situation: Situation): Permission {
  const { job, roles } = situation
  const ofRole = transitions.filter((row) => row.action === action && row.by.some((by) => roles.includes(by)))
  if (ofRole.length === 0) {
    throw new AppError('FORBIDDEN', { message: 'The other side of this job may do this, but you may not.' })
  }
  const ofRail = ofRole.filter((row) => isOnRail(row, job))
  const allowed = [...new Set(ofRail.map(({ from }) => from))]
  const transition = ofRail.find(({ from }) => from === job.status)
  if (!transition) throw wrongState(job.status, allowed, wordsFor(job, allowed))
  const broken = transition.when.map((name) => conditions[name]).find(({ holds }) => !holds(situation))
  if (broken?.code === 'CONFLICT') throw new AppError('CONFLICT', { message: broken.refusal })
  if (broken) throw wrongState(job.status, allowed, broken.refusal)
  return { transition, actor: actorOf(transition, situation) }
}

const isOnRail = ({ rail }: Transition, job: JobRow): boolean => rail === 'ANY' || rail === job.paymentMethod

/** All that the caller may do now: what `permit` allows, except what only the party's own wallet can do. */
export function allowedActionsOf(situation: Situation): PartyAction[] {
  const { job, roles } = situation
  return partyActions.filter((action) =>
    transitions.some(
      (row) =>
        row.action === action &&
        row.from === job.status &&
        isOnRail(row, job) &&
        row.by.some((by) => roles.includes(by)) &&
        row.when.every((name) => conditions[name].holds(situation)) &&
        !(isEscrowEffect(row.effect) && actsAlone(job, actorOf(row, situation))),
    ),
  )
}

/** A party may have switched the operator off on chain; then only its own wallet can act for it. */
export function actsAlone({ escrowFacts: facts }: JobRow, actor: JobParty): boolean {
  return (actor === 'CLIENT' || actor === 'SELLER') && facts !== null && facts.actsAlone.includes(actor)
}

export function wrongState(
  status: JobStatus,
  allowed: JobStatus[],
  message: string,
): AppError<'INVALID_STATE'> {
  return new AppError('INVALID_STATE', { message, details: { status, allowed } })
}

function wordsFor({ status, paymentMethod }: JobRow, allowed: JobStatus[]): string {
  if (allowed.length === 0) return `${paymentMethod} jobs do not support this action.`
  return `The job is ${status}; this can be done while it is ${allowed.join(' or ')}.`
}

/** Somebody who hired their own agent acts for both sides; the side that did not make an offer accepts it. */
function actorOf({ action, by }: Transition, { roles, offeredBy }: Situation): JobParty {
  const able = by.filter((party) => roles.includes(party))
  const answering = action === 'ACCEPT_SETTLEMENT' ? able.find((party) => party !== offeredBy) : undefined
  const actor = answering ?? able[0]
  if (actor === undefined) throw new Error(`nobody may ${action}`)
  return actor
}
