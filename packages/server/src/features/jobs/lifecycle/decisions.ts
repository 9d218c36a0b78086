import { AppError, type JobParty, type JobStatus, type Review, railOf } from '@agent-marketplace/contract'
import type { AddJobToTotals } from '../../../house/ended-job.ts'
import type { Intents, NewIntent } from '../../../money/intents/intents.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { Notify } from '../../../platform/notices/notice.ts'
import { type FollowUndelivered, storeUndelivered } from '../recourse/undelivered.ts'
import { type AnnouncedAction, announcementOf, foldUnpaid, noticesOf } from './announcements.ts'
import { findOffer, hasClientDisputed, type Offer } from './dispute-store.ts'
import { isEnded, type JobRow } from './job.ts'
import { actsAlone, type Permission, permit, wrongState } from './moves/conditions.ts'
import { type Action, isEscrowEffect } from './moves/transitions.ts'
import { type EscrowOrder, orderOf } from './orders.ts'
import { rolesOf } from './rules.ts'
import { lockJob, saveJob } from './store.ts'
import { insertEvent } from './timeline-store.ts'
import { announceWork, type FollowWork } from './work.ts'

/** The calling owner. Owners who hired their own agent are both parties, and may say for which of them they act. */
export interface OwnerCalling {
  ownerId: string
  isAdmin: boolean
  side?: 'SELLER'
}

/** Who acts: an owner, or the service itself when something falls due. */
export type Caller = OwnerCalling | 'PLATFORM'

/** A job's pay has arrived (1), or a fork has taken it back (-1): what rests on it follows. */
export type FollowPayout = (
  tx: Transaction,
  job: Pick<JobRow, 'id' | 'agentId' | 'agentWallet'>,
  by: 1 | -1,
) => Promise<void>

export interface DecisionDeps {
  clock: Clock
  newId: NewId
  intents: Pick<Intents, 'create'>
  notify: Notify
  addJobToTotals: AddJobToTotals
  /** Whether an x402 payment for this job is taken and not concluded. */
  isPaymentUnderWay: (tx: Queryable, jobId: string) => Promise<boolean>
  reviewOf: (db: Queryable, jobId: string) => Promise<Review | null>
  followUndelivered: FollowUndelivered
  followWork: FollowWork
}

/** What it takes to judge whether something may be done. */
export type JudgeDeps = Pick<DecisionDeps, 'clock' | 'isPaymentUnderWay' | 'reviewOf'>

export interface Decision {
  jobId: string
  action: AnnouncedAction
  caller: Caller
  requestId: string | null
  /** Where it is not the clock's time that counts. */
  now?: Date
  /** The deciding party's own text; shown on the timeline and to the other side. */
  note?: string | undefined
  /** What else changes with it. */
  changes?: (job: JobRow, made: Made) => Partial<JobRow>
  /** What the order to the escrow says beyond the job itself. */
  order?: (made: Made) => Partial<EscrowOrder>
  /** What the order costs beyond what the deposit was charged for. */
  gas?: bigint
  /** Rows that belong to it. */
  also?: (tx: Transaction, job: JobRow, made: Made) => Promise<void>
}

/** What is known once a decision is permitted. */
export interface Made extends Permission {
  now: Date
  offer: Offer | undefined
}

const chargeOf = ({ caller, gas }: Decision): Pick<NewIntent, 'charge'> =>
  caller === 'PLATFORM' || gas === undefined ? {} : { charge: { account: caller.ownerId, gas } }

export function unknownJob(): AppError<'NOT_FOUND'> {
  return new AppError('NOT_FOUND', { message: 'There is no such job.' })
}

export function rolesOfCaller(job: JobRow, caller: Caller): JobParty[] {
  if (caller === 'PLATFORM') return ['PLATFORM']
  const roles = rolesOf(job, caller.ownerId)
  // Strangers must not learn that the job exists.
  if (roles.length === 0 && !caller.isAdmin) throw unknownJob()
  return caller.side === undefined ? roles : roles.filter((role) => role === caller.side)
}

