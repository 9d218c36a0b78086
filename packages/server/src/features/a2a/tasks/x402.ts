import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import type { PaidCall } from '../../../house/payments.ts'

/** The extension a2a-x402: payments inside of A2A messages. Both of its URIs are in use. */
export const X402_EXTENSION = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
export const X402_EXTENSION_V1 = 'https://github.com/google-a2a/a2a-x402/v0.1'
export const x402Extensions: readonly string[] = [X402_EXTENSION, X402_EXTENSION_V1]

type PaymentStatus =
  | 'payment-required'
  | 'payment-submitted'
  | 'payment-rejected'
  | 'payment-verified'
  | 'payment-completed'
  | 'payment-failed'

export interface SaidPayment {
  status: PaymentStatus
  required?: unknown
  receipts?: unknown[]
  error?: string
}

export const metadataOf = ({ status, required, receipts, error }: SaidPayment): Record<string, unknown> => ({
  'x402.payment.status': status,
  ...(required !== undefined && { 'x402.payment.required': required }),
  ...(receipts !== undefined && { 'x402.payment.receipts': receipts }),
  ...(error !== undefined && { 'x402.payment.error': error }),
})

/** The payment fields of a caller's message; undefined where it has none. */
export function paymentIn(metadata: Record<string, unknown> = {}): SentPayment | undefined {
  const { 'x402.payment.status': status, 'x402.payment.payload': payload } = metadata
  if (status === 'payment-rejected') return { kind: 'rejected' }
  if (status === 'payment-submitted' || payload !== undefined) return { kind: 'submitted', payload }
  return undefined
}

export type SentPayment = { kind: 'rejected' } | { kind: 'submitted'; payload: unknown }

/** The extension's word for why a payment failed, by that of x402. */
export function errorCodeOf(reason: string): string {
  const found = codes.find(([pattern]) => pattern.test(reason))
  return found?.[1] ?? 'SETTLEMENT_FAILED'
}

const codes: readonly (readonly [RegExp, string])[] = [
  [/insufficient/, 'INSUFFICIENT_FUNDS'],
  [/nonce/, 'DUPLICATE_NONCE'],
  [/valid_before|valid_after|expired/, 'EXPIRED_PAYMENT'],
  [/network|chain/, 'NETWORK_MISMATCH'],
  [/value|amount/, 'INVALID_AMOUNT'],
  [/signature/, 'INVALID_SIGNATURE'],
]

/** A paid call that arrived in a message, with its x402 response. */
export interface CarriedCall {
  call: PaidCall
  /** The 402 that it got. */
  required: () => unknown
  /** How its payment went. */
  receipt: () => unknown
}

/** Converts a payment from a message to the form of x402's HTTP transport. */
export function carry(given: {
  url: string
  requestId: string
  principal: { ownerId: string } | undefined
  payload?: unknown
}): CarriedCall {
  const said = new Map<string, string>()
  const { url, requestId, principal, payload } = given
  const headers =
    payload === undefined
      ? {}
      : { 'payment-signature': Buffer.from(JSON.stringify(payload)).toString('base64') }
  const read = (name: string, decode: (header: string) => unknown): unknown => {
    const header = said.get(name)
    return header === undefined ? undefined : decode(header)
  }
  return {
    call: {
      request: { url, headers },
      reply: {
        header: (name, value) => said.set(name.toLowerCase(), value),
        removeHeader: (name) => said.delete(name.toLowerCase()),
      },
      requestId,
      principal,
    },
    required: () => read('payment-required', decodePaymentRequiredHeader),
    receipt: () => read('payment-response', decodePaymentResponseHeader),
  }
}
