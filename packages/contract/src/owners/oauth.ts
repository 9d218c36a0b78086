import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { DateTime, IdParams, oneOf } from '../base/shapes.ts'
import { credentialFields, wantedAccessFields, wantedBudgetFields } from './credentials.ts'

/** What a client can be allowed by OAuth. The account itself is left to its owner. */
export const grantScopes = ['read', 'hire', 'sell'] as const
export type GrantScope = (typeof grantScopes)[number]

export const MAX_GRANT_DAYS = 365

const clientFields = {
  clientName: Type.String({
    description: 'As the client calls itself. Nobody has checked it.',
    examples: ['Ledger Assistant'],
  }),
  clientHost: Type.String({
    description:
      'Where the client is published. Of one that registered itself, where the person is sent back to: a host, `localhost` for a program on your computer, or the scheme of an app.',
    examples: ['assistant.example.com'],
  }),
}

const resource = Type.String({
  description: 'What its tokens are for.',
  examples: ['https://market.example.com/mcp'],
})

const scopesField = (description: string) =>
  Type.Array(oneOf(grantScopes), { description, examples: [['read', 'hire']] })

export const ConsentRequest = Type.Object(
  {
    ...clientFields,
    clientId: Type.String({ examples: ['https://assistant.example.com/client.json'] }),
    isVerifiedHost: Type.Boolean({
      description:
        'Whether the client is described by a document at `clientHost`. Otherwise it registered itself, under any name.',
    }),
    redirectHost: Type.String({
      description:
        'Where the person is sent back to, and the code with them: a host, or the scheme of an app.',
      examples: ['assistant.example.com'],
    }),
    isLocalRedirect: Type.Boolean({
      description:
        'Whether this is a program on the person’s computer. Any program there can pretend to be the client.',
    }),
    resource,
    scopes: scopesField('The requested scopes; `read` if it requests none that exist.'),
    connections: Type.Integer({
      description: 'How many grants of yours this client has for this resource already.',
      examples: [0],
    }),
    expiresAt: Type.String({ ...DateTime, description: 'Until when the request can be decided.' }),
  },
  { title: 'ConsentRequest' },
)
export type ConsentRequest = Static<typeof ConsentRequest>

const OF_THIS_BROWSER =
  'Only in the browser in which the client began, which has a cookie for it, and only with the session of a wallet: no API key decides.'

export const getConsentRequest = defineEndpoint({
  id: 'getConsentRequest',
  method: 'GET',
  path: '/api/oauth/requests/{id}',
  tag: 'OAuth',
  summary: 'Read what a client asks for',
  description: `For the page on which a person decides. ${OF_THIS_BROWSER}`,
  access: 'owner',
  rate: 'api',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: ConsentRequest })),
  errors: ['NOT_FOUND'],
})

export const decideConsentRequest = defineEndpoint({
  id: 'decideConsentRequest',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/oauth/requests/{id}/decision',
  tag: 'OAuth',
  summary: 'Allow or deny what a client asks for',
  description:
    `Returns where the browser goes next, which leads back to the client. ${OF_THIS_BROWSER}\n\n` +
    'What is allowed is a grant: at most the scopes asked for, within a budget as API keys have it, until it expires or is revoked.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  params: IdParams,
  body: oneForm(
    Type.Object({
      decision: oneOf(['ALLOW', 'DENY']),
      ...wantedAccessFields({
        scopes: grantScopes,
        scopesDescription: 'What is allowed of what was requested. Without it all of that.',
        days: { maximum: MAX_GRANT_DAYS, description: 'Without it 30.', example: 30 },
      }),
      replaces: Type.Optional(
        Type.Boolean({
          description:
            'Whether earlier grants of this client for this resource end. Without it they do, so that their budgets do not add up; false keeps them, for the same app on another computer.',
        }),
      ),
      ...wantedBudgetFields,
    }),
  ),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        continueAt: Type.String({
          description: 'A path of this service.',
          examples: ['/oauth/authorize/2vE0Y8kGqmN1w'],
        }),
      }),
    }),
  ),
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: {
    body: {
      decision: 'ALLOW',
      scopes: ['read', 'hire'],
      expiresInDays: 30,
      budget: { perJob: '5000000', perDay: '20000000' },
    },
  },
})

export const OAuthGrant = Type.Object(
  credentialFields({
    own: { ...clientFields, resource },
    scopes: scopesField('What it may do.'),
    expiresAt: DateTime,
  }),
  { title: 'OAuthGrant' },
)
export type OAuthGrant = Static<typeof OAuthGrant>

export const listGrants = defineEndpoint({
  id: 'listGrants',
  method: 'GET',
  path: '/api/oauth/grants',
  tag: 'OAuth',
  summary: 'List the clients that you have allowed',
  description: 'Those that still work, newest first.',
  access: 'owner',
  rate: 'api',
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(OAuthGrant) })),
  errors: [],
})

export const revokeGrant = defineEndpoint({
  id: 'revokeGrant',
  keys: byWholeAccount,
  method: 'DELETE',
  path: '/api/oauth/grants/{id}',
  tag: 'OAuth',
  summary: 'Revoke what a client was allowed',
  description: 'All of its tokens stop working at once, everywhere.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ revoked: Type.Boolean() }) })),
  errors: ['NOT_FOUND'],
})
