import {
  AppError,
  invalidField,
  type payJob,
  railOf,
  type SignedAuthorization,
} from '@agent-marketplace/contract'
import type { Budgets } from '../../../house/budgets.ts'
import type { PaidCall } from '../../../house/payments.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { type JudgeDeps, rolesOfCaller, unknownJob } from '../lifecycle/decisions.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { findJob } from '../lifecycle/store.ts'
import type { EscrowPayments, PaymentResult } from './escrow-payment.ts'
import { lockForPayment, spendOf } from './payable.ts'
import { payByX402, type RequirePayment } from './x402-payment.ts'

export interface PayingDeps extends JudgeDeps {
  db: Database
  requirePayment: RequirePayment
  budgets: Budgets
}

/** A call that may carry an x402 payment in its headers, and its caller. */
export type PayingCall = PaidCall & {
  principal: { ownerId: string; isAdmin: boolean; budget?: Principal['budget'] }
}

/** What became of the payment that came with a job. */
export type OpeningPayment =
  | { payment: 'DUE'; refusal?: string }
  | { payment: 'PENDING' }
  | { payment: 'SETTLED' }

/** Paying for jobs on either rail. */
export function createPaying(
  deps: PayingDeps,
  {
    payWithAuthorization,
    payWithTransaction,
  }: Pick<EscrowPayments, 'payWithAuthorization' | 'payWithTransaction'>,
) {
  const { db } = deps

  async function existing(jobId: string): Promise<JobRow> {
    const job = await findJob(db, jobId)
    if (!job) throw unknownJob()
    return job
  }

  const askOf = ({ principal, requestId }: PayingCall, jobId: string) => ({
    jobId,
    caller: principal,
    requestId,
    budget: principal.budget,
  })

  async function payFromWallet(call: PayingCall, job: JobRow): Promise<PaymentResult> {
    const ask = askOf(call, job.id)
    const spend = ask.budget && spendOf(job, ask.budget.id)
    const { outcome } = await payByX402(deps.requirePayment, call, job, {
      async check(queryable) {
        await lockForPayment(queryable, deps, ask)
        if (spend) await deps.budgets.checkPayment(queryable, spend)
      },
      async open(tx) {
        await lockForPayment(tx, deps, ask)
        if (spend) await deps.budgets.takePayment(tx, spend)
      },
    })
    return outcome === 'settled' ? 'SETTLED' : 'PENDING'
  }

  /** The job is there whatever becomes of the payment: one that is refused leaves it waiting for another. */
  async function openingOf(jobId: string, payment: Promise<PaymentResult>): Promise<OpeningPayment> {
    try {
      return { payment: await payment }
    } catch (error) {
      const isRefusal = error instanceof AppError && error.status < 500
      const isWaiting = isRefusal && (await existing(jobId)).status === 'PENDING'
      if (!isWaiting) throw error
      return { payment: 'DUE', refusal: error.message }
    }
  }

  return {
    /** With the payment that came with the hire; undefined where none did. */
    async payAtOnce(
      call: PayingCall,
      jobId: string,
      signed: SignedAuthorization | undefined,
    ): Promise<{ job: JobRow; opening: OpeningPayment } | undefined> {
      if (!signed && !carriesPayment(call)) return undefined
      const job = await existing(jobId)
      if (!railOf(job.paymentMethod).holdsMoney) {
        return { job, opening: await openingOf(jobId, payFromWallet(call, job)) }
      }
      if (!signed) return undefined
      const payment = payWithAuthorization(askOf(call, jobId), job, signed)
      return { job, opening: await openingOf(jobId, payment) }
    },

    async pay(
      call: PayingCall,
      jobId: string,
      { authorization, signature, txHash }: Call<typeof payJob>['body'],
    ): Promise<PaymentResult> {
      const job = await existing(jobId)
      if (!rolesOfCaller(job, call.principal).includes('CLIENT'))
        throw new AppError('FORBIDDEN', { message: 'Only the client pays for a job.' })
      const ask = askOf(call, jobId)
      if (!railOf(job.paymentMethod).holdsMoney) {
        if (!carriesPayment(call)) await lockForPayment(db, deps, ask)
        return payFromWallet(call, job)
      }
      const isSigned = authorization !== undefined && signature !== undefined
      if (isSigned === (txHash !== undefined)) {
        throw invalidField('authorization', 'with signature, or the txHash of your own deposit, is needed')
      }
      if (isSigned) return payWithAuthorization(ask, job, { authorization, signature })
      return payWithTransaction(job, txHash ?? '')
    },
  }
}

/** Both versions of x402 have a header of their own. */
function carriesPayment({ request: { headers } }: PayingCall): boolean {
  return headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined
}
