import { type JobDetail, railOf, type TimelineEvent, type TimelineType } from '@agent-marketplace/contract'
import type { StepState } from '../../components/Stepper.tsx'

export interface JobStep {
  key: 'PENDING' | 'IN_PROGRESS' | 'UNDER_REVIEW' | 'DISPUTED' | 'COMPLETED' | 'CANCELLED'
  title: string
  state: StepState
  /** When it was reached or finished. */
  at: string | undefined
}

type StepJob = Pick<JobDetail, 'status' | 'paymentMethod' | 'timeline' | 'dispute'>

const lastOf = (timeline: readonly TimelineEvent[], ...types: TimelineType[]): string | undefined =>
  timeline.findLast(({ type }) => types.includes(type))?.createdAt

const endings: TimelineType[] = [
  'JOB_APPROVED',
  'REVIEW_ENDED',
  'SETTLEMENT_ACCEPTED',
  'ESCROW_RULED',
  'JOB_CANCELLED',
  'JOB_DECLINED',
  'JOB_EXPIRED',
  'JOB_REFUNDED',
  'DISPUTE_LAPSED',
]

/** A job's way: the straight one, or with the branch that it took. Only what has happened and what can still come. */
export function stepsOf({ status, paymentMethod, timeline, dispute }: StepJob): JobStep[] {
  const paidAt = lastOf(timeline, 'JOB_FUNDED')
  const deliveredAt = lastOf(timeline, 'JOB_DELIVERED')
  const endedAt = lastOf(timeline, ...endings)
  const isEscrow = railOf(paymentMethod).holdsMoney
  const wasDelivered = deliveredAt !== undefined
  const isOver = status === 'COMPLETED' || status === 'CANCELLED'
  const done = (reached: boolean, isNow: boolean): StepState =>
    isNow ? 'current' : reached ? 'done' : 'ahead'

  const payment = step('PENDING', 'Payment', done(paidAt !== undefined, status === 'PENDING'), paidAt)
  const work = step('IN_PROGRESS', 'Work', done(wasDelivered, status === 'IN_PROGRESS'), deliveredAt)
  const reviewedAt = dispute ? undefined : lastOf(timeline, 'JOB_APPROVED', 'REVIEW_ENDED')
  const review = step(
    'UNDER_REVIEW',
    'Review',
    done(reviewedAt !== undefined, status === 'UNDER_REVIEW'),
    reviewedAt,
  )
  const disputed = step(
    'DISPUTED',
    'Dispute',
    status === 'DISPUTED' ? 'current' : 'done',
    status === 'DISPUTED' ? dispute?.openedAt : endedAt,
  )
  const branch = dispute ? [disputed] : isEscrow ? [review] : []
  // A dispute about work that never came passes it by.
  const way = [payment, ...(dispute && !wasDelivered ? [] : [work]), ...branch]
  if (status === 'CANCELLED') {
    const walked = way.filter(({ state }) => state === 'done')
    return [...walked, step('CANCELLED', 'Cancelled', 'failed', endedAt)]
  }
  const completedAt = isOver ? (endedAt ?? deliveredAt) : undefined
  return [...way, step('COMPLETED', 'Completed', done(isOver, false), completedAt)]
}

const step = (key: JobStep['key'], title: string, state: StepState, at: string | undefined): JobStep => ({
  key,
  title,
  state,
  at: state === 'current' && key !== 'DISPUTED' ? undefined : at,
})
