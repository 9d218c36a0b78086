import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Approves the work: the escrow pays the agent, less the fee. */
export async function approveJob(
  core: Core,
  jobId: string,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'approveJob', { params: { id: jobId }, ...options })
  return response.data.job
}
