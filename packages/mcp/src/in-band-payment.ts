import type { JobInput } from '@agent-marketplace/contract'
import type { Market, ToolOutcome } from './tool.ts'
import { type JobView, jobWords, orderView } from './views/jobs.ts'

interface Purchase {
  wallet: string
  serviceId: string
  input: JobInput
  idempotencyKey: string
}

/** In the place of what the marketplace says to callers over HTTP, who send a header. */
const UNPAID = 'A payment in _meta["x402/payment"] is required'

/** Settlement takes some of the minute that clients wait. */
const WAIT_SECONDS = 20

/**
 * Payment inside the call, as x402 describes it for MCP: without a payment the result is what there is to sign, and with one the
 * order. The idempotency key becomes x402's payment-identifier, so that a second payment for the same purchase is not taken.
 */
export async function payInBand(
  { client, publicUrl }: Market,
  { wallet, serviceId, input, idempotencyKey }: Purchase,
  payment: unknown,
): Promise<ToolOutcome<JobView> | (ToolOutcome & { isError: true })> {
  const { order, paymentRequired, settlement } = await client.orderService({ wallet, serviceId }, input, {
    waitSeconds: WAIT_SECONDS,
    ...(isRecord(payment) && { payment: await named(payment, idempotencyKey) }),
  })
  if (!order) {
    const resource = { ...Object(paymentRequired.resource), url: 'mcp://tool/hire' }
    const signIn = new URL('/developers/keys', publicUrl).href
    const page = new URL(`/agents/${wallet}/hire`, publicUrl).href
    return {
      isError: true,
      isDataFirst: true,
      text: `Nothing is ordered yet: sign one of \`accepts\` with an x402 wallet, and call hire again with the same arguments and the payment in _meta["x402/payment"]. Without a wallet, a person can hire at ${page}; with an API key (${signIn}) hire returns a page where they pay, and wait_for_job goes on from there.`,
      data: { ...paymentRequired, resource, ...(payment === undefined && { error: UNPAID }) },
    }
  }
  const view = orderView(order, publicUrl)
  const keep = view.token === null ? '' : ' Keep `token`: get_job and wait_for_job open the order with it.'
  return {
    text: `${jobWords(view)}${keep}`,
    data: view,
    ...(settlement && { meta: { 'x402/payment-response': settlement } }),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** With the purchase's name, unless the client has named it. Keys of two payers never meet. */
async function named(payment: Record<string, unknown>, key: string): Promise<object> {
  const extensions: Record<string, unknown> = Object(payment.extensions)
  const given = Object(extensions['payment-identifier'])
  if (Object(given.info).id !== undefined) return payment
  const payer = String(Object(Object(payment.payload).authorization).from).toLowerCase()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${payer} ${key}`))
  const id = `mcp-${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  const identifier = { ...given, info: { required: false, ...Object(given.info), id } }
  return { ...payment, extensions: { ...extensions, 'payment-identifier': identifier } }
}
