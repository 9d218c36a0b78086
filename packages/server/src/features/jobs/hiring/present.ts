import {
  type createJob,
  formatMicro,
  formatUsdc,
  type PaymentInfo,
  paymentChoicesFor,
  type quoteJob,
} from '@agent-marketplace/contract'
import type { ResponseOf } from '../../../platform/http/call.ts'
import type { JobRow } from '../lifecycle/job.ts'
import type { OpeningPayment } from '../payment/paying.ts'
import {
  type OfferFor,
  type PaymentChain,
  paymentInfoOf,
  paymentNoteOf,
  quotedPaymentInfoOf,
} from '../payment/payment-info.ts'
import type { Quote } from './quotes.ts'

function openingPaymentInfo(job: JobRow, chain: PaymentChain, opening: OpeningPayment): PaymentInfo {
  switch (opening.payment) {
    case 'DUE':
      return paymentInfoOf(job, chain, opening.refusal)
    case 'PENDING':
      return paymentNoteOf(job, chain, 'The payment is being settled: do not pay again.')
    case 'SETTLED':
      return paymentNoteOf(job, chain, 'The job is paid.')
  }
}

/** A job is PENDING when it begins, and IN_PROGRESS when its payment came with it. */
export function presentCreated(
  job: JobRow,
  chain: PaymentChain,
  opening: OpeningPayment,
): ResponseOf<typeof createJob> {
  const status = opening.payment === 'SETTLED' ? 'IN_PROGRESS' : 'PENDING'
  const { id, paymentMethod, priceMicro, feeMicro } = job
  return {
    a: {
      data: { jobId: id, status, paymentMethod, agreedPriceUsdc: formatUsdc(priceMicro) },
    },
    b: {
      data: {
        job: {
          id,
          paymentMethod,
          status,
          agreedPrice: formatMicro(priceMicro),
          platformFee: formatMicro(feeMicro),
        },
        paymentInfo: openingPaymentInfo(job, chain, opening),
      },
    },
  }
}

export function presentQuote(
  { job, reservation, expiresAt }: Quote,
  chain: PaymentChain,
  offerFor: OfferFor,
): ResponseOf<typeof quoteJob> {
  return {
    data: {
      reservation,
      expiresAt: expiresAt.toISOString(),
      paymentMethod: job.paymentMethod,
      agreedPrice: formatMicro(job.priceMicro),
      platformFee: formatMicro(job.feeMicro),
      netAmount: formatMicro(job.netMicro),
      deadlineAt: job.deadlineAt?.toISOString() ?? null,
      deliveryHours: job.deliveryHours,
      needsAcceptance: job.needsAcceptance,
      choices: paymentChoicesFor(job.priceMicro),
      paymentInfo: quotedPaymentInfoOf(job, chain, offerFor),
    },
  }
}
