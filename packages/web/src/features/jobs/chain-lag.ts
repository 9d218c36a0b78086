import type { EscrowState, Job, JobStatus } from '@agent-marketplace/contract'

/** Where the money may be once the chain has followed a decision. */
const settledStates: Record<JobStatus, readonly EscrowState[]> = {
  PENDING: ['UNFUNDED'],
  IN_PROGRESS: ['FUNDED'],
  UNDER_REVIEW: ['SUBMITTED'],
  DISPUTED: ['DISPUTED'],
  COMPLETED: ['RELEASED', 'SETTLED', 'RULED'],
  CANCELLED: ['UNFUNDED', 'REFUNDED', 'EXPIRED', 'SETTLED', 'RULED'],
}

/** A decision is stored at once and the escrow follows: true for as long as it has not. */
export function isChainBehind({ status, escrowState }: Pick<Job, 'status' | 'escrowState'>): boolean {
  return escrowState !== null && !settledStates[status].includes(escrowState)
}

const NOW_MS = 2_000
const CALM_MS = 20_000

/** Who acts is not told of what follows on chain, so the page looks by itself: often while something is under way. */
export function pollEveryMs(
  job: Pick<Job, 'status' | 'escrowState'> | undefined,
  isTransactionOpen: boolean,
): number | false {
  if (!job) return false
  if (isTransactionOpen || isChainBehind(job)) return NOW_MS
  return job.status === 'COMPLETED' || job.status === 'CANCELLED' ? false : CALM_MS
}
