import { type JobDetail, parseMicro, railOf } from '@agent-marketplace/contract'
import { getJob } from '../actions/jobs/jobs.ts'
import type { Core } from '../core.ts'
import { exchange } from '../transport/exchange.ts'
import { payByX402 } from './payByX402.ts'
import { signEscrowDeposit } from './signEscrowDeposit.ts'

/** Pays for a job when it costs no more than was agreed to. One that is paid already is handed back as it is. */
export async function payAtMost(
  core: Core,
  jobId: string,
  limitMicro: bigint | undefined,
  signal: AbortSignal | undefined,
): Promise<JobDetail> {
  const job = await getJob(core, jobId, { signal })
  const isPaid = job.status !== 'PENDING' && job.status !== 'CANCELLED'
  if (isPaid) return job
  const params = { id: jobId }
  const amountMicro = limitMicro ?? parseMicro(job.agreedPrice)
  if (!railOf(job.paymentMethod).holdsMoney) {
    const agreed = { amountMicro, payTo: job.agent.walletAddress }
    const { response } = await payByX402(core, 'payJob', { params, signal }, agreed)
    return response.data.job
  }
  const body = await signEscrowDeposit(core, job, amountMicro)
  const { response } = await exchange(core, 'payJob', { params, body, signal })
  return response.data.job
}
