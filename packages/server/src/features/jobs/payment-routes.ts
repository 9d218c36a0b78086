import { AppError, createJob, invalidField, payJob, quoteJob, railOf } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import {
  type Call,
  type Result,
  type Route,
  route,
  WithStatus,
  type WorkTogether,
} from '../../platform/http/call.ts'
import type { Hiring } from './hiring/hiring.ts'
import type { JobRow } from './lifecycle/job.ts'
import type { PaymentResult } from './payment/escrow-payment.ts'
import type { OfferFor, PaymentChain } from './payment/payment-info.ts'
import { payByX402, type RequirePayment } from './payment/x402-payment.ts'
import { presentCreated, presentDetail, presentQuote } from './reading/present.ts'
import type { JobsService } from './service.ts'

export interface JobsRoutesDeps {
  jobs: JobsService
  chain: PaymentChain
  requirePayment: RequirePayment
  /** What an x402 payer would be asked to sign. */
  offerFor: OfferFor
}

/** Quotes, hiring (optionally with its payment), and paying. */
export function paymentRoutes({ jobs, chain, requirePayment, offerFor }: JobsRoutesDeps): Route[] {
  const requireFor = async (
    call: Pick<Call<typeof payJob>, 'request' | 'reply' | 'requestId' | 'principal'>,
    job: JobRow,
  ): Promise<PaymentResult> => {
    const check = (tx: Queryable) => jobs.checkPayable(tx, job.id, call.principal)
    const { outcome } = await payByX402(requirePayment, call, job, check)
    return outcome === 'settled' ? 'SETTLED' : 'PENDING'
  }

  /** The job is there whatever becomes of the payment: one that is refused leaves it waiting for another. */
  async function payAtOnce(
    { principal }: Call<typeof createJob>,
    job: JobRow,
    payment: Promise<PaymentResult>,
  ): Promise<Result<typeof createJob>> {
    try {
      const response = presentCreated(job, chain, { payment: await payment })
      return response.a.data.status === 'IN_PROGRESS' ? response : new WithStatus(202, response)
    } catch (error) {
      const isRefusal = error instanceof AppError && error.status < 500
      const isWaiting = isRefusal && (await jobs.find(job.id, principal)).job.status === 'PENDING'
      if (!isWaiting) throw error
      return presentCreated(job, chain, { payment: 'DUE', refusal: error.message })
    }
  }

  async function pay(call: Call<typeof payJob>, job: JobRow): Promise<PaymentResult> {
    const { authorization, signature, txHash } = call.body
    if (!railOf(job.payment_method).holdsMoney) {
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

  const create: WorkTogether<typeof createJob, Hiring> = async (tx, hirings) =>
    (await jobs.createAll(tx, hirings)).map((outcome) =>
      outcome.status === 'rejected'
        ? outcome
        : { status: 'fulfilled', value: presentCreated(outcome.value, chain, { payment: 'DUE' }) },
    )

  return [
    route(quoteJob, async ({ principal, body }) =>
      presentQuote(await jobs.quote(principal, body), chain, offerFor),
    ),

    route(createJob, async (call) => {
      const { principal, body, requestId } = call
      const hiring = { client: principal, body }
      const prepaid = await jobs.readPrepaid(principal, body)
      const response = prepaid
        ? await call.transaction(async (tx) => {
            const job = await jobs.createPrepaid(tx, { ...hiring, requestId }, prepaid)
            return presentCreated(job, chain, { payment: 'DUE' })
          })
        : await call.together(create, hiring)
      const signed = prepaid?.signed
      if (!signed && !carriesPayment(call)) return response
      const { a } = response instanceof WithStatus ? response.value : response
      const { job } = await jobs.find(a.data.jobId, principal)
      if (!railOf(job.payment_method).holdsMoney) return payAtOnce(call, job, requireFor(call, job))
      if (!signed) return response
      const ask = { jobId: job.id, caller: principal, requestId }
      return payAtOnce(call, job, jobs.escrowPayments.payWithAuthorization(ask, job, signed))
    }),

    route(payJob, async (call) => {
      const { principal, params } = call
      const { job, isClient } = await jobs.find(params.id, principal)
      if (!isClient) throw new AppError('FORBIDDEN', { message: 'Only the client pays for a job.' })
      const result = await pay(call, job)
      const response = presentDetail(await jobs.detailOf(params.id, principal), principal, chain)
      return result === 'SETTLED' ? response : new WithStatus(202, response)
    }),
  ]
}

/** Both versions of x402 have a header of their own. */
function carriesPayment({ request: { headers } }: Pick<Call<typeof payJob>, 'request'>): boolean {
  return headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined
}
