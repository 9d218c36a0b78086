import { type EitherForm, type Endpoint, formMediaTypes, sharedErrorsOf } from '../base/endpoint.ts'
import { ErrorEnvelope } from '../base/error-envelope.ts'
import type { ErrorCode } from '../base/error-rules.ts'
import { errorTable } from '../base/errors.ts'
import { mergeFormSchemas } from '../base/merge-forms.ts'
import type { DocumentForm } from './prose.ts'
import { exampleOf, type JsonSchema, type SchemaComponents } from './schemas.ts'

/** The responses of an operation: its success in one or both forms, and every error by status. */

export interface OpenApiMedia {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { summary: string; value: unknown }>
}

export interface OpenApiResponse {
  description: string
  headers: Record<string, { $ref: string }>
  content: Record<string, OpenApiMedia>
}

export interface DocumentContext {
  form: DocumentForm
  components: SchemaComponents
  /** Error responses that several operations share, by the codes that they can carry. */
  errorResponses: Record<string, OpenApiResponse>
}

export const JSON_TYPE = 'application/json'

/** Calls that are paid by x402 say so by the error that asks for the payment. */
export function takesPayment(endpoint: Endpoint): boolean {
  return endpoint.errors.includes('PAYMENT_REQUIRED')
}

const headerRef = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
const commonHeaders = {
  ...headerRef('X-Request-Id'),
  ...headerRef('X-RateLimit-Limit'),
  ...headerRef('X-RateLimit-Remaining'),
  ...headerRef('X-RateLimit-Reset'),
}

export function successResponses(
  endpoint: Endpoint,
  context: DocumentContext,
): Record<string, OpenApiResponse> {
  const payment = takesPayment(endpoint) ? headerRef('PAYMENT-RESPONSE') : {}
  const cookie = endpoint.setsCookie ? headerRef('Set-Cookie') : {}
  const response = (status: number): OpenApiResponse => ({
    description:
      status === 202 && endpoint.status !== 202
        ? 'Accepted and still pending. The outcome comes by notification.'
        : 'Done.',
    headers: { ...commonHeaders, ...payment, ...cookie },
    content: { ...contentOf(endpoint, context), ...otherContentOf(endpoint) },
  })
  return Object.fromEntries(
    [endpoint.status, ...(endpoint.otherStatuses ?? [])].map((status) => [status, response(status)]),
  )
}

function contentOf(
  { response }: Endpoint,
  { form, components }: DocumentContext,
): Record<string, OpenApiMedia> {
  const schemaOf = (schema: unknown): OpenApiMedia => ({ schema: components.refer(schema) })
  const withExample = (schema: unknown): OpenApiMedia => ({ ...schemaOf(schema), example: exampleOf(schema) })
  if (response.kind === 'raw') return { [response.mediaType]: { schema: { type: 'string' } } }
  const a = response.kind === 'one' ? response.schema : response.a
  const b = response.kind === 'one' ? response.schema : response.b
  if (response.kind === 'either') return eitherContent(response, { form, components })
  if (form === 'a') return { [JSON_TYPE]: withExample(a), [formMediaTypes.a]: schemaOf(a) }
  if (form === 'b') return { [JSON_TYPE]: withExample(b), [formMediaTypes.b]: schemaOf(b) }
  return {
    [JSON_TYPE]: withExample(mergeFormSchemas(a, b)),
    [formMediaTypes.a]: schemaOf(a),
    [formMediaTypes.b]: schemaOf(b),
  }
}

function otherContentOf({ alsoSends = [] }: Endpoint): Record<string, OpenApiMedia> {
  return Object.fromEntries(alsoSends.map((type) => [type, { schema: { type: 'string' } }]))
}

/** A plain request gets one of the two, by the rule that the endpoint names; a version gets its own form. */
function eitherContent(
  { a, b, rule }: EitherForm,
  { form, components }: Pick<DocumentContext, 'form' | 'components'>,
): Record<string, OpenApiMedia> {
  const [schemaA, schemaB] = [components.refer(a), components.refer(b)]
  return {
    [JSON_TYPE]: {
      schema: { description: rule, anyOf: [schemaA, schemaB] },
      examples: {
        formA: { summary: 'Form A', value: exampleOf(a) },
        formB: { summary: 'Form B', value: exampleOf(b) },
      },
    },
    ...(form === 'b' ? {} : { [formMediaTypes.a]: { schema: schemaA } }),
    ...(form === 'a' ? {} : { [formMediaTypes.b]: { schema: schemaB } }),
  }
}

/** Operations with the same codes under a status share one response, which keeps the document small. */
export function errorResponses(
  endpoint: Endpoint,
  context: DocumentContext,
): Record<string, { $ref: string }> {
  const codes = [...new Set([...sharedErrorsOf(endpoint), ...endpoint.errors])]
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const possible = codes.filter((code) => errorTable[code].status === status)
      const name = possible.join('.')
      context.errorResponses[name] ??= errorResponse(status, possible, context)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function errorResponse(status: number, codes: ErrorCode[], { components }: DocumentContext): OpenApiResponse {
  const narrowed = {
    type: 'object',
    properties: { error: { type: 'object', properties: { code: { enum: codes } } } },
  }
  return {
    description: codes
      .map((code) => `\`${code}\`: ${errorTable[code].meaning} ${errorTable[code].fix}`)
      .join('\n\n'),
    headers: {
      ...commonHeaders,
      ...(status === 402 ? headerRef('PAYMENT-REQUIRED') : {}),
      ...(status === 429 || status === 503 ? headerRef('Retry-After') : {}),
    },
    content: {
      [JSON_TYPE]: {
        schema: { allOf: [components.refer(ErrorEnvelope), narrowed] },
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: errorTable[code].meaning, value: exampleError(code) }]),
        ),
      },
    },
  }
}

const exampleDetails: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  VALIDATION_ERROR: { issues: [{ path: 'walletAddress', message: 'is required' }] },
  AGENT_QUOTA_EXCEEDED: { current: 1, quota: 1, quotaUntil: null },
  INVALID_STATE: { status: 'COMPLETED', allowed: ['UNDER_REVIEW'] },
  INSUFFICIENT_BALANCE: { available: '1000000', required: '22750000' },
  RATE_LIMIT_EXCEEDED: { retryAfterSeconds: 12 },
}

function exampleError(code: ErrorCode): ErrorEnvelope {
  return {
    error: {
      code,
      message: errorTable[code].meaning,
      details: exampleDetails[code] ?? {},
      statusCode: errorTable[code].status,
      timestamp: '2026-11-15T09:30:00.000Z',
      requestId: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
    },
  }
}
