import { Check, Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import * as contract from './index.ts'
import {
  allEndpoints,
  allowsEmptyBody,
  type Endpoint,
  errorTable,
  sharedErrorsOf,
  tagDescriptions,
} from './index.ts'

const duplicatesIn = (values: string[]) => values.filter((value, index) => values.indexOf(value) !== index)

describe('the list of endpoints', () => {
  test('has no id and no method with path twice', () => {
    expect(duplicatesIn(allEndpoints.map(({ id }) => id))).toEqual([])
    expect(
      duplicatesIn(allEndpoints.map(({ method, path }) => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`)),
    ).toEqual([])
  })

  test('holds every endpoint that the package exports, under its own name', () => {
    const exported = Object.entries(contract).filter(
      ([, value]) => typeof value === 'object' && 'method' in value && 'path' in value && 'response' in value,
    )
    expect(exported.map(([name]) => name).sort()).toEqual(allEndpoints.map(({ id }) => id).sort())
    expect(new Set(exported.map(([, value]) => value))).toEqual(new Set(allEndpoints))
  })

  test('uses tags that are described', () => {
    expect(allEndpoints.filter(({ tag }) => !tagDescriptions[tag])).toEqual([])
  })
})

describe('every endpoint', () => {
  test('declares exactly the parameters of its path', () => {
    for (const { id, path, params } of allEndpoints) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params?.properties ?? {}), id).toEqual(inPath)
      expect(path, id).toMatch(/^\/api(\/[a-z0-9.-]+|\/\{[a-zA-Z]+\})+$/)
    }
  })

  test('has a summary and a description', () => {
    for (const { id, summary, description } of allEndpoints) {
      expect(summary, id).toMatch(/^[A-Z].*[^.]$/)
      expect(description, id).toMatch(/^[A-Z].*\.$/s)
    }
  })

  test('bounds every list that it reads', () => {
    interface Part {
      maxItems?: number
      items?: Part
      properties?: Record<string, Part>
      anyOf?: Part[]
    }
    const unbounded = (part: Part, path: string): string[] => [
      ...(part.items && part.maxItems === undefined ? [path] : []),
      ...(part.items ? unbounded(part.items, `${path}[]`) : []),
      ...Object.entries(part.properties ?? {}).flatMap(([name, inner]) =>
        unbounded(inner, `${path}/${name}`),
      ),
      ...(part.anyOf ?? []).flatMap((option) => unbounded(option, path)),
    ]
    const bodies = allEndpoints.flatMap(({ id, body }) => {
      if (!body) return []
      return (body.kind === 'one' ? [body.schema] : [body.a, body.b]).flatMap((form) => unbounded(form, id))
    })
    expect(bodies).toEqual([])
  })

  test('names known error codes, each once', () => {
    for (const endpoint of allEndpoints) {
      expect(
        endpoint.errors.filter((code) => !(code in errorTable)),
        endpoint.id,
      ).toEqual([])
      expect(duplicatesIn([...endpoint.errors]), endpoint.id).toEqual([])
    }
  })

  test('has examples that fit its body', () => {
    for (const endpoint of allEndpoints) {
      for (const { schema, example } of bodyExamplesOf(endpoint))
        expect(Errors(schema, example), endpoint.id).toEqual([])
    }
  })

  test('takes an empty body only where its schema does', () => {
    for (const endpoint of allEndpoints) {
      const fits = bodyExamplesOf(endpoint).map(({ schema }) => Check(schema, {}))
      expect(allowsEmptyBody(endpoint), endpoint.id).toBe(fits.length === 0 || fits.includes(true))
    }
  })
})

describe('sharedErrorsOf', () => {
  const codesOf = (id: string) => {
    const endpoint = allEndpoints.find((candidate) => candidate.id === id)
    return endpoint ? sharedErrorsOf(endpoint) : []
  }
  const always = [
    'NOT_ACCEPTABLE',
    'RATE_LIMIT_EXCEEDED',
    'MISDIRECTED_REQUEST',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
  ]

  test('follows from what the endpoint is', () => {
    expect(codesOf('getConfig')).toEqual(always)
    expect(codesOf('getAgent')).toEqual(['VALIDATION_ERROR', ...always])
    expect(codesOf('getMe')).toEqual(['UNAUTHORIZED', 'FORBIDDEN', ...always])
    expect(codesOf('receiveKycWebhook')).toEqual([
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      ...always,
    ])
    expect(codesOf('createAgent')).toEqual([
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'KYC_REQUIRED',
      'IDEMPOTENCY_CONFLICT',
      ...always,
    ])
  })
})

function bodyExamplesOf({ body, examples }: Endpoint) {
  if (!body) return []
  if (body.kind === 'one') return [{ schema: body.schema, example: examples?.body }]
  return [
    { schema: body.a, example: examples?.body },
    { schema: body.b, example: examples?.bodyB },
  ]
}

describe('what API keys may do', () => {
  const isPaid = ({ errors }: Endpoint) =>
    (['PAYMENT_REQUIRED', 'INSUFFICIENT_BALANCE', 'PRICE_MISMATCH'] as const).some((code) =>
      errors.includes(code),
    )

  test('no call that takes or sends money goes uncounted with a budget', () => {
    const paid = allEndpoints.filter((endpoint) => endpoint.method !== 'GET' && isPaid(endpoint))
    expect(paid.length).toBeGreaterThan(5)
    expect(paid.filter(({ keys }) => keys?.money === 'none').map(({ id }) => id)).toEqual([])
  })

  test('every call that changes something says what it asks of a key, and of the others the one about the key itself', () => {
    const wrong = allEndpoints.filter(({ method, keys }) => (method === 'GET') !== (keys === undefined))
    expect(wrong.map(({ id }) => id)).toEqual(['getBudget'])
  })
})
