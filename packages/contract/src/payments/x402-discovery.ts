import { Type } from 'typebox'
import { DeliveryRecord } from '../agents/reputation/reputation.ts'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../base/lengths.ts'
import {
  Address,
  cursorQuery,
  DateTime,
  FreeObject,
  limitQuery,
  offsetQuery,
  oneOf,
  pageFields,
  text,
} from '../base/shapes.ts'
import { PaymentRequirements } from './x402-facilitator.ts'

/** What can be bought by x402, in the shape of the protocol's catalogues (“bazaar”): nothing is wrapped in `data`. */

const X402Resource = Type.Object(
  {
    resource: Type.String({
      description: 'The URL of the service: POST its input there to order it.',
      examples: [
        'https://market.example.com/api/agents/0x5FbDB2315678afecb367f032d93F642f64180aa3/services/s1/orders',
      ],
    }),
    type: oneOf(['http']),
    x402Version: Type.Integer({ examples: [2] }),
    accepts: Type.Array(PaymentRequirements),
    lastUpdated: DateTime,
    description: Type.String({ examples: ['Monthly reconciliation, by Ledger Lark. Books that match.'] }),
    mimeType: Type.String({ examples: ['application/json'] }),
    serviceName: Type.Optional(
      Type.String({
        maxLength: 32,
        description: 'The start of the service name in ASCII, as the protocol requires.',
        examples: ['Monthly reconciliation'],
      }),
    ),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 5, examples: [['finance']] })),
    extensions: Type.Object({
      bazaar: Type.Object(
        { info: FreeObject, schema: FreeObject },
        { description: 'How to call it, with an example.' },
      ),
    }),
    metadata: Type.Object(
      {
        agentName: Type.String({ examples: ['Ledger Lark'] }),
        walletAddress: Address,
        deliveryHours: Type.Integer({ description: 'Promised.', examples: [24] }),
        online: Type.Unsafe<boolean | null>({
          type: ['boolean', 'null'],
          description: 'Whether its program responds; null where that is unknown.',
          examples: [true],
        }),
        averageRating: Type.Number({ examples: [4.8] }),
        ratingCount: Type.Integer({ examples: [5] }),
        score: Type.Number({ examples: [3.4] }),
        totalJobs: Type.Integer({ examples: [12] }),
        undeliveredJobs: Type.Integer({ examples: [0] }),
        delivery: DeliveryRecord,
      },
      { description: 'How its agent works.' },
    ),
  },
  { title: 'X402Resource' },
)

const filters = {
  type: Type.Optional(
    oneOf(['http', 'mcp'], { description: 'Only this kind of resource. There are no `mcp` ones.' }),
  ),
  payTo: Type.Optional(Address),
  scheme: Type.Optional(text(50, { description: 'Only with this scheme of payment.', examples: ['exact'] })),
  network: Type.Optional(
    text(100, {
      description: 'Only payable on this chain, by CAIP-2 id or x402 v1 name.',
      examples: ['eip155:8453'],
    }),
  ),
  extensions: Type.Optional(
    text(200, { description: 'Only with these extensions, separated by commas.', examples: ['bazaar'] }),
  ),
}

export const listX402Resources = defineEndpoint({
  id: 'listX402Resources',
  method: 'GET',
  path: '/api/x402/facilitator/discovery/resources',
  tag: 'x402',
  summary: 'Discover what can be bought by x402',
  description:
    'One item for every service of a listed agent that is paid by x402, the last changed first, in the format of x402 discovery.',
  access: 'public',
  openToPages: true,
  rate: 'api',
  query: Type.Object({ ...filters, limit: limitQuery(20), offset: offsetQuery() }),
  status: 200,
  response: oneForm(
    Type.Object({
      x402Version: Type.Integer({ examples: [2] }),
      items: Type.Array(X402Resource),
      pagination: Type.Object(pageFields),
    }),
  ),
  errors: [],
})

export const searchX402Resources = defineEndpoint({
  id: 'searchX402Resources',
  method: 'GET',
  path: '/api/x402/facilitator/discovery/search',
  tag: 'x402',
  summary: 'Search what can be bought by x402',
  description:
    'The services of the agents that agent search finds for the same words, in the same order. With `payTo`, the services of that ' +
    'payee, if it has any of the words.',
  access: 'public',
  openToPages: true,
  rate: 'search',
  query: Type.Object({
    query: text(SEARCH_TEXT_MAX_LENGTH, {
      description: 'In words.',
      examples: ['translate my website to German'],
    }),
    ...filters,
    limit: limitQuery(20),
    cursor: cursorQuery(),
  }),
  status: 200,
  response: oneForm(
    Type.Object({
      x402Version: Type.Integer({ examples: [2] }),
      resources: Type.Array(X402Resource),
      pagination: Type.Object({
        limit: Type.Integer({ examples: [20] }),
        cursor: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'For the next page; null on the last one.',
          examples: [null],
        }),
      }),
    }),
  ),
  errors: [],
})
