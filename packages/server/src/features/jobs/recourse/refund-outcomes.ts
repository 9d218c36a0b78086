import type { Transaction } from '../../../platform/db/transaction.ts'
import { noticesOf, noticeTo, usdc } from '../lifecycle/announcements.ts'
import { countX402Job, type DecisionDeps, type FollowPayout } from '../lifecycle/decisions.ts'
import { type JobRow, withoutPay } from '../lifecycle/job.ts'
import { lockJob, saveJob } from '../lifecycle/store.ts'
import { insertEvent, isPaidOut, removeEvents } from '../lifecycle/timeline-store.ts'
import { storeUndelivered } from './undelivered.ts'

export interface RefundOutcomeDeps
  extends Pick<DecisionDeps, 'clock' | 'newId' | 'notify' | 'addJobToTotals' | 'followUndelivered'> {
  followPayout: FollowPayout
}

/** What becomes of a job when its money went back, could not go back, or came out of the chain again by a fork. */
export function createRefundOutcomes(deps: RefundOutcomeDeps) {
  const { clock, newId, notify } = deps

  const locked = async (tx: Transaction, jobId: string): Promise<JobRow> => {
    const job = await lockJob(tx, jobId)
    if (!job) throw new Error(`there is no job ${jobId}`)
    return job
  }

  /** Money that went back was not earned, and a review of it counts for nothing. */
  async function replace(tx: Transaction, before: JobRow, after: JobRow): Promise<JobRow> {
    await saveJob(tx, after)
    if (await isPaidOut(tx, before)) {
      await countX402Job(tx, deps, before, -1)
      await countX402Job(tx, deps, after, 1)
      await deps.followPayout(tx, after, after.refundState === 'CONFIRMED' ? -1 : 1)
    }
    return storeUndelivered(tx, deps, after, clock.now())
  }

  return {
    async confirmed(tx: Transaction, { jobId, txHash }: { jobId: string; txHash: string }): Promise<void> {
      const job = await locked(tx, jobId)
      const now = clock.now()
      const after = await replace(tx, job, {
        ...job,
        status: 'CANCELLED',
        decidedStatus: 'CANCELLED',
        refundState: 'CONFIRMED',
        refundTxHash: txHash,
        refundedAt: now,
        endedAt: job.endedAt ?? now,
      })
      const message = `${usdc(job.priceMicro)} went back to the wallet that paid.`
      await insertEvent(tx, {
        id: newId(),
        jobId,
        type: 'JOB_REFUNDED',
        actor: 'SELLER',
        message,
        at: now,
        txHash,
      })
      const words = { type: 'JOB_REFUNDED', title: 'Money returned', message } as const
      await notify(tx, ...noticesOf(after, 'PLATFORM', words))
    },

    async failed(
      tx: Transaction,
      { jobId, failureReason }: { jobId: string; failureReason: string },
    ): Promise<void> {
      const job = await locked(tx, jobId)
      const now = clock.now()
      const kept: JobRow = { ...job, refundState: null, refundTxHash: null }
      const after = job.paidAt === null ? withoutPay(kept) : kept
      await saveJob(tx, after)
      await storeUndelivered(tx, deps, after, now)
      const message = `The refund did not go through. ${failureReason}`
      await insertEvent(tx, {
        id: newId(),
        jobId,
        type: 'REFUND_FAILED',
        actor: 'PLATFORM',
        message,
        at: now,
      })
      await notify(tx, noticeTo(job, 'SELLER', { type: 'PAYMENT_FAILED', title: 'Refund failed', message }))
    },

    async reopened(tx: Transaction, { jobId }: { jobId: string }): Promise<void> {
      const job = await locked(tx, jobId)
      await removeEvents(tx, jobId, 'JOB_REFUNDED')
      await replace(tx, job, { ...job, refundState: 'PENDING', refundTxHash: null, refundedAt: null })
    },
  }
}
