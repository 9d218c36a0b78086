import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { allEndpoints, type Endpoint, patternWords } from '../index.ts'

function* patternsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' && typeof value === 'string') yield value
    else if (key !== 'examples') yield* patternsIn(value)
  }
}

const requestSchemas = ({ params, query, body }: Endpoint): unknown[] => [
  params,
  query,
  ...(body?.kind === 'two' ? [body.a, body.b] : [body?.schema]),
]

const isAddressPattern = (pattern: string): boolean =>
  [19, 20, 21].every((bytes) => new RegExp(pattern).test(`0x${'ab'.repeat(bytes)}`) === (bytes === 20))

function* addressSchemasIn(schema: unknown): Generator<object> {
  if (typeof schema !== 'object' || schema === null) return
  if ('pattern' in schema && isAddressPattern(String(schema.pattern))) yield schema
  for (const value of Object.values(schema)) yield* addressSchemasIn(value)
}

test('no request takes the zero address where it takes an address, but for paths, which only name what is read', () => {
  const schemas = allEndpoints
    .flatMap((endpoint) => requestSchemas({ ...endpoint, params: undefined }))
    .flatMap((schema) => [...addressSchemasIn(schema)])
  expect(schemas.length).toBeGreaterThan(5)
  const zero = `0x${'00'.repeat(20)}`
  for (const schema of schemas)
    expect(Compile(schema as never).Check(zero), JSON.stringify(schema)).toBe(false)
})

test('every pattern that a request can miss has words', () => {
  const patterns = new Set(allEndpoints.flatMap(requestSchemas).flatMap((schema) => [...patternsIn(schema)]))
  expect(patterns.size).toBeGreaterThan(15)
  expect([...patterns].filter((pattern) => patternWords(pattern) === undefined)).toEqual([])
})
