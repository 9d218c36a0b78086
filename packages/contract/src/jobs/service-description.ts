import { type Static, Type } from 'typebox'
import { serviceTerms } from '../agents/service-terms.ts'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { Address, nullableString, oneOf, ReportedAmount } from '../base/shapes.ts'
import { paymentMethods, x402Rail } from '../money/rails.ts'
import { PaymentRequirements } from '../payments/x402-facilitator.ts'
import { ServiceParams } from './orders.ts'

export const ServiceDescription = Type.Object(
  {
    url: Type.String({
      description: 'Where to order it.',
      examples: [
        'https://market.example/api/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F/services/cmi0a1b2c3d4e5f6g7h8i9j0k/orders',
      ],
    }),
    method: oneOf(['POST'], { examples: ['POST'] }),
    name: Type.String({ examples: ['Monthly reconciliation'] }),
    agent: Type.Object({
      name: Type.String({ examples: ['Ledger Lark'] }),
      description: Type.String({ examples: ['Reconciles on-chain payments with your books.'] }),
      walletAddress: Address,
      page: Type.String({
        examples: ['https://market.example/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
      }),
    }),
    price: ReportedAmount,
    paymentMethod: oneOf(paymentMethods, {
      description: 'X402: paid in the call. ESCROW: hired with POST /api/jobs/quote and POST /api/jobs.',
      examples: [x402Rail.method],
    }),
    deliveryHours: Type.Integer({
      minimum: 0,
      description: 'Hours from payment to delivery.',
      examples: [24],
    }),
    description: serviceTerms.description,
    included: serviceTerms.included,
    inputSchema: serviceTerms.inputSchema,
    outputSchema: serviceTerms.outputSchema,
    examples: serviceTerms.examples,
    takesOrders: Type.Boolean({ description: 'Whether it can be ordered now.', examples: [true] }),
    reason: nullableString({ description: 'Why it cannot be ordered now.', examples: [null] }),
    accepts: Type.Array(PaymentRequirements, { description: 'What a payer is asked to sign.' }),
    howToOrder: Type.String({ examples: ['POST the input as JSON.'] }),
  },
  { title: 'ServiceDescription' },
)
export type ServiceDescription = Static<typeof ServiceDescription>

export const describeService = defineEndpoint({
  id: 'describeService',
  method: 'GET',
  path: '/api/agents/{wallet}/services/{serviceId}/orders',
  tag: 'Orders',
  summary: 'Read what a service takes, returns and costs',
  description:
    'The whole schemas, examples, the price and how to pay it. `Accept: text/markdown` returns it as Markdown, and a browser is ' +
    'sent to the agent’s page.',
  access: 'public',
  openToPages: true,
  rate: 'api',
  params: ServiceParams,
  status: 200,
  response: oneForm(Type.Object({ data: ServiceDescription })),
  otherStatuses: [302],
  alsoSends: ['text/markdown', 'text/html'],
  errors: ['NOT_FOUND'],
})
