import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** One job with its timeline, delivery and dispute. */
export async function getJob(core: Core, jobId: string, { signal }: CallOptions = {}): Promise<JobDetail> {
  const { response } = await exchange(core, 'getJob', { params: { id: jobId }, signal })
  return response.data.job
}
