import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Offers to split the price. A new offer replaces the one before. */
export async function proposeSettlement(
  core: Core,
  jobId: string,
  body: BodyOf<'proposeSettlement'>,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'proposeSettlement', { params: { id: jobId }, body, ...options })
  return response.data.job
}
