import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Accepts the other party's offer: the escrow pays both shares. */
export async function acceptSettlement(
  core: Core,
  jobId: string,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'acceptSettlement', { params: { id: jobId }, ...options })
  return response.data.job
}
