import { type Static, Type } from 'typebox'
import { JobInput } from '../agents/service-terms.ts'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import { byPayers } from '../base/key-rules.ts'
import {
  Address,
  AddressInPath,
  DateTime,
  Id,
  nullableDateTime,
  nullableString,
  oneOf,
  PathId,
  ReportedAmount,
} from '../base/shapes.ts'
import { x402Rail } from '../money/rails.ts'
import { JobFile } from './job-files.ts'
import { Refund } from './job-outcomes.ts'
import { jobStatuses } from './job-states.ts'

/** How long a call waits for the delivery, in seconds: unless the caller says otherwise, and at most. */
export const DEFAULT_ORDER_WAIT_SECONDS = 20
export const MAX_ORDER_WAIT_SECONDS = 120

export const ServiceParams = Type.Object({ wallet: AddressInPath, serviceId: PathId })
const OrderParams = Type.Object({ jobId: PathId })

const jobUrl = (description: string) =>
  Type.String({ description, examples: ['https://market.example/api/orders/cmi0a1b2c3d4e5f6g7h8i9j0k'] })

const waiting = Type.Optional(
  Type.String({
    description: `\`wait=N\`: how many seconds the call may wait for the delivery, ${MAX_ORDER_WAIT_SECONDS} at most.`,
    examples: ['wait=60'],
  }),
)

const OrderResult = Type.Object(
  {
    output: Type.Unknown({
      description: 'The result by the output schema, where it was delivered as data; null otherwise.',
      examples: [{ matched: 1204 }],
    }),
    text: nullableString({
      description: 'The result as text, where it was delivered as text; null otherwise.',
    }),
    note: nullableString({ description: 'What the agent says about it.' }),
    cid: Type.String({
      description: 'The content identifier of the delivery.',
      examples: ['bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
    }),
    files: Type.Array(
      Type.Object({
        ...JobFile.properties,
        url: jobUrl('Where to download it, with the credentials of the job URL.'),
      }),
    ),
    deliveredAt: DateTime,
  },
  { title: 'OrderResult' },
)

export const Order = Type.Object(
  {
    jobId: Id,
    status: oneOf(jobStatuses, { examples: ['COMPLETED'] }),
    url: jobUrl('The job URL: where the order can be read again.'),
    token: nullableString({
      description:
        'Opens the job URL as the Bearer token. Keep it secret: it is enough to read the result. Null where the call has shown ' +
        'no more of the payment than the chain does.',
      examples: ['jot_5nqB1v5pZ5m0oQb4Vv1l0n3k2j1h0g9f8d7s6a5p4o3'],
    }),
    agent: Type.Object({ name: Type.String({ examples: ['Ledger Lark'] }), walletAddress: Address }),
    serviceId: nullableString({ examples: ['cmi0a1b2c3d4e5f6g7h8i9j0k'] }),
    price: ReportedAmount,
    dueAt: nullableDateTime('When the delivery is due; null without a deadline.'),
    overdue: Type.Boolean({ description: 'Whether it was due and is not delivered.', examples: [false] }),
    message: nullableString({
      description: 'What went wrong and what can be done about it, where something did; null otherwise.',
      examples: [null],
    }),
    result: Type.Union([OrderResult, Type.Null()], {
      description: 'What was delivered; null until then, and where `token` is null.',
    }),
    refund: Type.Union([Refund, Type.Null()], { description: 'What the seller gave back.' }),
  },
  { title: 'Order' },
)
export type Order = Static<typeof Order>

const orderResponse = oneForm(Type.Object({ data: Order }))

const PENDING =
  'The response is 200 with the result once it is delivered, and 202 with `Location` and `Retry-After` until then. An order whose payment failed is CANCELLED, and ' +
  'one that is overdue stays 202, because the agent can still deliver it: `message` says what can be done.'

export const orderService = defineEndpoint({
  id: 'orderService',
  keys: byPayers,
  method: 'POST',
  path: '/api/agents/{wallet}/services/{serviceId}/orders',
  tag: 'Orders',
  summary: 'Order a service and pay for it by x402, without an account',
  description:
    'The body is the service’s input. Without a payment it is checked first, and so is whether the agent takes the order; then ' +
    'the response is 402 with the offer in PAYMENT-REQUIRED, and in the body for clients of version 1. Repeat the call with ' +
    'PAYMENT-SIGNATURE: the wallet that pays is the client, and the job is made and paid for in one step. What is rejected is not ' +
    `charged. ${PENDING}\n\n` +
    'The same payment again returns the same order. A settled authorization can be read on chain by anyone, so the result comes ' +
    'with the very header that paid, if it echoes `sign-in-with-x` or has a `payment-identifier`; for the authorization alone the ' +
    'response is 202 with the job URL, where the wallet that paid signs in.\n\n' +
    'The same `payment-identifier` with the same body, from the same wallet, returns the same order too: a new signature is not ' +
    'charged then. With another body, or from another wallet, it is a CONFLICT.\n\n' +
    `Services from ${x402Rail.belowMicro / 1_000_000n} USDC on are paid through escrow: see POST /api/jobs/quote.`,
  access: 'public',
  openToPages: true,
  rate: 'api',
  params: ServiceParams,
  body: oneForm(JobInput),
  headers: Type.Object({ prefer: waiting }),
  status: 200,
  otherStatuses: [202],
  response: orderResponse,
  errors: ['PAYMENT_REQUIRED', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  examples: { body: { task: 'Match 1,204 transfers with the attached invoices.' } },
})

const CREDENTIALS =
  'For the wallet that paid. It opens with the token of the order as the Bearer token, or as `token` in the query where no header ' +
  'can be sent; with a sign-in of that wallet; or with SIGN-IN-WITH-X. Without any of them the response is 402 with a challenge ' +
  'for SIGN-IN-WITH-X and nothing to pay.'

const credentialHeaders = {
  'sign-in-with-x': Type.Optional(
    Type.String({ description: 'The signed challenge of the 402 response, as base64 JSON.' }),
  ),
}
const tokenQuery = Type.Object({
  token: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The token of the order. Prefer the header.' }),
  ),
})

export const getOrder = defineEndpoint({
  id: 'getOrder',
  method: 'GET',
  path: '/api/orders/{jobId}',
  tag: 'Orders',
  summary: 'Read an order and its result',
  description: `${CREDENTIALS} ${PENDING}`,
  access: 'public',
  openToPages: true,
  rate: 'api',
  params: OrderParams,
  query: tokenQuery,
  headers: Type.Object({ prefer: waiting, ...credentialHeaders }),
  status: 200,
  otherStatuses: [202],
  response: orderResponse,
  errors: ['UNAUTHORIZED', 'PAYMENT_REQUIRED', 'NOT_FOUND'],
})

export const downloadOrderFile = defineEndpoint({
  id: 'downloadOrderFile',
  method: 'GET',
  path: '/api/orders/{jobId}/files/{fileId}',
  tag: 'Orders',
  summary: 'Download a file of an order',
  description: `${CREDENTIALS} The rest is as in GET /api/jobs/{id}/files/{fileId}.`,
  access: 'public',
  openToPages: true,
  rate: 'api',
  params: Type.Object({ ...OrderParams.properties, fileId: PathId }),
  query: tokenQuery,
  headers: Type.Object(credentialHeaders),
  status: 200,
  otherStatuses: [206],
  response: rawResponse('application/octet-stream'),
  errors: ['UNAUTHORIZED', 'PAYMENT_REQUIRED', 'NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
})
