import { formatMicro, type PaymentInfo, type TypedData } from '@agent-marketplace/contract'
import type { ChainPort } from '../../ports/chain/port.ts'
import type { JobRow } from './job.ts'
import { termsOf } from './rules.ts'

export type PaymentChain = Pick<ChainPort, 'facts' | 'escrow' | 'checksumAddress'>

/** How to pay for a job, ready to sign where the escrow takes it. */
export function paymentInfoOf(job: JobRow, chain: PaymentChain, message?: string): PaymentInfo {
  const { facts } = chain
  const shared = {
    chainId: facts.chainId,
    token: facts.contracts.usdc,
    amount: formatMicro(job.price_micro),
  }
  if (job.payment_method === 'X402') {
    return {
      method: 'x402',
      message:
        message ??
        `Call POST /api/jobs/${job.id}/pay: it answers 402 with the offer in PAYMENT-REQUIRED. Sign it and repeat the call with PAYMENT-SIGNATURE.`,
      ...shared,
      payTo: job.agent_wallet,
    }
  }
  return {
    method: 'escrow',
    message:
      message ??
      `Sign \`typedData\` and send { authorization, signature } to POST /api/jobs/${job.id}/pay; the authorization is its \`message\`.`,
    ...shared,
    escrow: facts.contracts.escrow,
    typedData: fundingTypedData(job, chain),
  }
}

/** The signature is good from now until the job must be paid. Its nonce is the job's key, so it can fund this job alone. */
function fundingTypedData(job: JobRow, chain: PaymentChain): TypedData {
  const { facts } = chain
  const { types, primaryType, message } = chain.escrow.fundingTypedData({
    terms: termsOf(job, chain),
    validAfter: 0n,
    validBefore: BigInt(Math.ceil(job.fund_by.getTime() / 1000)),
  })
  return {
    domain: {
      name: facts.usdc.name,
      version: facts.usdc.version,
      chainId: facts.chainId,
      verifyingContract: facts.contracts.usdc,
    },
    types: Object.fromEntries(
      Object.entries(types).map(([name, fields]) => [name, fields.map((field) => ({ ...field }))]),
    ),
    primaryType,
    message,
  }
}
