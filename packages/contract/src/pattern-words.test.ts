import { expect, test } from 'vitest'
import { allEndpoints, type Endpoint, patternWords } from './index.ts'

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

test('every pattern that a request can miss has words', () => {
  const patterns = new Set(allEndpoints.flatMap(requestSchemas).flatMap((schema) => [...patternsIn(schema)]))
  expect(patterns.size).toBeGreaterThan(15)
  expect([...patterns].filter((pattern) => patternWords(pattern) === undefined)).toEqual([])
})
