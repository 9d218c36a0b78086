import { type Endpoint, errorCodes, errorTable, mergeFormSchemas } from '@agent-marketplace/contract'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SignedInOwner, signIn } from './testing/sign-in.ts'
import { createTestApp, type TestApp } from './testing/test-app.ts'

/**
 * Every mounted endpoint is sent requests that mostly fit its schemas and requests that are broken in every way we know.
 * Whatever comes: no 5xx, JSON with the envelope or an answer that fits its own schema, and the headers of every answer.
 */
const FIXED_SEED = 20_261_115
const RUNS_PER_ENDPOINT = 60
const randomSeed = Math.floor(Math.random() * 2 ** 31)

let app: TestApp
let owner: SignedInOwner
beforeAll(async () => {
  app = await createTestApp({ environment: { RATE_LIMITS: 'off' } })
  owner = await signIn(app.http)
})
afterAll(() => app.close())

describe.each([
  ['fixed', FIXED_SEED],
  ['random', randomSeed],
])('fuzz with the %s seed %i', (_name, seed) => {
  test('no request breaks the service', async () => {
    const endpoints = app.endpoints.filter(({ answer }) => answer.kind !== 'raw')
    expect(endpoints.length).toBeGreaterThan(10)
    for (const endpoint of endpoints) {
      const checkAnswer = answerChecker(endpoint)
      await fc.assert(
        fc.asyncProperty(requestOf(endpoint), async (request) => {
          const answer = await app.http.inject({
            method: endpoint.method,
            url: request.url,
            headers: { ...request.headers, ...(request.signedIn ? owner.bearer : {}) },
            ...(request.payload === undefined ? {} : { payload: request.payload }),
          })
          const seen = `${endpoint.id} ${answer.statusCode} ${answer.body.slice(0, 300)}`
          expect(answer.statusCode, seen).toBeLessThan(500)
          expect(answer.headers['x-request-id'], seen).toBeTruthy()
          expect(Number(answer.headers['x-ratelimit-limit']), seen).toBeGreaterThan(0)
          expect(Number(answer.headers['x-ratelimit-reset']), seen).toBeGreaterThan(0)
          checkAnswer(answer.statusCode, JSON.parse(answer.body), seen)
        }),
        { seed, numRuns: RUNS_PER_ENDPOINT },
      )
      // A run may end the session that all the others use.
      owner = await signIn(app.http)
    }
  }, 120_000)
})

function answerChecker(endpoint: Endpoint): (status: number, body: unknown, seen: string) => void {
  const { answer } = endpoint
  const schema: TSchema | undefined =
    answer.kind === 'one'
      ? answer.schema
      : answer.kind === 'two'
        ? mergeFormSchemas(answer.a, answer.b)
        : undefined
  const compiled = schema && Compile(schema)
  const successes = [endpoint.status, ...(endpoint.otherStatuses ?? [])]
  return (status, body, seen) => {
    if (status >= 400) {
      const { error } = body as {
        error: { code: (typeof errorCodes)[number]; statusCode: number; details: unknown }
      }
      expect(errorCodes, seen).toContain(error.code)
      expect(error.statusCode, seen).toBe(status)
      expect(errorTable[error.code].status, seen).toBe(status)
      expect(typeof error.details, seen).toBe('object')
      return
    }
    expect(successes, seen).toContain(status)
    if (compiled && !compiled.Check(body))
      throw new Error(`${seen}: ${JSON.stringify(compiled.Errors(body))}`)
  }
}

interface FuzzedRequest {
  url: string
  headers: Record<string, string>
  payload: string | undefined
  signedIn: boolean
}

function requestOf(endpoint: Endpoint): fc.Arbitrary<FuzzedRequest> {
  // A path and a query are always made of names and texts, so only their values can be strange.
  const params = endpoint.params ? fittingValue(endpoint.params as JsonSchema) : fc.constant({})
  const query = endpoint.query
    ? fc.oneof(fittingValue(endpoint.query as JsonSchema), fc.dictionary(fc.string(), fc.string()))
    : fc.constant({})
  const { body } = endpoint
  const forms = body === undefined ? [] : body.kind === 'one' ? [body.schema] : [body.a, body.b]
  const payload =
    forms.length === 0
      ? fc.constant(undefined)
      : fc.oneof(...forms.map(payloadOf), ...forms.map(payloadOf), brokenPayload)
  return fc.record({ params, query, payload, signedIn: fc.boolean(), contentType }).map((parts) => ({
    url: urlOf(endpoint.path, parts.params, parts.query),
    headers: headersOf(parts.payload, parts.contentType),
    payload: parts.payload,
    signedIn: parts.signedIn,
  }))
}

function headersOf(payload: string | undefined, type: string): Record<string, string> {
  return payload === undefined ? {} : { 'content-type': type }
}

const contentType = fc.oneof(
  { weight: 9, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=latin1', 'x'),
  },
)

const payloadOf = (schema: TSchema) => anyValueOf(schema).map((value) => JSON.stringify(value))

const brokenPayload = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '1e999',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    `${'['.repeat(99)}${']'.repeat(99)}`,
  ),
  fc.json(),
  fc.string(),
)

function urlOf(path: string, params: unknown, query: unknown): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name]).toWellFormed()),
  )
  const search = new URLSearchParams(
    Object.entries((query ?? {}) as Record<string, unknown>)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString()
  return search ? `${filled}?${search}` : filled
}

interface JsonSchema {
  type?: string | string[]
  enum?: string[]
  const?: unknown
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** Mostly values that fit the schema; now and then one that does not, at any depth. */
function anyValueOf(schema: TSchema | JsonSchema): fc.Arbitrary<unknown> {
  const fitting = fittingValue(schema as JsonSchema)
  return fc.oneof({ weight: 19, arbitrary: fitting }, { weight: 1, arbitrary: strangeValue })
}

const strangeValue = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    1.5,
    '',
    '0',
    '-1',
    '1e9',
    'é',
    'x'.repeat(5000),
    {},
    [],
    '2026-02-30T00:00:00Z',
    '0x',
  ),
  fc.string({ unit: 'binary' }),
  fc.bigInt({ min: 0n, max: 10n ** 80n }).map(String),
)

function fittingValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(anyValueOf))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, anyValueOf(property)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
    case 'array':
      return fc.array(schema.items ? anyValueOf(schema.items) : fc.string(), { maxLength: 5 })
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 10_000 })
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 100, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'string':
      return fittingText(schema)
    default:
      return fc.jsonValue()
  }
}

function fittingText(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern))
  if (schema.format === 'date-time') {
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  }
  return fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 60, 200) })
}
