import { createJob, payJob, quoteJob } from '@agent-marketplace/contract'
import { respondInSteps } from '../../house/steps.ts'
import type { Downloads } from '../../platform/csv/downloads.ts'
import { type Result, type Route, route, WithStatus, type WorkTogether } from '../../platform/http/call.ts'
import type { Hiring } from './hiring/hiring.ts'
import { presentCreated, presentQuote } from './hiring/present.ts'
import type { JobRow } from './lifecycle/job.ts'
import type { OfferFor, PaymentChain } from './payment/payment-info.ts'
import { presentDetail } from './reading/present.ts'
import type { JobsService } from './service.ts'

export interface JobsRoutesDeps {
  jobs: JobsService
  chain: PaymentChain
  /** What an x402 payer would be asked to sign. */
  offerFor: OfferFor
  downloads: Downloads
}

/** Quotes, hiring (optionally with its payment), and paying. */
export function paymentRoutes({ jobs, chain, offerFor }: JobsRoutesDeps): Route[] {
  const presentUnpaid = (job: JobRow) => presentCreated(job, chain, { payment: 'DUE' })

  const create: WorkTogether<typeof createJob, Hiring> = async (tx, hirings) =>
    (await jobs.createAll(tx, hirings)).map((outcome) =>
      outcome.status === 'rejected' ? outcome : { status: 'fulfilled', value: presentUnpaid(outcome.value) },
    )

  return [
    route(quoteJob, async ({ principal, body }) =>
      presentQuote(await jobs.quote(principal, body), chain, offerFor),
    ),

    route(createJob, async (call) => {
      const { principal, body, requestId } = call
      const hiring = { client: principal, body }
      const { reserved, signed } = jobs.readHire(hiring)
      const kept = reserved
        ? await respondInSteps(
            call,
            jobs.hireReserved({ ...hiring, requestId, reserved, signed }),
            presentUnpaid,
          )
        : await call.together(create, hiring)
      const paid = await jobs.payAtOnce(call, jobIdIn(kept), signed)
      if (!paid) return kept
      const response = presentCreated(paid.job, chain, paid.opening)
      return paid.opening.payment === 'PENDING' ? new WithStatus(202, response) : response
    }),

    route(payJob, async (call) => {
      const { principal, params, body } = call
      const result = await jobs.pay(call, params.id, body)
      const response = presentDetail(await jobs.detailOf(params.id, principal), principal, chain)
      return result === 'SETTLED' ? response : new WithStatus(202, response)
    }),
  ]
}

function jobIdIn(kept: Result<typeof createJob>): string {
  const { a } = kept instanceof WithStatus ? kept.value : kept
  return a.data.jobId
}
