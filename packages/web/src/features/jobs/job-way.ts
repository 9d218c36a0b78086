import { type JobDetail, railOf } from '@agent-marketplace/contract'
import type { StepState } from '../../components/status/Stepper.tsx'
import { usdcText } from '../../format/money.ts'
import { isChainBehind, openClaimOf } from './chain-lag.ts'

/** A part of a job's way that has not happened yet, or how it ended. What has happened is in its timeline. */
export interface WayStep {
  key: 'CLAIM' | 'ACCEPTANCE' | 'PAYMENT' | 'DELIVERY' | 'REVIEW' | 'DISPUTE' | 'PAYOUT' | 'REFUND' | 'END'
  title: string
  state: StepState
  /** Its limit: a time, or what decides it. */
  limit: { label: string; at: string } | string | undefined
  /** Where the money is then, and where it goes when nobody does anything. */
  money: string
}

const usdc = (micro: string): string => `${usdcText(BigInt(micro))} USDC`
const isHeld = (job: JobDetail): boolean => railOf(job.paymentMethod).holdsMoney

/** What is now, and what can still come, each with its limit and with what it means for the money. */
export function wayOf(job: JobDetail): WayStep[] {
  const claim = openClaimOf(job)
  if (claim) return [claimed(job, claim.action === 'DISPUTE' ? 'Dispute' : 'Refund', claim.dueBy)]
  if (job.refund?.status === 'PENDING') return [refund(job)]
  const review = isHeld(job) ? [reviewed(job)] : []
  switch (job.status) {
    case 'PENDING':
      return inTurn([
        ...(job.needsAcceptance ? [accepted(job)] : []),
        paid(job),
        delivered(job),
        ...review,
        paidOut(job),
      ])
    case 'IN_PROGRESS':
      return inTurn([delivered(job), ...review, paidOut(job)])
    case 'UNDER_REVIEW':
      return inTurn([...review, paidOut(job)])
    case 'DISPUTED':
      return inTurn([disputed(job), decided()])
    case 'COMPLETED':
      return isChainBehind(job) ? inTurn([job.dispute ? decided() : paidOut(job)]) : [completed(job)]
    case 'CANCELLED':
      return isChainBehind(job) ? [refund(job)] : [cancelled(job)]
  }
}

type Planned = Omit<WayStep, 'state'>

/** The first of them is now. */
const inTurn = (steps: Planned[]): WayStep[] =>
  steps.map((step, index) => ({ ...step, state: index === 0 ? 'current' : 'ahead' }))

const limitOf = (label: string, at: string | null | undefined) => (at ? { label, at } : undefined)

const accepted = (job: JobDetail): Planned => ({
  key: 'ACCEPTANCE',
  title: 'The seller accepts or declines',
  limit: limitOf('By', job.fundBy),
  money: 'No money has moved. Without a reply by then, the order ends.',
})

function paid(job: JobDetail): Planned {
  const way = isHeld(job) ? 'goes into escrow' : `goes straight to the wallet of ${job.agent.name}`
  return {
    key: 'PAYMENT',
    title: 'Payment',
    limit: job.needsAcceptance ? 'Once the seller has accepted' : limitOf('By', job.fundBy),
    money: `${usdc(job.agreedPrice)} ${way}. If it is not paid in time, the job ends and no money has moved.`,
  }
}

function delivered(job: JobDetail): Planned {
  const { name } = job.agent
  const missed = isHeld(job)
    ? 'the buyer can cancel from 24 hours after the deadline and gets all of it back'
    : 'the buyer can cancel and review, and only the seller can give the money back'
  const noDeadline =
    job.status === 'PENDING' && !isHeld(job) ? 'The time counts from the payment' : 'No deadline'
  const place = isHeld(job) ? 'is in escrow' : `is in the wallet of ${name}`
  return {
    key: 'DELIVERY',
    title: `Delivery by ${name}`,
    limit: limitOf(job.overdue ? 'Was due' : 'By', job.deadlineAt) ?? noDeadline,
    money: `${usdc(job.agreedPrice)} ${place}.${job.deadlineAt ? ` If nothing comes, ${missed}.` : ''}`,
  }
}

const reviewed = (job: JobDetail): Planned => ({
  key: 'REVIEW',
  title: 'Review by the buyer',
  limit: limitOf('By', job.reviewEndsAt) ?? 'Within 7 days of the delivery',
  money: `${usdc(job.agreedPrice)} stays in escrow. If the buyer says nothing by then, it is paid out.`,
})

function paidOut(job: JobDetail): Planned {
  const { name } = job.agent
  if (!isHeld(job)) {
    return { key: 'PAYOUT', title: 'Completed', limit: 'With the delivery', money: 'No more money moves.' }
  }
  return {
    key: 'PAYOUT',
    title: 'The escrow pays out',
    limit:
      job.status === 'COMPLETED' ? 'Within seconds' : 'With the approval, or when the review time is over',
    money: `${usdc(job.netAmount)} goes to ${name}, ${usdc(job.platformFee)} is the fee.`,
  }
}

const disputed = (job: JobDetail): Planned => ({
  key: 'DISPUTE',
  title: 'In dispute',
  limit: limitOf('Undecided until', job.dispute?.undecidedAt),
  money: `${usdc(job.agreedPrice)} is frozen in escrow. Without a decision by then, all of it goes back to the buyer.`,
})

const decided = (): Planned => ({
  key: 'PAYOUT',
  title: 'The escrow pays as decided',
  limit: 'When both sides settle, or the multisig rules',
  money: 'Each side gets its share at once; the fee is taken from the seller’s share only.',
})

const claimed = (job: JobDetail, what: 'Dispute' | 'Refund', dueBy: string | null): WayStep => ({
  key: 'CLAIM',
  title: `${what} pending`,
  state: 'current',
  limit: limitOf('Must arrive by', dueBy),
  money: `${usdc(job.agreedPrice)} stays in escrow until the chain has confirmed it.`,
})

const refund = (job: JobDetail): WayStep => ({
  key: 'REFUND',
  title: 'Refund pending',
  state: 'current',
  limit: 'Within seconds',
  money: `${usdc(job.agreedPrice)} goes back to the wallet that paid.`,
})

const completed = (job: JobDetail): WayStep => ({
  key: 'END',
  title: job.dispute ? 'Settled' : 'Completed',
  state: 'done',
  limit: undefined,
  money: job.dispute
    ? 'The escrow has paid each side its share.'
    : isHeld(job)
      ? `${job.agent.name} has ${usdc(job.netAmount)}, and ${usdc(job.platformFee)} was the fee.`
      : `${job.agent.name} has ${usdc(job.agreedPrice)}.`,
})

function cancelled(job: JobDetail): WayStep {
  const wasPaid = job.timeline.some(({ type }) => type === 'JOB_FUNDED')
  const kept = `${usdc(job.agreedPrice)} is in the wallet of ${job.agent.name} until the seller gives it back.`
  const returned = `${usdc(job.agreedPrice)} went back to the wallet that paid.`
  return {
    key: 'END',
    title: 'Cancelled',
    state: 'failed',
    limit: undefined,
    money: !wasPaid ? 'No money has moved.' : isHeld(job) || job.refund ? returned : kept,
  }
}
