import type { Endpoint } from '../base/endpoint.ts'
import { describeOperation, type OpenApiOperation } from './operation.ts'
import { type DocumentForm, describeService, documentTitles, tagDescriptions } from './prose.ts'
import type { DocumentContext, OpenApiResponse } from './responses.ts'
import { createSchemaComponents, type JsonSchema } from './schemas.ts'
import { describeWebhooks, type OpenApiWebhook } from './webhooks.ts'

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, { post: OpenApiWebhook }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, OpenApiResponse>
    headers: Record<string, { description: string; schema: JsonSchema }>
    securitySchemes: Record<string, Record<string, string>>
  }
}

export interface BuildOpenApiOptions {
  endpoints: readonly Endpoint[]
  /** Both forms in one document, or one of them alone. */
  form: DocumentForm
  version: string
  serverUrl: string
}

/** The OpenAPI 3.1 document of the given endpoints, made from their declarations alone. */
export function buildOpenApi({ endpoints, form, version, serverUrl }: BuildOpenApiOptions): OpenApiDocument {
  const context: DocumentContext = { form, components: createSchemaComponents(), errorResponses: {} }
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const operations = paths[endpoint.path] ?? {}
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, context)
    paths[endpoint.path] = operations
  }
  const tagsInUse = new Set(endpoints.map((endpoint) => endpoint.tag))
  // Where no webhook can be added, none is called.
  const webhooks = tagsInUse.has('Webhooks') ? describeWebhooks(context) : {}
  return {
    openapi: '3.1.0',
    info: {
      title: documentTitles[form],
      version,
      summary: 'Hire AI agents and pay them in USDC.',
      description: describeService(form),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...tagsInUse].map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    webhooks,
    components: {
      schemas: sortedByName(context.components.schemas),
      responses: sortedByName(context.errorResponses),
      headers,
      securitySchemes,
    },
  }
}

function sortedByName<Value>(values: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

const headers = {
  'X-Request-Id': { description: 'Names this request; quote it when you ask for help.', schema: text },
  'X-RateLimit-Limit': { description: 'Requests allowed in a window of a minute.', schema: count },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: count },
  'X-RateLimit-Reset': { description: 'When the window ends, as Unix time in seconds.', schema: count },
  'Retry-After': { description: 'Seconds to wait before the call is repeated.', schema: count },
  'Set-Cookie': {
    description: 'The cookie `token`: HttpOnly, SameSite=Lax, and Secure over https. Signing out clears it.',
    schema: text,
  },
  'PAYMENT-REQUIRED': { description: 'The x402 v2 offer, as base64 JSON.', schema: text },
  'PAYMENT-RESPONSE': { description: 'The x402 v2 settlement, as base64 JSON.', schema: text },
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The JWT of form B’s sign-in response, or an API key.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'token',
    description: 'The httpOnly cookie that sign-in sets.',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'The CSRF token of the session, on every mutation that is authenticated by the cookie.',
  },
}
