import {
  formatMicro,
  type PaymentInfo,
  type PaymentRequirements,
  paymentWayOf,
  railInstructions,
  railOf,
  type TypedData,
} from '@agent-marketplace/contract'
import type { ChainPort } from '../../../ports/chain/port.ts'
import { termsOf } from '../lifecycle/escrow-terms.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { depositEndsAt } from './deposit-trial.ts'

export type PaymentChain = Pick<ChainPort, 'facts' | 'escrow' | 'checksumAddress'>

/** What an x402 payer is asked to sign. */
export type OfferFor = (terms: { payTo: string; amountMicro: bigint }) => PaymentRequirements

const ACCEPTED_FIRST = 'The seller accepts this order first. You can pay once that is done.'

/** How to pay for a job that is there, ready to sign where the escrow takes it. */
export function paymentInfoOf(job: JobRow, chain: PaymentChain, message?: string): PaymentInfo {
  if (job.needsAcceptance) return paymentNoteOf(job, chain, message ?? ACCEPTED_FIRST)
  const note = paymentNoteOf(job, chain, message ?? railInstructions[job.paymentMethod].forJob(job.id))
  return railOf(job.paymentMethod).holdsMoney ? { ...note, typedData: fundingTypedData(job, chain) } : note
}

/** How to pay for a job that is only quoted, in the call that makes it. */
export function quotedPaymentInfoOf(job: JobRow, chain: PaymentChain, offerFor: OfferFor): PaymentInfo {
  if (job.needsAcceptance) return paymentNoteOf(job, chain, ACCEPTED_FIRST)
  const note = paymentNoteOf(job, chain, railInstructions[job.paymentMethod].forQuote)
  if (railOf(job.paymentMethod).holdsMoney) return { ...note, typedData: fundingTypedData(job, chain) }
  return { ...note, requirements: offerFor({ payTo: job.agentWallet, amountMicro: job.priceMicro }) }
}

/** What is paid, and where to; nothing to sign. */
export function paymentNoteOf(job: JobRow, { facts }: PaymentChain, message: string): PaymentInfo {
  return {
    method: paymentWayOf(job.paymentMethod),
    message,
    chainId: facts.chainId,
    token: facts.contracts.usdc,
    amount: formatMicro(job.priceMicro),
    ...(railOf(job.paymentMethod).holdsMoney
      ? { escrow: facts.contracts.escrow }
      : { payTo: job.agentWallet }),
  }
}

/** The signature is good from now until the job must be paid. Its nonce is the job's key, so it can fund this job alone. */
function fundingTypedData(job: JobRow, chain: PaymentChain): TypedData {
  const { facts } = chain
  const { types, primaryType, message } = chain.escrow.fundingTypedData({
    terms: termsOf(job, chain),
    validAfter: 0n,
    validBefore: depositEndsAt(job),
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
