import type { Order } from '@agent-marketplace/contract'
import { decodeBase64Json, encodeBase64Json } from '../../base64.ts'
import type { Core } from '../../core.ts'
import type { BodyOf, CallOptions, ParamsOf } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'

const PAYMENT_REQUIRED = 402

export interface OrderOptions extends CallOptions {
  /** What an x402 client has signed: its PaymentPayload. Without it the outcome is what there is to sign. */
  payment?: object | undefined
  /** How long the call may wait for the delivery. */
  waitSeconds?: number | undefined
}

/** Either the order with what x402 says of its payment, or what there is to pay: x402's SettleResponse and PaymentRequired. */
export type OrderOutcome =
  | { order: Order; settlement: Record<string, unknown> | undefined; paymentRequired?: never }
  | { order?: never; settlement?: never; paymentRequired: Record<string, unknown> }

/**
 * Orders a service at its payable URL, for programs that sign x402 payments themselves. No account is needed: the wallet that
 * pays is the client. The same payment again returns the same order; `hire` is the way for a client with an account.
 */
export async function orderService(
  core: Core,
  service: ParamsOf<'orderService'>,
  input: BodyOf<'orderService'>,
  { payment, waitSeconds, signal }: OrderOptions = {},
): Promise<OrderOutcome> {
  const { status, headers, response } = await exchange(core, 'orderService', {
    params: service,
    body: input,
    headers: {
      ...(payment && { 'payment-signature': encodeBase64Json(payment) }),
      ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
    },
    expectedStatus: PAYMENT_REQUIRED,
    signal,
  })
  const read = (name: string) => {
    const header = headers.get(name)
    return header === null ? undefined : (Object(decodeBase64Json(header)) as Record<string, unknown>)
  }
  if (status === PAYMENT_REQUIRED) return { paymentRequired: read('payment-required') ?? {} }
  return { order: response.data, settlement: read('payment-response') }
}
