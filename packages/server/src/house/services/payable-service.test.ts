import {
  isValidServiceName,
  sanitizeTags,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { issuesAgainst } from '../../platform/json-schema/check-value.ts'
import {
  anyValue,
  compiledOrRejected,
  withDefinitions,
} from '../../platform/json-schema/testing/any-schema.ts'
import { isPayable, type PayableService, payableResourceOf } from './payable-service.ts'
import type { ServiceTerms } from './service-call.ts'

const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const agent = {
  name: 'Ledger Lark',
  description: 'Books.',
  walletAddress: wallet,
  category: 'Finance',
  skills: [],
}

const resourceOf = (service: Partial<PayableService>, extensionBytes = 12_000) =>
  payableResourceOf(
    {
      id: 's1',
      name: 'Reconciliation',
      priceMicro: 2_500_000n,
      deliveryHours: 24,
      terms: {},
      agent,
      ...service,
    },
    {
      publicUrl: new URL('https://market.example.com'),
      offerFor: ({ payTo, amountMicro }) => ({
        scheme: 'exact',
        network: 'eip155:8453',
        amount: amountMicro.toString(),
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payTo,
        maxTimeoutSeconds: 60,
        extra: {},
      }),
      extensionBytes,
    },
  )

const bazaarOf = (terms: ServiceTerms, extensionBytes?: number) =>
  resourceOf({ terms }, extensionBytes).extensions.bazaar

/** The schema of the body, as a client reads it. */
const bodySchemaOf = (terms: ServiceTerms, extensionBytes?: number) =>
  (bazaarOf(terms, extensionBytes).schema.properties as { input: { properties: { body: unknown } } }).input
    .properties.body

function verdictOf(terms: ServiceTerms, extensionBytes?: number) {
  const bazaar = bazaarOf(terms, extensionBytes)
  const extension = bazaar as unknown as Parameters<typeof validateDiscoveryExtension>[0]
  return [validateDiscoveryExtensionSpec(bazaar as never), validateDiscoveryExtension(extension)]
}
const valid = [{ valid: true }, { valid: true }]

// The stock validator warns about every format, since it knows none.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

test('a service is described with its own URL, price, name and tags within the limits of catalogues', () => {
  const { resource, accepts } = resourceOf({
    name: 'Überweisungen abgleichen — für den ganzen Monat',
    agent: { ...agent, skills: ['Solidity', 'SOLIDITY', '日本語', 'a'.repeat(33), 'b', 'c', 'd', 'e'] },
  })
  expect(resource).toEqual({
    url: `https://market.example.com/api/agents/${wallet}/services/s1/orders`,
    description: 'Überweisungen abgleichen — für den ganzen Monat, by Ledger Lark. Books.',
    mimeType: 'application/json',
    serviceName: 'Uberweisungen abgleichen - fur d',
    tags: ['finance', 'solidity', 'b', 'c', 'd'],
  })
  expect(isValidServiceName(resource.serviceName)).toBe(true)
  expect(sanitizeTags(resource.tags)).toEqual(resource.tags)
  expect(accepts).toMatchObject([{ amount: '2500000', payTo: wallet }])
})

test('a name without a letter of ASCII is left out', () => {
  expect(resourceOf({ name: '翻訳' }).resource).not.toHaveProperty('serviceName')
})

test('what is paid through escrow, or not by x402, has no URL of its own', () => {
  expect(isPayable({ x402Enabled: true, priceMicro: 99_999_999n })).toBe(true)
  expect(isPayable({ x402Enabled: true, priceMicro: 100_000_000n })).toBe(false)
  expect(isPayable({ x402Enabled: true, priceMicro: 0n })).toBe(false)
  expect(isPayable({ x402Enabled: false, priceMicro: 1n })).toBe(false)
})

const month = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$' }
const sample = { input: { month: '2026-10' }, output: { matched: 3 } }
const terms: ServiceTerms = {
  inputSchema: { type: 'object', properties: { month }, required: ['month'] },
  outputSchema: { type: 'object', properties: { matched: { type: 'integer' } } },
  examples: [sample],
}

test('the call is described with schemas and sample work', () => {
  expect(verdictOf(terms)).toEqual(valid)
  expect(bazaarOf(terms).info).toEqual({
    input: { type: 'http', method: 'POST', bodyType: 'json', body: sample.input },
    output: { type: 'json', example: sample.output },
  })
  expect(bodySchemaOf(terms)).toEqual(terms.inputSchema)
})

test('a service without schemas takes a task in words', () => {
  expect(verdictOf({})).toEqual(valid)
  expect(bazaarOf({}).info.input.body).toEqual({ task: 'Reconciliation' })
  expect(bodySchemaOf({})).toMatchObject({ required: ['task'], properties: { task: { maxLength: 20_000 } } })
})

test('without sample work the example is made from the schema', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      kind: { enum: ['csv', 'json'] },
      rows: { type: 'integer', minimum: 5 },
      columns: { type: 'array', minItems: 1, items: { $ref: '#/$defs/column' } },
      note: { type: 'string' },
    },
    required: ['kind', 'rows', 'columns'],
    $defs: { column: { type: 'string', examples: ['name'] } },
  }
  expect(verdictOf({ inputSchema })).toEqual(valid)
  expect(bazaarOf({ inputSchema }).info.input.body).toEqual({ kind: 'csv', rows: 5, columns: ['name'] })
})

