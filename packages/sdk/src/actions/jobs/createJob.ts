import type { PaymentInfo } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { BodyOf, DataOf, MutationOptions } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'

export interface CreatedJob {
  job: DataOf<'createJob'>['job']
  paymentInfo: PaymentInfo
}

/** Makes a job without paying for it: that is due within 24 hours. `hire` does both. */
export async function createJob(
  core: Core,
  body: BodyOf<'createJob'>,
  options: MutationOptions = {},
): Promise<CreatedJob> {
  const { response } = await exchange(core, 'createJob', { body, ...options })
  const { job, paymentInfo } = response.data
  return { job, paymentInfo }
}
