import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byBothSides } from '../base/key-rules.ts'
import { rateLimitsPerMinute } from '../base/limits.ts'
import { Address, FreeObject, ReportedAmount } from '../base/shapes.ts'

/**
 * The calls of an x402 facilitator. Their bodies are those of the x402 protocol, so that stock clients work with
 * `{base_url}/api/x402/facilitator` as facilitator URL; nothing is wrapped in `data`.
 */

export const Network = Type.String({
  maxLength: 100,
  description: 'CAIP-2 id of the chain.',
  examples: ['eip155:8453'],
})

export const PaymentRequirements = Type.Object(
  {
    scheme: Type.String({ maxLength: 50, examples: ['exact'] }),
    network: Network,
    amount: Type.String({ maxLength: 78, examples: ['25000000'] }),
    asset: Address,
    payTo: Address,
    maxTimeoutSeconds: Type.Integer({ minimum: 1, examples: [60] }),
    extra: FreeObject,
  },
  { title: 'PaymentRequirements' },
)
export type PaymentRequirements = Static<typeof PaymentRequirements>

/** As servers elsewhere write them, in either version of the protocol. */
export const GivenRequirements = Type.Object(
  {
    ...PaymentRequirements.properties,
    network: Type.String({
      maxLength: 100,
      description: 'CAIP-2 id of the chain; in version 1 its name, such as `base`.',
      examples: ['eip155:8453'],
    }),
    amount: Type.Optional(
      Type.String({ maxLength: 78, description: 'Required in version 2.', examples: ['25000000'] }),
    ),
    maxAmountRequired: Type.Optional(
      Type.String({ maxLength: 78, description: 'The amount in version 1.', examples: ['25000000'] }),
    ),
    extra: Type.Optional(
      Type.Union([FreeObject, Type.Null()], {
        description: 'What is left out is filled in: `name` and `version` of the token.',
        examples: [{ name: 'USD Coin', version: '2' }],
      }),
    ),
  },
  { title: 'GivenRequirements' },
)
export type GivenRequirements = Static<typeof GivenRequirements>

const FacilitatorRequest = Type.Object(
  {
    x402Version: Type.Integer({ minimum: 1, maximum: 2, examples: [2] }),
    paymentPayload: FreeObject,
    paymentRequirements: GivenRequirements,
  },
  { title: 'FacilitatorRequest' },
)

const withoutAccount =
  `What needs no account: the kinds that are supported, checking payments and the catalogue, ${rateLimitsPerMinute.api} calls a ` +
  'minute from one address, and orders at the URL of a service, whose gas is taken from the hourly budget of the wallet that pays.'
const listing =
  'A payload with the extension `bazaar` gets the header EXTENSION-RESPONSES, which says whether its resource is listed here.'

const requirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '25000000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}
const exampleRequest = {
  x402Version: 2,
  paymentPayload: {
    x402Version: 2,
    accepted: requirements,
    payload: {
      signature: `0x${'5c'.repeat(64)}1b`,
      authorization: {
        from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
        to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        value: '25000000',
        validAfter: '0',
        validBefore: '1794823200',
        nonce: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
  },
  paymentRequirements: requirements,
}

export const getX402Supported = defineEndpoint({
  id: 'getX402Supported',
  method: 'GET',
  path: '/api/x402/facilitator/supported',
  tag: 'x402',
  summary: 'See which x402 payments are settled here',
  description:
    'Schemes, networks, extensions and signers of the facilitator. Version 1 of x402 knows networks by name: its kind is listed where ' +
    `the chain has one (\`base\`, \`base-sepolia\`), so not on the sandbox's own chain. ${withoutAccount}`,
  access: 'public',
  openToPages: true,
  rate: 'api',
  status: 200,
  response: oneForm(
    Type.Object({
      kinds: Type.Array(
        Type.Object({
          x402Version: Type.Integer({ examples: [2] }),
          scheme: Type.String({ examples: ['exact'] }),
          network: Type.String({
            description: 'CAIP-2 id of the chain; in version 1 its name.',
            examples: ['eip155:8453'],
          }),
          extra: Type.Optional(FreeObject),
        }),
      ),
      extensions: Type.Array(Type.String(), { examples: [['bazaar']] }),
      signers: Type.Record(Type.String(), Type.Array(Address)),
    }),
  ),
  errors: [],
})

export const verifyX402Payment = defineEndpoint({
  id: 'verifyX402Payment',
  keys: byBothSides,
  method: 'POST',
  path: '/api/x402/facilitator/verify',
  tag: 'x402',
  summary: 'Check an x402 payment',
  description: `Checks signature, amount, recipient, time and balance. Nothing is moved, and no account is needed. ${listing}`,
  access: 'public',
  openToPages: true,
  rate: 'api',
  body: oneForm(FacilitatorRequest),
  status: 200,
  response: oneForm(
    Type.Object({
      isValid: Type.Boolean(),
      invalidReason: Type.Optional(Type.String({ examples: ['insufficient_funds'] })),
      invalidMessage: Type.Optional(
        Type.String({
          description: 'The same, for people.',
          examples: ['The payer does not hold that much USDC.'],
        }),
      ),
      payer: Type.Optional(Address),
    }),
  ),
  errors: [],
  examples: { body: exampleRequest },
})

export const settleX402Payment = defineEndpoint({
  id: 'settleX402Payment',
  keys: { scopes: ['hire'], money: 'uncapped' },
  method: 'POST',
  path: '/api/x402/facilitator/settle',
  tag: 'x402',
  summary: 'Settle an x402 payment',
  description:
    'Sends the payment to the chain and waits for it. The service pays the gas, so the call needs an account, the payee must be ' +
    'one of its agents or its treasury, the amount at least 0.001 USDC, and the payer somebody else. What one owner can cause in an ' +
    'hour is bounded (about 800 settlements, unless configured otherwise): beyond it RATE_LIMIT_EXCEEDED names the budget in ' +
    '`details.budget`. While the outcome is open, `errorReason` is `settlement_pending`: the same call again returns the outcome, and ' +
    `never pays twice. ${withoutAccount} ${listing}`,
  access: 'owner',
  withoutAccount,
  rate: 'api',
  refusesSuspended: true,
  body: oneForm(FacilitatorRequest),
  status: 200,
  response: oneForm(
    Type.Object({
      success: Type.Boolean(),
      errorReason: Type.Optional(Type.String({ examples: ['insufficient_funds'] })),
      errorMessage: Type.Optional(
        Type.String({
          description: 'The same, for people.',
          examples: ['The payer does not hold that much USDC.'],
        }),
      ),
      payer: Type.Optional(Address),
      transaction: Type.String({
        description:
          'The transaction hash. With `settlement_pending` it is the transaction that was signed for it; empty before that, and when ' +
          'it failed.',
        examples: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
      network: Type.String({
        description: 'As the requirements name it.',
        examples: ['eip155:8453'],
      }),
      amount: Type.Optional(ReportedAmount),
    }),
  ),
  errors: [],
  examples: { body: exampleRequest },
})
