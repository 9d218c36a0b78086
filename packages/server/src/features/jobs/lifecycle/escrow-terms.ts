import type { ChainPort, JobTerms } from '../../../ports/chain/port.ts'
import type { JobRow } from './job.ts'

type TermsOf = Pick<
  JobRow,
  'id' | 'clientWallet' | 'sellerWallet' | 'agentWallet' | 'priceMicro' | 'deadlineAt'
>

/** What the escrow is to hold the parties to. */
export function termsOf(
  job: TermsOf,
  { escrow, checksumAddress }: Pick<ChainPort, 'escrow' | 'checksumAddress'>,
): JobTerms {
  return {
    jobRef: escrow.refOf(job.id),
    client: checksumAddress(job.clientWallet),
    seller: checksumAddress(job.sellerWallet),
    agentWallet: checksumAddress(job.agentWallet),
    amountMicro: job.priceMicro,
    deadline: job.deadlineAt === null ? 0 : job.deadlineAt.getTime() / 1000,
  }
}
