import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Cancels a job that is not paid, or one whose deadline passed a day ago; the escrow pays everything back. */
export async function cancelJob(
  core: Core,
  jobId: string,
  body: BodyOf<'cancelJob'> = {},
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'cancelJob', { params: { id: jobId }, body, ...options })
  return response.data.job
}
