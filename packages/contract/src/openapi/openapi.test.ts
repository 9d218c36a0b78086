import { Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { mergeFormSchemas } from '../base/merge-forms.ts'
import {
  allEndpoints,
  buildOpenApi,
  getConfig,
  type OpenApiDocument,
  type OpenApiOperation,
  WebhookNotification,
  WebhookTest,
  webhookEventTypes,
} from '../index.ts'
import { createSchemaComponents, exampleOf, PLACEHOLDER } from './schemas.ts'

const build = (form: 'both' | 'a' | 'b', version: string) =>
  buildOpenApi({ endpoints: allEndpoints, form, version, serverUrl: 'http://localhost:4000' })

const documents = { both: build('both', '1.0.0'), a: build('a', '1.0.0'), b: build('b', '2.0.0') }
const eachDocument = Object.entries(documents)

const v1 = 'application/vnd.agent-marketplace.v1+json'
const v2 = 'application/vnd.agent-marketplace.v2+json'

function operationsOf(document: OpenApiDocument): OpenApiOperation[] {
  return Object.values(document.paths).flatMap((item) => Object.values(item))
}

function operation(document: OpenApiDocument, id: string): OpenApiOperation {
  const found = operationsOf(document).find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found
}

/** A response of an operation, followed through its $ref. */
function responseOf(document: OpenApiDocument, id: string, status: number) {
  const response = operation(document, id).responses[status]
  if (response && '$ref' in response)
    return document.components.responses[response.$ref.split('/').at(-1) ?? '']
  return response
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  )
}

function resolve(document: object, ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, name) => Object(node)[name], document)
}

describe.each(eachDocument)('document %s', (_form, document) => {
  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document)
  })

  test('has only references that lead somewhere', () => {
    const refs = [...new Set(refsIn(document))]
    expect(refs.length).toBeGreaterThan(40)
    expect(refs.filter((ref) => resolve(document, ref) === undefined)).toEqual([])
  })

  test('uses every component', () => {
    const refs = new Set(refsIn(document))
    const { schemas, responses, headers } = document.components
    const named = Object.entries({ schemas, responses, headers }).flatMap(([room, parts]) =>
      Object.keys(parts).map((name) => `#/components/${room}/${name}`),
    )
    expect(named.filter((name) => !refs.has(name))).toEqual([])
    expect(named.filter((name) => !/^#\/components\/[a-z]+\/[A-Za-z0-9._-]+$/.test(name))).toEqual([])
  })

  test('has an operation for every endpoint, each with words, a tag and one success', () => {
    const operations = operationsOf(document)
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      allEndpoints.map(({ id }) => id).sort(),
    )
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const { operationId, summary, description, tags: own, responses } of operations) {
      expect([summary, description], operationId).toEqual([
        expect.stringMatching(/\S/),
        expect.stringMatching(/\S/),
      ])
      expect(
        own.every((tag) => tags.has(tag)),
        operationId,
      ).toBe(true)
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        operationId,
      ).toBe(true)
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['429', '500', '503']))
    }
  })

  test('declares each path parameter as required, and no parameter twice', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { operationId, parameters = [] } of Object.values(item)) {
        const inPath = parameters.filter((parameter) => parameter.in === 'path')
        expect(
          inPath.map(({ name }) => `{${name}}`),
          operationId,
        ).toEqual(path.match(/\{[^}]+\}/g) ?? [])
        expect(
          inPath.every(({ required }) => required),
          operationId,
        ).toBe(true)
        const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
        expect(new Set(names).size, operationId).toBe(names.length)
        expect(
          parameters.filter(({ description }) => !description).map(({ name }) => name),
          operationId,
        ).toEqual([])
      }
    }
  })

  test('has an example for every body', () => {
    for (const { operationId, requestBody } of operationsOf(document)) {
      for (const media of Object.values(requestBody?.content ?? {})) {
        const examples = media.examples
          ? Object.values(media.examples).map(({ value }) => value)
          : [media.example]
        expect(
          examples.filter((example) => example === undefined),
          operationId,
        ).toEqual([])
      }
    }
  })

  test('describes the message of every webhook event, with an example that fits', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookEventTypes])
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const media = post.requestBody?.content['application/json']
      const title = type === 'webhook.test' ? 'WebhookTest' : 'WebhookNotification'
      expect(media?.schema, type).toEqual({
        allOf: [
          { $ref: `#/components/schemas/${title}` },
          { type: 'object', properties: { type: { const: type } } },
        ],
      })
      const schema = type === 'webhook.test' ? WebhookTest : WebhookNotification
      expect(media?.example, type).toMatchObject({ type })
      expect(Errors(schema, media?.example), type).toEqual([])
      expect(post.parameters?.map(({ name }) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ])
      expect(Object.keys(post.responses).sort()).toEqual(['2XX', '410', 'default'])
    }
  })

  test('names the headers that every response carries', () => {
    const common = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
    for (const { operationId, responses } of operationsOf(document)) {
      for (const status of Object.keys(responses)) {
        const response = responseOf(document, operationId, Number(status))
        const waits = status === '429' || status === '503' ? ['Retry-After'] : []
        expect(Object.keys(response?.headers ?? {}), `${operationId} ${status}`).toEqual(
          expect.arrayContaining([...common, ...waits]),
        )
      }
    }
  })
})

