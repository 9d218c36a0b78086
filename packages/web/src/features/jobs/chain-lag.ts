import type { EscrowState, Job, JobStatus, PendingAction } from '@agent-marketplace/contract'

/** Where the money may be once the chain has followed a decision. */
const confirmedStates: Record<JobStatus, readonly EscrowState[]> = {
  PENDING: ['UNFUNDED'],
  IN_PROGRESS: ['FUNDED'],
  UNDER_REVIEW: ['SUBMITTED'],
  DISPUTED: ['DISPUTED'],
  COMPLETED: ['RELEASED', 'SETTLED', 'RULED'],
  CANCELLED: ['UNFUNDED', 'REFUNDED', 'EXPIRED', 'SETTLED', 'RULED'],
}

/** A decision is stored at once and the escrow follows: true for as long as it has not. */
export function isChainBehind({ status, escrowState }: Pick<Job, 'status' | 'escrowState'>): boolean {
  return escrowState !== null && !confirmedStates[status].includes(escrowState)
}

/** A dispute, or a claim of a missed deadline, that the chain has not confirmed: until then the status stays as it was. */
export function openClaimOf({ pending }: Pick<Job, 'pending'>): PendingAction | undefined {
  return pending?.action === 'DISPUTE' || pending?.action === 'CANCEL' ? pending : undefined
}

const NOW_MS = 2_000
const CALM_MS = 20_000

/** The acting party is not notified of what follows on chain, so the page polls, often while something is pending. */
export function pollEveryMs(
  job: Pick<Job, 'status' | 'escrowState' | 'pending'> | undefined,
  isTransactionOpen: boolean,
): number | false {
  if (!job) return false
  if (isTransactionOpen || isChainBehind(job) || openClaimOf(job)) return NOW_MS
  return job.status === 'COMPLETED' || job.status === 'CANCELLED' ? false : CALM_MS
}
