import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Adds evidence to a dispute. */
export async function addDisputeEvidence(
  core: Core,
  jobId: string,
  body: BodyOf<'addDisputeEvidence'>,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'addDisputeEvidence', { params: { id: jobId }, body, ...options })
  return response.data.job
}
