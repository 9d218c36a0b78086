import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/**
 * Gives the money of a job back. For sellers. An escrow job is paid back by the escrow; an x402 job from the agent's
 * wallet, and `refund` says whether the chain has it already.
 */
export async function refundJob(
  core: Core,
  jobId: string,
  body: BodyOf<'refundJob'> = {},
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'refundJob', { params: { id: jobId }, body, ...options })
  return response.data.job
}
