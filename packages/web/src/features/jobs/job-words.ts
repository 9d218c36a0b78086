import { type JobDetail, railOf, type TimelineType } from '@agent-marketplace/contract'
import { localTime } from '../../format/time.ts'
import { clientName, type Side } from './sides.ts'

/** What the panel says: whose turn it is, what that means, and the limit that counts. */
export interface Situation {
  title: string
  /** The other party's view, or what happens next. */
  text: string
  limit: { label: string; until: string; over: string } | undefined
}

type Viewer = Side | 'ONLOOKER'

/** Whose point of view it shows. An owner who hired their own agent sees the side whose turn it is. */
export function viewerOf(job: JobDetail, sides: readonly Side[]): Viewer {
  const actor = job.nextAction?.actor
  return sides.find((side) => side === actor) ?? sides[0] ?? 'ONLOOKER'
}

export function situationOf(job: JobDetail, viewer: Viewer, nowMs: number): Situation {
  switch (job.status) {
    case 'PENDING':
      return pending(job, viewer, nowMs)
    case 'IN_PROGRESS':
      return inProgress(job, viewer, nowMs)
    case 'UNDER_REVIEW':
      return underReview(job, viewer, nowMs)
    case 'DISPUTED':
      return disputed(job, viewer)
    case 'COMPLETED':
      return completed(job, viewer)
    case 'CANCELLED':
      return cancelled(job, viewer)
  }
}

/** The limit's own day and hour: the countdown beside it says how long that is. */
const limitTime = (time: string | null, nowMs: number): string | undefined =>
  time === null || Date.parse(time) <= nowMs
    ? undefined
    : `until ${localTime(Date.parse(time), { hasYear: false })}`

function limitOf(label: string, until: string | null, over: string): Situation['limit'] {
  return until === null ? undefined : { label, until, over }
}

function pending(job: JobDetail, viewer: Viewer, nowMs: number): Situation {
  const limit = limitOf(job.needsAcceptance ? 'Time to accept' : 'Time to pay', job.fundBy, 'over')
  if (job.needsAcceptance) {
    return viewer === 'SELLER'
      ? { title: 'Accept this order?', text: 'No money has moved. The buyer can pay once you accept.', limit }
      : {
          title: 'Waiting for the seller',
          text: 'You can pay once the seller has accepted the order.',
          limit,
        }
  }
  if (viewer === 'CLIENT') {
    return { title: 'Pay to begin', text: `${job.agent.name} starts when the payment is there.`, limit }
  }
  const left = limitTime(job.fundBy, nowMs)
  const text = left ? `${clientName(job)} has ${left} to pay.` : 'The time to pay is over.'
  return {
    title: 'Waiting for payment',
    text: viewer === 'SELLER' ? `${text} Do not start before that.` : text,
    limit,
  }
}

/** The money of an x402 job that is late or cancelled is with the agent: what each side can do about it. */
function overdue(job: JobDetail, viewer: Viewer): Situation {
  const limit = limitOf('Delivery due in', job.deadlineAt, 'overdue')
  const texts: Record<Viewer, string> = {
    SELLER: 'The deadline has passed. Deliver the work now, or give the money back.',
    CLIENT: `${job.agent.name} is late. You can cancel and review; the seller can still deliver or give the money back.`,
    ONLOOKER: 'The deadline has passed. The seller can still deliver or give the money back.',
  }
  return { title: viewer === 'SELLER' ? 'Deliver or refund' : 'Overdue', text: texts[viewer], limit }
}

const refunding: Situation = {
  title: 'Refund pending',
  text: 'The money goes from the agent’s wallet back to the wallet that paid. This takes a moment.',
  limit: undefined,
}

function inProgress(job: JobDetail, viewer: Viewer, nowMs: number): Situation {
  if (job.refund?.status === 'PENDING') return refunding
  if (job.overdue && !railOf(job.paymentMethod).holdsMoney) return overdue(job, viewer)
  const limit = limitOf('Delivery due in', job.deadlineAt, 'overdue')
  const left = limitTime(job.deadlineAt, nowMs)
  const after = railOf(job.paymentMethod).holdsMoney
    ? 'Then the buyer has 7 days to review it.'
    : 'It is paid already: delivering completes the job.'
  if (viewer === 'SELLER') {
    const span = left
      ? `You have ${left}.`
      : job.deadlineAt
        ? 'The deadline has passed.'
        : 'There is no deadline.'
    return { title: 'Deliver the work', text: `${span} ${after}`, limit }
  }
  const canceller = viewer === 'CLIENT' ? 'you' : 'the buyer'
  const missed = `The deadline has passed. From 24 hours after it ${canceller} can cancel.`
  const text = left
    ? `${job.agent.name} has ${left} to deliver.`
    : job.deadlineAt
      ? missed
      : 'There is no deadline.'
  return { title: `${job.agent.name} is at work`, text, limit }
}

