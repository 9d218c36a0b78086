import type { Queryable } from '../platform/db/queryable.ts'

/** An ended job, as its agent's totals count it. */
export interface EndedJob {
  jobId: string
  agentId: string
  /** COMPLETED: the agent was paid. CANCELLED: it had been paid for, and the money went back. */
  outcome: 'COMPLETED' | 'CANCELLED'
  /** False for a job with one's own agent, or below what counts: it says nothing about the agent. */
  counts: boolean
  /** What the client paid. */
  volumeMicro: bigint
  /** What reached the agent's wallet. */
  earnedMicro: bigint
  /** -1 where the fact is taken back, as when the chain replaced its block; otherwise 1. */
  by?: 1 | -1
}

export type AddJobToTotals = (tx: Queryable, job: EndedJob) => Promise<void>