test('what does not fit is linked: first the output, then the schema, then the example', () => {
  const link = { type: 'object', description: expect.stringContaining('/services/s1/orders') }
  const long = { ...terms, outputSchema: { ...terms.outputSchema, description: 'x'.repeat(1500) } }
  expect(bazaarOf(long, 1500).info).not.toHaveProperty('output')
  expect(bodySchemaOf(long, 1500)).toEqual(terms.inputSchema)
  const longer = { ...terms, inputSchema: { ...terms.inputSchema, description: 'x'.repeat(1500) } }
  expect(bodySchemaOf(longer, 1500)).toEqual(link)
  expect(bazaarOf(longer, 1500).info.input.body).toEqual(sample.input)
  const longest = {
    ...terms,
    examples: [{ input: { month: '2026-10', note: 'x'.repeat(1500) }, output: {} }],
  }
  expect(bazaarOf(longest, 1500).info.input.body).toEqual({})
  for (const each of [long, longer, longest]) expect(verdictOf(each, 1500)).toEqual(valid)
})

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['a field named $ref', { properties: { $ref: { type: 'string' } } }, { $ref: 'x' }],
  ['a field named $id', { properties: { $id: { type: 'string' } } }, { $id: 'x' }],
  ['a field that all objects have', { properties: { toString: { type: 'string' } } }, {}],
  [
    'references that multiply',
    {
      properties: Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`p${at}`, { $ref: '#/$defs/long' }]),
      ),
      $defs: { long: { type: 'string', description: 'x'.repeat(3000) } },
    },
    { p1: 'x' },
  ],
])('a schema with %s is linked', (_what, schema, input) => {
  const hostile = { inputSchema: { type: 'object', ...schema }, examples: [{ input, output: 'done' }] }
  expect(compiledOrRejected(hostile.inputSchema)).toBeDefined()
  expect(verdictOf(hostile)).toEqual(valid)
  expect(bodySchemaOf(hostile)).toMatchObject({ description: expect.stringContaining('GET https://') })
})

test.each<[string, unknown, unknown, unknown]>([
  [
    'a pattern that backtracks without end',
    { type: 'string', pattern: '^(a+)+$' },
    'a'.repeat(40),
    { type: 'string', description: 'It must also have pattern ^(a+)+$.' },
  ],
  [
    'a pattern of RE2 alone',
    { type: 'string', title: 'Word', pattern: '(?i)^[[:alpha:]]+$' },
    'Word',
    { type: 'string', title: 'Word', description: 'It must also have pattern (?i)^[[:alpha:]]+$.' },
  ],
  ['a pattern within not', { not: { pattern: '^(a+)+$' } }, `${'a'.repeat(40)}!`, {}],
  ['a format within not', { not: { format: 'email' } }, 'nobody', {}],
  [
    'formats of which one must fit',
    { oneOf: [{ format: 'email' }, { format: 'date' }] },
    '2026-10-01',
    { allOf: [{ anyOf: [{ format: 'email' }, { format: 'date' }] }] },
  ],
  [
    'a condition on a pattern',
    Object.fromEntries([
      ['if', { pattern: '^(a+)+$' }],
      ['then', false],
    ]),
    'b',
    {},
  ],
  ['a step that is no whole number', { multipleOf: 0.1 }, 0.3, {}],
])('%s stays out of the schema for others', (_what, schema, value, expected) => {
  const inputSchema = { type: 'object', properties: { value: schema } }
  const hostile = { inputSchema, examples: [{ input: { value }, output: 'done' }] }
  const compiled = compiledOrRejected(inputSchema)
  expect(compiled && issuesAgainst(compiled, { value }, '')).toEqual([])
  expect(verdictOf(hostile)).toEqual(valid)
  expect(bodySchemaOf(hostile)).toMatchObject({ properties: { value: expected } })
})

test('whatever sellers store, the stock validator takes it', () => {
  let written = 0
  fc.assert(
    fc.property(withDefinitions, anyValue, (given, value) => {
      const { $defs, ...schema } = given as Record<string, unknown>
      const inputSchema = { type: 'object', properties: { value: schema }, $defs }
      const [input, output] = [compiledOrRejected(inputSchema), compiledOrRejected(given)]
      if (!input || !output || issuesAgainst(output, value, '').length > 0) return
      const hostile = { inputSchema, outputSchema: given, examples: [{ input: { value }, output: value }] }
      expect(verdictOf(hostile)).toEqual(valid)
      if (!JSON.stringify(bodySchemaOf(hostile)).includes('GET https://')) written += 1
    }),
    { numRuns: 60, seed: 20_261_117 },
  )
  expect(written).toBeGreaterThan(5)
})

test('what has more bytes than letters is counted in bytes', () => {
  const inputSchema = {
    type: 'object',
    properties: { 題: { type: 'string', description: '帳簿'.repeat(700) } },
  }
  const examples = [{ input: { 題: '帳簿'.repeat(500) } }]
  for (const terms of [{ inputSchema }, { inputSchema, examples }, { examples }]) {
    expect(Buffer.byteLength(JSON.stringify(bazaarOf(terms, 4_000)))).toBeLessThanOrEqual(4_000)
  }
})
