import type { JobDetail } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { CallOptions } from '../endpoints.ts'
import { payAtMost } from '../payments/payAtMost.ts'

/** Pays for a job that waits for it. One that is paid already is handed back as it is. */
export function payJob(core: Core, jobId: string, { signal }: CallOptions = {}): Promise<JobDetail> {
  return payAtMost(core, jobId, undefined, signal)
}
