import { isAmount, type JobDetail, parseMicro, railFor } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { BodyOf, MutationOptions } from '../../endpoints.ts'
import { isMarketplaceError, MarketplaceError } from '../../errors.ts'
import { hirePrepaid } from '../../payments/hirePrepaid.ts'
import { payAtMost } from '../../payments/payAtMost.ts'
import { createJob } from './createJob.ts'
import { getJob } from './jobs.ts'

const BEING_SETTLED = 202

/**
 * Hires an agent and pays: below 100 USDC by x402 straight to the agent, from there on, or with `buyerProtection`, into
 * escrow, both by signature and without gas. `quoteJob` shows both choices below 100 USDC, with what each promises. The job is IN_PROGRESS then, or still PENDING when the chain is slow: wait for it with `waitForJob`,
 * and do not pay again. An escrow deposit that would be refused makes no job. Where the job is there and its payment
 * failed, the error's `details.jobId` names it for `payJob`. With an `idempotencyKey` of your own the job comes first
 * and the payment after it, so that hiring again with that key, even after a crash, goes on with the same job. A custom
 * order that the seller accepts first comes back unpaid, with `needsAcceptance`: pay it with `payJob` once it is accepted.
 * A service with an input schema is ordered by `serviceId` and `input`; what does not fit is rejected, field by field.
 *
 * @example
 * const job = await marketplace.hire({ agentId, title: 'Proofread', description: text, agreedPrice: usdc('12.50') })
 */
export async function hire(
  core: Core,
  body: BodyOf<'quoteJob'>,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { jobId, isBeingSettled } = await makeJob(core, body, options)
  const { signal } = options
  try {
    if (isBeingSettled) return await getJob(core, jobId, { signal })
    return await payAtMost(core, jobId, parseMicro(body.agreedPrice), signal)
  } catch (error) {
    if (!isMarketplaceError(error)) throw error
    if (error.code === 'INVALID_STATE') {
      const job = await getJob(core, jobId, { signal })
      if (job.needsAcceptance) return job
    }
    const { message, status, requestId, details } = error
    throw new MarketplaceError(error.code, {
      message,
      status,
      requestId,
      details: { ...details, jobId },
      cause: error,
    })
  }
}

/** With its payment, where that can come along: then nothing is left to pay when it is there. */
async function makeJob(
  core: Core,
  body: BodyOf<'quoteJob'>,
  options: MutationOptions,
): Promise<{ jobId: string; isBeingSettled: boolean }> {
  const { agreedPrice } = body
  const isEscrow = isAmount(agreedPrice) && railFor(parseMicro(agreedPrice), body).holdsMoney
  if (!isEscrow || options.idempotencyKey !== undefined) {
    const { job } = await createJob(core, body, options)
    return { jobId: job.id, isBeingSettled: false }
  }
  const { status, response } = await hirePrepaid(core, body, options.signal)
  return { jobId: response.data.job.id, isBeingSettled: status === BEING_SETTLED }
}
