import type { PaymentPayload } from '@x402/core/types'
import type { Offer, Payment } from './port.ts'

/** The payment in the words of the x402 libraries. */
export function toPaymentPayload(payment: Payment, offer: Offer): PaymentPayload {
  return {
    x402Version: 2,
    accepted: offer,
    payload: {
      signature: payment.signature,
      authorization: {
        from: payment.payer,
        to: payment.payTo,
        value: payment.amountMicro.toString(),
        validAfter: payment.validAfter.toString(),
        validBefore: payment.validBefore.toString(),
        nonce: payment.nonce,
      },
    },
  }
}
