import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Asks for changes, twice at most. */
export async function requestJobChanges(
  core: Core,
  jobId: string,
  body: BodyOf<'requestJobChanges'> = {},
  options: MutationOptions = {},
): Promise<JobDetail> {
  const { response } = await exchange(core, 'requestJobChanges', { params: { id: jobId }, body, ...options })
  return response.data.job
}
