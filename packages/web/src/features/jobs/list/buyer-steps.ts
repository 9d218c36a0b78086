import type { JobStatus } from '@agent-marketplace/contract'

/** The way of a newcomer, from a wallet to the first review. */
export const buyerSteps = ['signIn', 'fund', 'hire', 'review'] as const
export type BuyerStep = (typeof buyerSteps)[number]

/** From so many jobs on a buyer knows the way. */
export const JOBS_OF_A_NEWCOMER = 3

export interface BuyerFacts {
  /** Undefined where the chain cannot be asked. */
  balanceMicro: bigint | undefined
  jobs: readonly { status: JobStatus }[]
  hasReviewed: boolean
}

/** Jobs that nobody has paid for show no money. */
const unpaid: readonly JobStatus[] = ['PENDING', 'CANCELLED']

export function isStepDone(step: BuyerStep, { balanceMicro, jobs, hasReviewed }: BuyerFacts): boolean {
  switch (step) {
    // Only who is signed in sees it.
    case 'signIn':
      return true
    case 'fund':
      return (balanceMicro ?? 0n) > 0n || jobs.some(({ status }) => !unpaid.includes(status))
    case 'hire':
      return jobs.length > 0
    case 'review':
      return hasReviewed
  }
}

export const isOnTheWay = (facts: BuyerFacts): boolean => buyerSteps.some((step) => !isStepDone(step, facts))
