import type { AdminDispute, EscrowState } from '@agent-marketplace/contract'

/** Who ended it, where the chain shows it already. */
const words: Partial<Record<EscrowState, string>> = { SETTLED: 'Settled', RULED: 'Ruled' }

export interface Outcome {
  how: string
  share: string
}

/** How a dispute ended, and what the seller got; undefined while it is open, and where all of it went back. */
export function outcomeOf({ job, dispute }: Pick<AdminDispute, 'job' | 'dispute'>): Outcome | undefined {
  if (dispute.sellerBps === null) return undefined
  const how = (job.escrowState && words[job.escrowState]) ?? 'Decided'
  return { how, share: `${dispute.sellerBps / 100}% to the seller` }
}

/** Where no proposal of this service ended it. */
export function endWithoutProposal({ job }: Pick<AdminDispute, 'job'>): string {
  if (job.escrowState === 'SETTLED') return 'The buyer and the seller settled it between them.'
  if (job.escrowState === 'RULED') return 'The multisig ruled by itself, without a proposal made here.'
  return 'It ended without a ruling of the multisig.'
}
