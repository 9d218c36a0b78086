import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Declines a job that is not paid yet. For sellers. */
export async function declineJob(
  core: Core,
  jobId: string,
  body: BodyOf<'declineJob'> = {},
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'declineJob', { params: { id: jobId }, body, ...options })
  return response.data.job
}
