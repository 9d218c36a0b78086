import { type JobDetail, parseMicro } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { CallOptions } from '../../endpoints.ts'
import { payAtMost } from '../../payments/payAtMost.ts'

export interface PayOptions extends CallOptions {
  /** At most this much is signed for, in micro-units. Without it: the price that the job has. */
  agreedPrice?: string | undefined
}

/** Pays for a job that waits for it. One that is paid already is handed back as it is. */
export function payJob(
  core: Core,
  jobId: string,
  { signal, agreedPrice }: PayOptions = {},
): Promise<JobDetail> {
  const limitMicro = agreedPrice === undefined ? undefined : parseMicro(agreedPrice)
  return payAtMost(core, jobId, limitMicro, signal)
}
