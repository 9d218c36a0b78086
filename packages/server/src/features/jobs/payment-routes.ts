import { AppError, createJob, invalidField, payJob } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type AnswerOf, type Call, type Route, route, WithStatus } from '../../platform/http/call.ts'
import type { PaymentResult } from './escrow-payment.ts'
import type { JobRow } from './job.ts'
import { presentCreated, presentDetail } from './present.ts'
import type { JobsRoutesDeps } from './routes.ts'
import { payByX402 } from './x402-payment.ts'

/** The two calls that pay: hiring, where an x402 payment may come along, and paying by itself. */
export function paymentRoutes({ jobs, chain, requirePayment }: JobsRoutesDeps): Route[] {
  const requireFor = async (
    call: Pick<Call<typeof payJob>, 'request' | 'reply' | 'requestId' | 'principal'>,
    job: JobRow,
  ): Promise<PaymentResult> => {
    const check = (tx: Queryable) => jobs.checkPayable(tx, job.id, call.principal)
    const { outcome } = await payByX402(requirePayment, call, job, check)
    return outcome === 'settled' ? 'SETTLED' : 'PENDING'
  }

  /** The job is there whatever becomes of the payment: one that is not accepted leaves it waiting for another. */
  async function payAtOnce(call: Call<typeof createJob>, job: JobRow): Promise<AnswerOf<typeof createJob>> {
    try {
      const result = await requireFor(call, job)
      const message =
        result === 'SETTLED' ? 'The job is paid.' : 'The payment is being settled: do not pay again.'
      return presentCreated(job, chain, { isPaid: result === 'SETTLED', message })
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      return presentCreated(job, chain, { isPaid: false, message: error.message })
    }
  }

  async function pay(call: Call<typeof payJob>, job: JobRow): Promise<PaymentResult> {
    const { authorization, signature, txHash } = call.body
    if (job.payment_method === 'X402') {
      if (!carriesPayment(call)) await jobs.checkPayableNow(job.id, call.principal)
      return requireFor(call, job)
    }
    const isSigned = authorization !== undefined && signature !== undefined
    if (isSigned === (txHash !== undefined)) {
      throw invalidField('authorization', 'with signature, or the txHash of your own deposit, is needed')
    }
    const ask = { jobId: job.id, caller: call.principal, requestId: call.requestId }
    if (isSigned) return jobs.escrowPayments.payWithAuthorization(ask, job, { authorization, signature })
    return jobs.escrowPayments.payWithTransaction(job, txHash ?? '')
  }

  return [
    route(createJob, async (call) => {
      const { principal, body, transaction } = call
      const answer = await transaction(async (tx) =>
        presentCreated(await jobs.create(tx, principal, body), chain, { isPaid: false }),
      )
      if (!carriesPayment(call)) return answer
      const { a } = answer instanceof WithStatus ? answer.value : answer
      const { job } = await jobs.find(a.data.jobId, principal)
      return job.payment_method === 'X402' ? payAtOnce(call, job) : answer
    }),

    route(payJob, async (call) => {
      const { principal, params } = call
      const { job, isClient } = await jobs.find(params.id, principal)
      if (!isClient) throw new AppError('FORBIDDEN', { message: 'Only the client pays for a job.' })
      const result = await pay(call, job)
      const answer = presentDetail(await jobs.detailOf(params.id, principal), principal, chain)
      return result === 'SETTLED' ? answer : new WithStatus(202, answer)
    }),
  ]
}

/** Both versions of x402 have a header of their own. */
function carriesPayment({ request: { headers } }: Pick<Call<typeof payJob>, 'request'>): boolean {
  return headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined
}