describe('examples', () => {
  const responses = allEndpoints.flatMap(({ id, response }) => {
    if (response.kind === 'raw') return []
    if (response.kind === 'one') return [[id, response.schema] as const]
    const forms = [
      [`${id} in form A`, response.a],
      [`${id} in form B`, response.b],
    ] as const
    return response.kind === 'two'
      ? [...forms, [`${id} in both forms`, mergeFormSchemas(response.a, response.b)] as const]
      : forms
  })

  test.each(responses)('the response of %s fits its schema and names real things', (_name, schema) => {
    expect(Errors(schema, exampleOf(schema))).toEqual([])
    // As a value: a field may have that name.
    expect(JSON.stringify(exampleOf(schema))).not.toMatch(new RegExp(`"${PLACEHOLDER}"(?!:)`))
  })
})

describe('forms', () => {
  test('a plain response documents both, and each media type its own', () => {
    const content = responseOf(documents.both, 'getMe', 200)?.content ?? {}
    expect(Object.keys(content)).toEqual(['application/json', v1, v2])
    expect(content['application/json']?.schema).toMatchObject({ required: ['owner', 'data'] })
    expect(content[v1]?.schema).toMatchObject({ required: ['owner'] })
    expect(content[v2]?.schema).toMatchObject({ required: ['data'] })
  })

  test('the documents of one form know nothing of the other', () => {
    expect(Object.keys(responseOf(documents.a, 'getMe', 200)?.content ?? {})).toEqual([
      'application/json',
      v1,
    ])
    expect(documents.a.components.schemas).not.toHaveProperty('AgentCreateRequestB')
    expect(documents.b.components.schemas).not.toHaveProperty('AgentCreateRequestA')
    expect(documents.a.info).toMatchObject({ version: '1.0.0', title: expect.stringContaining('form A') })
    expect(documents.b.info).toMatchObject({ title: expect.stringContaining('v2') })
  })

  test('a body of two forms is either of them, with an example of each', () => {
    expect(operation(documents.both, 'createAgent').requestBody?.content['application/json']).toMatchObject({
      schema: {
        anyOf: [
          { $ref: '#/components/schemas/AgentCreateRequestA' },
          { $ref: '#/components/schemas/AgentCreateRequestB' },
        ],
      },
      examples: { formA: { value: { category: 'finance' } }, formB: { value: { type: 'finance' } } },
    })
  })

  test('records are referred to by name', () => {
    expect(Object.keys(documents.both.components.schemas)).toEqual(
      expect.arrayContaining([
        'Owner',
        'Agent',
        'Job',
        'Subscription',
        'SpendPermission',
        'Notification',
        'Error',
      ]),
    )
  })
})

