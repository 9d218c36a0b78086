import type { Transaction } from '../platform/db/transaction.ts'

/** What a feature announces to those that are composed after it. */
export interface Happenings {
  /** The agent has its pay (`by` 1), or a reorganisation has taken that back (`by` -1). */
  'job.paidOut': {
    job: { id: string; agentId: string; agentWallet: string }
    by: 1 | -1
  }
  /** Its seller can begin, or begin again after a request for changes; `round` counts from 1. */
  'job.workable': { jobId: string; agentId: string; round: number; workUntil: Date }
  /** The client has written a message in the job's room. */
  'job.clientWrote': { jobId: string }
  /** A party of each of these jobs is notified of something that has happened to it. */
  'jobs.noticed': { jobIds: readonly string[] }
  /** A refund from an agent's wallet has arrived, has failed, or was taken back by a reorganisation and is sent again. */
  'refund.confirmed': { jobId: string; txHash: string }
  'refund.failed': { jobId: string; failureReason: string }
  'refund.reopened': { jobId: string }
  /** The money of a large job has arrived, and its buyer was not verified when they hired. */
  'job.amlFlagged': { jobId: string; ownerId: string; amountMicro: bigint }
}

export type HappeningName = keyof Happenings

export interface HappeningHandler {
  happening: HappeningName
  handle(tx: Transaction, happened: Happenings[HappeningName]): Promise<void>
}

/** Handlers run in the transaction in which it happens, so that neither is without the other. */
export function createHappenings() {
  const handlers: HappeningHandler[] = []
  return {
    /** Before the service starts. */
    register: (handler: HappeningHandler) => void handlers.push(handler),

    async announce<Name extends HappeningName>(
      tx: Transaction,
      name: Name,
      happened: Happenings[Name],
    ): Promise<void> {
      for (const { happening, handle } of handlers) if (happening === name) await handle(tx, happened)
    },
  }
}

export type HappeningBoard = ReturnType<typeof createHappenings>

/** A handler that gets what its happening carries. */
export const whenHappens = <Name extends HappeningName>(
  happening: Name,
  handle: (tx: Transaction, happened: Happenings[Name]) => Promise<void>,
): HappeningHandler => ({ happening, handle })
