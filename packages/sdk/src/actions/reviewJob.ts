import type { Review } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Reviews a completed job, once. */
export async function reviewJob(
  core: Core,
  jobId: string,
  body: BodyOf<'reviewJob'>,
  options: MutationOptions = {},
): Promise<Review> {
  const { response } = await exchange(core, 'reviewJob', { params: { id: jobId }, body, ...options })
  return response.data
}
