import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Accepts a custom order, which the client can pay for then. For sellers. */
export async function acceptJob(
  core: Core,
  jobId: string,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'acceptJob', { params: { id: jobId }, ...options })
  return response.data.job
}
