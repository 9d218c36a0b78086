import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { apiKeyScopes, byBothSides, byWholeAccount } from '../base/key-rules.ts'
import { API_KEY_NAME_MAX_LENGTH } from '../base/lengths.ts'
import { IdParams, nullableDateTime, oneOf, text } from '../base/shapes.ts'
import { Budget, credentialFields, wantedAccessFields, wantedBudgetFields } from './credentials.ts'

const SCOPES =
  '`read` covers every GET. Of the calls that change something, `hire` covers what buyers do, `sell` what sellers do, and `write` all of them.'

const apiKeyFields = credentialFields({
  own: {
    name: Type.String({ examples: ['Nightly import'] }),
    prefix: Type.String({
      description: 'The first characters, to identify the key.',
      examples: ['amk_9f86d0'],
    }),
  },
  scopes: Type.Array(oneOf(apiKeyScopes), {
    description: `What the key may do. ${SCOPES}`,
    examples: [['read']],
  }),
  expiresAt: nullableDateTime('When it stops working; null for never.'),
})

export const ApiKey = Type.Object(apiKeyFields, { title: 'ApiKey' })
export type ApiKey = Static<typeof ApiKey>

export const createApiKey = defineEndpoint({
  id: 'createApiKey',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'Make an API key',
  description:
    'A key works like a session: `Authorization: Bearer <key>`. Keys are free; the API_ACCESS plan gives them 10 times the rate ' +
    'limits, ENTERPRISE 100 times. The key is shown once.\n\n' +
    'A key with `budget` hires and pays only within it: each job counts from its hire, and what is cancelled or comes back is given ' +
    'back. A hire or payment beyond it is BUDGET_EXCEEDED. With a budget, or with a list of whom it may hire, a key does nothing ' +
    'else that moves your money: no plans, no withdrawals, no refunds, no verification fee.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  body: oneForm(
    Type.Object({
      name: text(API_KEY_NAME_MAX_LENGTH, { examples: ['Nightly import'] }),
      ...wantedAccessFields({
        scopes: apiKeyScopes,
        scopesDescription: `${SCOPES} Without it: \`read\` and \`write\`.`,
        days: { maximum: 3650, description: 'Without it the key does not expire.', example: 365 },
      }),
      ...wantedBudgetFields,
    }),
  ),
  status: 201,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        ...apiKeyFields,
        key: Type.String({ examples: ['amk_9f86d081884c7d659a2feaa0c55ad015'] }),
      }),
    }),
  ),
  errors: ['CONFLICT'],
  examples: {
    body: {
      name: 'Nightly import',
      scopes: ['read', 'hire'],
      expiresInDays: 365,
      budget: { perJob: '5000000', perDay: '20000000' },
    },
  },
})

export const listApiKeys = defineEndpoint({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'List your API keys',
  description: 'Those that still work, newest first, without the keys themselves.',
  access: 'owner',
  rate: 'api',
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(ApiKey) })),
  errors: [],
})

export const revokeApiKey = defineEndpoint({
  id: 'revokeApiKey',
  keys: byWholeAccount,
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'It stops working at once, everywhere.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ revoked: Type.Boolean() }) })),
  errors: ['NOT_FOUND'],
})

export const getBudget = defineEndpoint({
  id: 'getBudget',
  keys: byBothSides,
  method: 'GET',
  path: '/api/budget',
  tag: 'API keys',
  summary: 'Read the budget of the API key in use',
  description:
    'What the key that makes this call may do, may spend and has spent; every key may read its own. `budget` is null for a session of your wallet, which has no caps.',
  access: 'owner',
  rate: 'api',
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        scopes: Type.Array(oneOf(apiKeyScopes), { description: SCOPES, examples: [['read', 'hire']] }),
        budget: Type.Union([Budget, Type.Null()]),
      }),
    }),
  ),
  errors: [],
})