describe('credentials and payment', () => {
  test('public calls need none; reads need one; mutations by cookie need the CSRF token too', () => {
    expect(operation(documents.both, 'listAgents').security).toEqual([])
    expect(operation(documents.both, 'getMe').security).toEqual([{ bearer: [] }, { cookie: [] }])
    expect(operation(documents.both, 'createJob').security).toEqual([
      { bearer: [] },
      { cookie: [], csrf: [] },
    ])
  })

  const headersOf = (id: string) =>
    operation(documents.both, id).parameters?.flatMap((parameter) =>
      parameter.in === 'header' ? [parameter.name] : [],
    ) ?? []

  test('authenticated POSTs take an Idempotency-Key', () => {
    expect(headersOf('registerOwner')).toEqual(['Idempotency-Key'])
    expect(headersOf('requestNonce')).toEqual([])
    expect(headersOf('cancelSubscription')).toEqual([])
  })

  test('paid calls name the x402 headers', () => {
    expect(headersOf('payKycFee')).toEqual(['PAYMENT-SIGNATURE', 'Idempotency-Key'])
    expect(responseOf(documents.both, 'payKycFee', 402)?.headers).toHaveProperty('PAYMENT-REQUIRED')
    expect(responseOf(documents.both, 'payKycFee', 200)?.headers).toHaveProperty('PAYMENT-RESPONSE')
    expect(Object.keys(operation(documents.both, 'payKycFee').responses)).toContain('202')
  })

  test('errors are grouped by status, with their codes', () => {
    const forbidden = responseOf(documents.both, 'createAgent', 403)
    expect(forbidden?.description).toMatch(/`FORBIDDEN`.*`KYC_REQUIRED`.*`AGENT_QUOTA_EXCEEDED`/s)
    expect(forbidden?.content['application/json']?.examples?.AGENT_QUOTA_EXCEEDED?.value).toMatchObject({
      error: { code: 'AGENT_QUOTA_EXCEEDED', statusCode: 403, details: { current: 1, quota: 1 } },
    })
  })
})

test('the cookie of a sign-in is documented where it is set, and nowhere else', () => {
  expect(responseOf(documents.both, 'verifySignature', 200)?.headers).toHaveProperty('Set-Cookie')
  expect(responseOf(documents.both, 'logout', 200)?.headers).toHaveProperty('Set-Cookie')
  expect(responseOf(documents.both, 'getMe', 200)?.headers).not.toHaveProperty('Set-Cookie')
})

test('where no webhook can be added, none is described', () => {
  const document = buildOpenApi({
    endpoints: [getConfig],
    form: 'both',
    version: '1.0.0',
    serverUrl: 'http://localhost:4000',
  })
  expect(document.webhooks).toEqual({})
})

test('two different schemas under one title are refused', () => {
  const components = createSchemaComponents()
  components.refer({ title: 'Thing', type: 'string' })
  components.refer({ title: 'Thing', type: 'string' })
  expect(() => components.refer({ title: 'Thing', type: 'integer' })).toThrow(
    'two different schemas are titled Thing',
  )
})

test('each document says that the query decides what a plain list of x402 payments is', () => {
  const contentOf = (document: OpenApiDocument) =>
    responseOf(document, 'listX402Transactions', 200)?.content ?? {}
  for (const [, document] of eachDocument) {
    const schema = contentOf(document)['application/json']?.schema as { description: string; anyOf: object[] }
    expect(schema.description).toMatch(/`wallet`, `startDate`, `endDate` and `offset`/)
    expect(schema.anyOf).toHaveLength(2)
    expect(operation(document, 'listX402Transactions').description).toMatch(/sends `offset=0`/)
  }
  const types = (form: 'both' | 'a' | 'b') => Object.keys(contentOf(documents[form]))
  expect(types('a')).toEqual(['application/json', v1])
  expect(types('b')).toEqual(['application/json', v2])
  expect(types('both')).toEqual(['application/json', v1, v2])
})
