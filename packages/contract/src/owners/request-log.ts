import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import {
  cursorQuery,
  DateTime,
  Id,
  limitQuery,
  NextCursor,
  nullableString,
  oneOf,
  PathId,
  text,
} from '../base/shapes.ts'

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const
export type StatusClass = (typeof statusClasses)[number]

export const loggedMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const callerKinds = ['API_KEY', 'APP'] as const
export type CallerKind = (typeof callerKinds)[number]

export const ApiRequest = Type.Object(
  {
    id: Id,
    requestId: Type.String({
      description: 'The `X-Request-Id` of the response. You can send your own.',
      examples: ['req_k3v9x2m8qa00002f'],
    }),
    method: Type.String({ examples: ['POST'] }),
    path: Type.String({
      description:
        'The path as documented, without parameter values and query string; `unknown` if there is no such path.',
      examples: ['/api/jobs/{id}/pay'],
    }),
    status: Type.Integer({ minimum: 100, maximum: 599, examples: [402] }),
    errorCode: nullableString({
      description: 'The `code` of the error; null where there was none.',
      examples: ['PAYMENT_REQUIRED'],
    }),
    durationMs: Type.Number({
      minimum: 0,
      description: 'From the first byte of the request to the end of its response.',
      examples: [12.4],
    }),
    caller: Type.Object(
      {
        kind: oneOf(callerKinds, { examples: ['API_KEY'] }),
        id: Type.String({ ...Id, description: 'The API key, or the grant of the app.' }),
        name: nullableString({
          description: 'The name of the key or the app; null once it is removed.',
          examples: ['Nightly import'],
        }),
      },
      { description: 'The credential that was used.' },
    ),
    createdAt: DateTime,
  },
  { title: 'ApiRequest' },
)
export type ApiRequest = Static<typeof ApiRequest>

export const listRequests = defineEndpoint({
  id: 'listRequests',
  method: 'GET',
  path: '/api/requests',
  tag: 'API keys',
  summary: 'List your API requests',
  description:
    'Requests made with your API keys and by connected apps, newest first, for the last few days. Bodies, headers and query ' +
    'strings are not stored. A request appears within a second or two of its response. Requests with an invalid credential are ' +
    'not recorded. Of requests that are rejected with 429, and of those that no rate limit counts, such as pages, about 100 per ' +
    'minute are.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    status: Type.Optional(oneOf(statusClasses, { description: 'Only responses of this class.' })),
    method: Type.Optional(oneOf(loggedMethods, { description: 'Only this method.' })),
    path: Type.Optional(
      text(200, {
        description: 'Only documented paths that begin with this.',
        examples: ['/api/jobs'],
      }),
    ),
    caller: Type.Optional(
      Type.String({ ...PathId, description: 'Only this API key, or this grant of an app.' }),
    ),
    requestId: Type.Optional(
      text(64, { description: 'Only this request.', examples: ['req_k3v9x2m8qa00002f'] }),
    ),
    limit: limitQuery(50),
    cursor: cursorQuery(),
  }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(ApiRequest), nextCursor: NextCursor })),
  errors: [],
})
