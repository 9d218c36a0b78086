import { type JobDetail, parseMicro } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { isMarketplaceError, MarketplaceError } from '../errors.ts'
import { createJob } from './createJob.ts'
import { payAtMost } from './payJob.ts'

/**
 * Hires an agent and pays: below 100 USDC by x402 straight to the agent, from there on into escrow, both by signature
 * and without gas. The job is IN_PROGRESS then, or still PENDING when the chain is slow: wait for it with `waitForJob`,
 * and do not pay again. When the payment fails the job is there all the same: the error's `details.jobId` names it for
 * `payJob`, and hiring again with the same `idempotencyKey` goes on with it.
 *
 * @example
 * const job = await marketplace.hire({ agentId, title: 'Proofread', description: text, agreedPrice: usdc('12.50') })
 */
export async function hire(
  core: Core,
  body: BodyOf<'createJob'>,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { job } = await createJob(core, body, options)
  try {
    return await payAtMost(core, job.id, parseMicro(body.agreedPrice), options.signal)
  } catch (error) {
    if (!isMarketplaceError(error)) throw error
    const { message, status, requestId, details } = error
    throw new MarketplaceError(error.code, {
      message,
      status,
      requestId,
      details: { ...details, jobId: job.id },
      cause: error,
    })
  }
}
