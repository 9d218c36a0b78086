import { AppError } from '@agent-marketplace/contract'
import {
  JOB_PURPOSE,
  type PaidCall,
  type PaidCalls,
  type PaidThing,
  type PaymentPurpose,
} from '../../../house/payments.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { noticeTo, usdc } from '../lifecycle/announcements.ts'
import {
  countX402Job,
  type DecisionDeps,
  type FollowPayout,
  type JudgeDeps,
  lockFor,
} from '../lifecycle/decisions.ts'
import { type JobRow, keepsPay, withoutPay } from '../lifecycle/job.ts'
import { findJob, lockJob, saveJob } from '../lifecycle/store.ts'
import { insertEvent, removeEvents } from '../lifecycle/timeline-store.ts'
import { announceWork } from '../lifecycle/work.ts'
import { clocksFrom, storeUndelivered } from '../recourse/undelivered.ts'

/** The x402 side of a paid call: it settles, says that it is not settled yet, or throws the challenge. */
export type RequirePayment = PaidCalls['requirePayment']

export interface PurposeDeps
  extends JudgeDeps,
    Pick<DecisionDeps, 'newId' | 'notify' | 'addJobToTotals' | 'followUndelivered' | 'followWork'> {
  followPayout: FollowPayout
}

/** Asks for the payment of a job, straight to the agent's wallet and without a fee. */
export function payByX402(
  requirePayment: RequirePayment,
  call: PaidCall,
  job: JobRow,
  checks: Pick<PaidThing, 'check' | 'open'>,
): Promise<{ outcome: 'settled' | 'unknown' }> {
  return requirePayment(call, {
    purpose: JOB_PURPOSE,
    reference: job.id,
    payTo: job.agentWallet,
    amountMicro: job.priceMicro,
    description: `Job: ${job.title}`,
    ...checks,
  })
}

export function jobPaymentPurpose(deps: PurposeDeps): PaymentPurpose {
  const { clock, newId, notify, followPayout } = deps
  const existing = async (tx: Queryable, jobId: string, find: typeof findJob): Promise<JobRow> => {
    const job = await find(tx, jobId)
    if (!job) throw new AppError('INTERNAL_ERROR', { message: `There is no job ${jobId}` })
    return job
  }

  /** No other payment is to come for it. */
  async function endUnpaid(tx: Transaction, job: JobRow, message: string): Promise<void> {
    const { made } = await lockFor(tx, deps, { jobId: job.id, action: 'EXPIRE', caller: 'PLATFORM' })
    const { actor, now: at } = made
    const status = 'CANCELLED'
    const decisions = job.decisions + 1
    await saveJob(tx, { ...job, status, decidedStatus: status, decisions, endedAt: at })
    await insertEvent(tx, { id: newId(), jobId: job.id, type: 'JOB_EXPIRED', actor, message, at })
  }

  return {
    name: JOB_PURPOSE,
    journalKind: 'x402',
    async journalReference(tx, { reference: jobId }) {
      const job = await existing(tx, jobId, findJob)
      return { jobId, agentId: job.agentId, ownerId: job.sellerId }
    },

    async onSettled(tx, { reference, payer, amountMicro, txHash }) {
      const job = await existing(tx, reference, lockJob)
      const message = `${usdc(amountMicro)} went to the agent’s wallet.`
      await insertEvent(tx, {
        id: newId(),
        jobId: job.id,
        type: 'JOB_FUNDED',
        actor: 'CLIENT',
        message,
        at: clock.now(),
        txHash,
      })
      // Paying one's own agent from another wallet buys no reputation.
      const sellersOwn = [job.agentWallet, job.sellerWallet].map((wallet) => wallet.toLowerCase())
      const counts = job.counts && !sellersOwn.includes(payer.toLowerCase())
      const status = job.status === 'PENDING' ? 'IN_PROGRESS' : job.status
      const now = clock.now()
      const clocks = clocksFrom(now, { ...job, counts })
      const paid = { ...job, ...clocks, status, decidedStatus: status, counts, payerWallet: payer }
      await saveJob(tx, paid)
      await announceWork(tx, deps, job, paid, now)
      // It was delivered before a fork took the first payment back: it counts again.
      await countX402Job(tx, deps, paid, 1)
      await storeUndelivered(tx, deps, paid, now)
      if (keepsPay(paid)) await followPayout(tx, paid, 1)
      await notify(tx, noticeTo(job, 'SELLER', { type: 'JOB_FUNDED', title: 'Job paid', message }))
    },

    async onRejected(tx, { reference, reason }) {
      const job = await existing(tx, reference, lockJob)
      const message = `The payment was not accepted: ${reason}.`
      if (job.paidInCall && job.status === 'PENDING') await endUnpaid(tx, job, message)
      const words = { type: 'PAYMENT_FAILED', title: 'Payment refused', message } as const
      await notify(tx, noticeTo(job, 'CLIENT', words))
      // The seller has heard of the payment that a fork took back.
      if (job.paidInCall && job.payerWallet !== null && job.clientId !== job.sellerId)
        await notify(tx, noticeTo(job, 'SELLER', words))
    },

    /** A fork took back what the rejection rested on. What ended with it waits for the payment again. */
    async onReopened(tx, { reference }) {
      const job = await existing(tx, reference, lockJob)
      if (!job.paidInCall || job.status !== 'CANCELLED') return
      const removed = await removeEvents(tx, job.id, 'JOB_EXPIRED')
      // Migration 0059 ended orders without an event. Whatever else ends one is a decision.
      if (removed === 0 && job.decisions > 0) return
      await saveJob(tx, { ...job, status: 'PENDING', decidedStatus: 'PENDING', endedAt: null })
    },

    /** The payment is sent again. Work that was delivered meanwhile stays delivered, but counts only once it is paid. */
    async onReverted(tx, { reference }) {
      const job = await existing(tx, reference, lockJob)
      await removeEvents(tx, job.id, 'JOB_FUNDED')
      await countX402Job(tx, deps, job, -1)
      await followPayout(tx, job, -1)
      const unpaid = withoutPay(job)
      await saveJob(tx, unpaid)
      await storeUndelivered(tx, deps, unpaid, clock.now())
    },
  }
}
