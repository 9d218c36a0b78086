import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { API_KEY_NAME_MAX_LENGTH } from '../base/lengths.ts'
import { DateTime, Id, IdParams, nullableDateTime, oneOf, text } from '../base/shapes.ts'

/** `read` covers every GET, `write` all other calls. */
export const apiKeyScopes = ['read', 'write'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

const apiKeyFields = {
  id: Id,
  name: Type.String({ examples: ['Nightly import'] }),
  prefix: Type.String({
    description: 'The first characters, to identify the key.',
    examples: ['amk_9f86d0'],
  }),
  scopes: Type.Array(oneOf(apiKeyScopes), { description: 'What the key may do.', examples: [['read']] }),
  createdAt: DateTime,
  expiresAt: nullableDateTime('When it stops working; null for never.'),
  lastUsedAt: nullableDateTime('When it was last used, to the minute.'),
}

export const ApiKey = Type.Object(apiKeyFields, { title: 'ApiKey' })
export type ApiKey = Static<typeof ApiKey>

export const createApiKey = defineEndpoint({
  id: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  tag: 'API keys',
  summary: 'Make an API key',
  description:
    'A key works like a session: `Authorization: Bearer <key>`, with 10 times the rate limits by the API_ACCESS plan and 100 times by ENTERPRISE. Without either ' +
    'the response is FORBIDDEN. The key is shown once.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  body: oneForm(
    Type.Object({
      name: text(API_KEY_NAME_MAX_LENGTH, { examples: ['Nightly import'] }),
      scopes: Type.Optional(
        Type.Array(oneOf(apiKeyScopes), {
          minItems: 1,
          maxItems: apiKeyScopes.length,
          description: '`read` covers every GET, `write` all other calls. Without it: both.',
          examples: [['read']],
        }),
      ),
      expiresInDays: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 3650,
          description: 'Without it the key does not expire.',
          examples: [365],
        }),
      ),
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
  examples: { body: { name: 'Nightly import', scopes: ['read'], expiresInDays: 365 } },
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
