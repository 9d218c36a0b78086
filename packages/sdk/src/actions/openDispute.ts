import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Opens a dispute about an escrow job. It stops the release until it is settled or decided. */
export async function openDispute(
  core: Core,
  jobId: string,
  body: BodyOf<'openDispute'>,
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'openDispute', { params: { id: jobId }, body, ...options })
  return response.data.job
}