function underReview(job: JobDetail, viewer: Viewer, nowMs: number): Situation {
  const limit = limitOf('Releases automatically in', job.reviewEndsAt, 'any moment')
  if (viewer === 'CLIENT') {
    const text = 'Approve it and the escrow pays out. If you do nothing, it pays out automatically.'
    return { title: 'Review the delivery', text, limit }
  }
  const left = limitTime(job.reviewEndsAt, nowMs)
  const text = left
    ? `${clientName(job)} has ${left} to review. Silence pays ${viewer === 'SELLER' ? 'you' : 'the seller'}.`
    : 'The review window is over.'
  return { title: 'Waiting for the review', text, limit }
}

function disputed(job: JobDetail, viewer: Viewer): Situation {
  const limit = limitOf('If undecided, refunded in', job.dispute?.undecidedAt ?? null, 'any moment')
  const offeredBy = job.dispute?.settlement?.proposedBy
  const maker = offeredBy === 'CLIENT' ? clientName(job) : job.agent.name
  if (offeredBy === undefined) {
    const text =
      viewer === 'ONLOOKER'
        ? 'The multisig decides. Until then the two sides can settle it.'
        : 'The multisig decides. Until then you can settle it between you.'
    return { title: 'In dispute', text, limit }
  }
  if (offeredBy === viewer) {
    return {
      title: 'Your offer is open',
      text: 'The other side can accept it, and the multisig can still rule.',
      limit,
    }
  }
  return {
    title: `${maker} offers to settle`,
    text: `${viewer === 'ONLOOKER' ? 'If the other side accepts,' : 'Accept it and'} the escrow pays both at once.`,
    limit,
  }
}

function completed(job: JobDetail, viewer: Viewer): Situation {
  const hasDecision = job.dispute !== null
  const title = hasDecision ? 'Settled' : 'Completed'
  if (viewer === 'CLIENT' && job.review === null) {
    return { title, text: `Say how ${job.agent.name} did: your review goes on chain.`, limit: undefined }
  }
  if (viewer === 'SELLER' && job.review !== null && job.review.reply === null) {
    return { title, text: 'The buyer has reviewed the work. You can reply once.', limit: undefined }
  }
  return { title, text: 'Nothing is left to do.', limit: undefined }
}

/** Why it ended, by the last event that says so. */
const reasons: Partial<Record<TimelineType, string>> = {
  JOB_CANCELLED: 'The buyer cancelled it.',
  JOB_DECLINED: 'The seller declined it.',
  JOB_EXPIRED: 'It was not paid in time.',
  JOB_REFUNDED: 'The seller gave the money back.',
  DISPUTE_LAPSED: 'Nobody decided the dispute in time, so the buyer is refunded.',
  SETTLEMENT_ACCEPTED: 'Both agreed that everything goes back to the buyer.',
  ESCROW_RULED: 'The multisig ruled that everything goes back to the buyer.',
}

function cancelled(job: JobDetail, viewer: Viewer): Situation {
  if (job.refund?.status === 'PENDING') return refunding
  const reason = job.timeline.findLast(({ type }) => type in reasons)?.type
  const wasPaid = job.timeline.some(({ type }) => type === 'JOB_FUNDED')
  const money = wasPaid
    ? railOf(job.paymentMethod).holdsMoney
      ? 'The whole price goes back to the buyer.'
      : job.refund
        ? 'The whole price went back to the wallet that paid.'
        : viewer === 'SELLER'
          ? 'The payment is in your agent’s wallet: give it back.'
          : 'The payment is in the agent’s wallet until the seller gives it back.'
    : 'No money has moved.'
  return {
    title: 'Cancelled',
    text: [reason && reasons[reason], money].filter(Boolean).join(' '),
    limit: undefined,
  }
}