/** Locks the job and says whether this may be done now. */
export async function lockFor(
  tx: Queryable,
  deps: JudgeDeps,
  {
    jobId,
    action,
    caller,
    now = deps.clock.now(),
  }: { jobId: string; action: Action; caller: Caller; now?: Date },
): Promise<{ job: JobRow; made: Made }> {
  const job = await lockJob(tx, jobId)
  if (!job) throw unknownJob()
  const roles = rolesOfCaller(job, caller)
  const offer = job.status === 'DISPUTED' ? await findOffer(tx, jobId) : undefined
  const permission = permit(action, {
    job,
    now,
    roles,
    isPaymentUnderWay: await isPaymentUnderWay(tx, deps, job),
    offeredBy: offer?.by ?? null,
    isDisputeAsked: action === 'AUTO_RELEASE' && (await hasClientDisputed(tx, jobId)),
    review: action === 'REVIEW' || action === 'REPLY_TO_REVIEW' ? await deps.reviewOf(tx, jobId) : null,
  })
  return { job, made: { ...permission, now, offer } }
}

export async function isPaymentUnderWay(
  db: Queryable,
  deps: JudgeDeps,
  { id, status, paymentMethod, openIntents }: JobRow,
): Promise<boolean> {
  if (openIntents.length > 0) return true
  return status === 'PENDING' && !railOf(paymentMethod).holdsMoney && deps.isPaymentUnderWay(db, id)
}

/**
 * One decision: the job's new status, the order to the escrow, the timeline and the notification of the other side, all in the
 * transaction that is given. The chain follows by the worker.
 */
export async function decide(tx: Transaction, deps: DecisionDeps, decision: Decision): Promise<JobRow> {
  const { job, made } = await lockFor(tx, deps, decision)
  const { actor, now, transition } = made
  const status = targetOf(made)
  let decided: JobRow = {
    ...job,
    status,
    decidedStatus: status,
    decisions: job.decisions + 1,
    endedAt: isEnded(status) ? now : null,
    ...decision.changes?.(job, made),
  }
  if (isEscrowEffect(transition.effect)) {
    checkOperatorMayAct(job, actor)
    const order = orderOf(transition.effect, decided, decision.requestId, decision.order?.(made))
    await deps.intents.create(tx, { ...order, ...chargeOf(decision) })
    decided = { ...decided, openIntents: [...decided.openIntents, order.key] }
  }
  await saveJob(tx, decided)
  const { event, notice, title, message } = announcementOf(decision.action)
  await insertEvent(tx, {
    id: deps.newId(),
    jobId: job.id,
    type: event,
    actor,
    message: decision.note ?? null,
    at: now,
  })
  await decision.also?.(tx, decided, made)
  await announceWork(tx, deps, job, decided, now)
  await countEndedX402Job(tx, deps, job, decided)
  decided = await storeUndelivered(tx, deps, decided, now)
  const words = { type: notice, title, message: decision.note ? `${message} ${decision.note}` : message }
  await deps.notify(tx, ...noticesOf(job, actor, words).map((each) => foldUnpaid(job, each)))
  return decided
}

function targetOf({ transition, offer }: Made): JobStatus {
  if (transition.to !== 'BY_SHARE') return transition.to
  return offer?.sellerBps === 0 ? 'CANCELLED' : 'COMPLETED'
}

function checkOperatorMayAct(job: JobRow, actor: JobParty): void {
  if (!actsAlone(job, actor)) return
  throw wrongState(job.status, [], 'You switched the service off for this job: act from your own wallet.')
}

/** Escrow jobs count when the chain has paid out; x402 jobs were paid before. */
async function countEndedX402Job(
  tx: Transaction,
  deps: DecisionDeps,
  before: JobRow,
  after: JobRow,
): Promise<void> {
  if (!railOf(after.paymentMethod).holdsMoney && before.status === 'IN_PROGRESS')
    await countX402Job(tx, deps, after, 1)
}

/** Counts a paid x402 job that has ended, or takes it back. */
export async function countX402Job(
  tx: Transaction,
  { addJobToTotals }: Pick<DecisionDeps, 'addJobToTotals'>,
  job: JobRow,
  by: 1 | -1,
): Promise<void> {
  if (job.status !== 'COMPLETED' && job.status !== 'CANCELLED') return
  await addJobToTotals(tx, {
    jobId: job.id,
    agentId: job.agentId,
    outcome: job.status,
    counts: job.counts,
    volumeMicro: job.priceMicro,
    earnedMicro: job.refundState === 'CONFIRMED' ? 0n : job.netMicro,
    by,
  })
}
