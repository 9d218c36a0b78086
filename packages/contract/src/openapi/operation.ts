import { allowsEmptyBody, type Endpoint } from '../base/endpoint.ts'
import type { ApiKeyScope, KeyRule } from '../base/key-rules.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../base/limits.ts'
import {
  type DocumentContext,
  errorResponses,
  JSON_TYPE,
  type OpenApiMedia,
  type OpenApiResponse,
  successResponses,
  takesPayment,
} from './responses.ts'
import type { JsonSchema } from './schemas.ts'

export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

export interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: OpenApiParameter[]
  requestBody?: { required: boolean; content: Record<string, OpenApiMedia> }
  responses: Record<string, OpenApiResponse | { $ref: string }>
  /** What an API key needs for it: any one of the scopes. `money` says whether it makes the key's owner spend. */
  'x-api-key'?: { scopes: ApiKeyScope[]; money: KeyRule['money'] }
}

export function describeOperation(endpoint: Endpoint, context: DocumentContext): OpenApiOperation {
  const parameters = parametersOf(endpoint, context)
  const requestBody = requestBodyOf(endpoint, context)
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    security: securityOf(endpoint),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...successResponses(endpoint, context), ...errorResponses(endpoint, context) },
    ...keyRuleOf(endpoint),
  }
}

/** A call that anybody may make asks nothing of a key, unless the key's owner would pay for it. */
function keyRuleOf({ access, method, keys }: Endpoint): Pick<OpenApiOperation, 'x-api-key'> {
  if (access === 'public' && (keys === undefined || keys.money === 'none')) return {}
  const ofGet: ApiKeyScope[] = method === 'GET' ? ['read'] : []
  if (keys) return { 'x-api-key': { scopes: [...ofGet, ...keys.scopes, 'write'], money: keys.money } }
  return method === 'GET' ? { 'x-api-key': { scopes: ofGet, money: 'none' } } : {}
}

function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  if (endpoint.access === 'public') return []
  if (endpoint.method === 'GET') return [{ bearer: [] }, { cookie: [] }]
  return [{ bearer: [] }, { cookie: [], csrf: [] }]
}

function parametersOf(endpoint: Endpoint, { components }: DocumentContext): OpenApiParameter[] {
  const declared = [
    ['path', endpoint.params],
    ['query', endpoint.query],
    ['header', endpoint.headers],
  ] as const
  const parameters: OpenApiParameter[] = declared.flatMap(([place, schema]) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
      name,
      in: place,
      required: schema?.required?.includes(name) ?? false,
      ...descriptionOf(property),
      schema: components.refer(property),
    })),
  )
  if (takesPayment(endpoint)) {
    parameters.push({
      name: 'PAYMENT-SIGNATURE',
      in: 'header',
      required: false,
      description: 'The x402 v2 payment, as base64 JSON.',
      schema: { type: 'string' },
    })
  }
  if (endpoint.method === 'POST' && endpoint.access !== 'public') {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes it safe to repeat the call: the same key and body get the same response.',
      schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH },
    })
  }
  return parameters
}

function descriptionOf(schema: object): { description?: string } {
  return 'description' in schema && typeof schema.description === 'string'
    ? { description: schema.description }
    : {}
}

function requestBodyOf(endpoint: Endpoint, context: DocumentContext): OpenApiOperation['requestBody'] {
  const { body, examples } = endpoint
  if (endpoint.streamsBody)
    return {
      required: true,
      content: {
        'application/octet-stream': {
          schema: { type: 'string', format: 'binary' },
          example: 'invoice,amount\n17,120.00\n',
        },
      },
    }
  if (endpoint.rawBody) {
    return {
      required: true,
      content: { [JSON_TYPE]: { schema: { type: 'object' }, example: examples?.body } },
    }
  }
  if (!body) return undefined
  return { required: !allowsEmptyBody(endpoint), content: { [JSON_TYPE]: bodyMedia() } }

  function bodyMedia(): OpenApiMedia {
    const { form, components } = context
    if (!body || body.kind === 'one')
      return { schema: components.refer(body?.schema), example: examples?.body }
    if (form === 'a') return { schema: components.refer(body.a), example: examples?.body }
    if (form === 'b') return { schema: components.refer(body.b), example: examples?.bodyB }
    return {
      schema: { anyOf: [components.refer(body.a), components.refer(body.b)] },
      examples: {
        formA: { summary: 'Form A', value: examples?.body },
        formB: { summary: 'Form B', value: examples?.bodyB },
      },
    }
  }
}
