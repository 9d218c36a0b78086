import { AppError } from '@agent-marketplace/contract'
import { SETTLEMENT_WAIT_MS } from '../../../house/payments.ts'
import type { Confirmation, StepsToChain } from '../../../house/steps.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Ask } from '../lifecycle/actions.ts'
import { type DecisionDeps, lockFor, rolesOfCaller, unknownJob } from '../lifecycle/decisions.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { wrongState } from '../lifecycle/moves/conditions.ts'
import { findJob, saveJob } from '../lifecycle/store.ts'
import { findLastEvent, insertEvent } from '../lifecycle/timeline-store.ts'

export interface RefundRequest {
  jobId: string
  agentId: string
  ownerId: string
  to: string
  amountMicro: bigint
  requestId: string | null
}

/** Sets the amount aside and orders the transfer, in the transaction that decides; rejects what the wallet cannot pay. */
export type OrderRefund = (tx: Transaction) => Promise<{ intentId: string }>

export interface RefundDeps extends DecisionDeps {
  db: Database
  intents: Pick<Intents, 'create' | 'waitFor'>
  /** Looks up what the agent's wallet holds, before the transaction. */
  prepareRefund: (request: RefundRequest) => Promise<OrderRefund>
  settlementWaitMs?: number
}

/**
 * Refunds of x402 jobs, from the agent's wallet to the wallet that paid. Asking for one changes nothing but that it is
 * under way: the job is CANCELLED when the chain has the transfer.
 */
export function createRefund(deps: RefundDeps) {
  const { db, settlementWaitMs = SETTLEMENT_WAIT_MS } = deps

  return (ask: Ask, reason?: string): StepsToChain<OrderRefund | undefined, string, Confirmation> => ({
    /** Undefined where there is nothing to pay from a wallet; the decision then says why. */
    async prepare() {
      const { jobId, caller, requestId } = ask
      const job = await findJob(db, jobId)
      if (!job || !rolesOfCaller(job, caller).includes('SELLER')) return undefined
      if (job.payerWallet === null || job.refundState !== null) return undefined
      return deps.prepareRefund({
        jobId,
        agentId: job.agentId,
        ownerId: job.sellerId,
        to: job.payerWallet,
        amountMicro: job.priceMicro,
        requestId,
      })
    },

    /** Returns the id of the intent. */
    async decide(tx, order) {
      const { job, made } = await lockFor(tx, deps, { ...ask, action: 'REFUND' })
      if (!order) throw new AppError('UNAVAILABLE', { message: 'The job changed just now. Try again.' })
      const started: JobRow = { ...job, decisions: job.decisions + 1, refundState: 'PENDING' }
      await saveJob(tx, started)
      const { intentId } = await order(tx)
      await insertEvent(tx, {
        id: deps.newId(),
        jobId: job.id,
        type: 'REFUND_STARTED',
        actor: made.actor,
        message: reason?.trim() || null,
        at: made.now,
      })
      return intentId
    },

    async conclude(_order, intentId) {
      if (intentId !== undefined) await deps.intents.waitFor(intentId, settlementWaitMs)
      const job = await findJob(db, ask.jobId)
      if (!job) throw unknownJob()
      if (job.refundState !== null) return job.refundState === 'CONFIRMED' ? 'SETTLED' : 'PENDING'
      const failure = await findLastEvent(db, ask.jobId, 'REFUND_FAILED')
      throw wrongState(job.status, [], failure?.message ?? 'The refund did not go through.')
    },
  })
}

export type Refund = ReturnType<typeof createRefund>
