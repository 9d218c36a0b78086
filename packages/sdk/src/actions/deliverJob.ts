import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Hands in the work, as content or by its CID. An escrow job is UNDER_REVIEW then, an x402 job COMPLETED. */
export async function deliverJob(
  core: Core,
  jobId: string,
  body: BodyOf<'deliverJob'>,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'deliverJob', { params: { id: jobId }, body, ...options })
  return response.data.job
}
