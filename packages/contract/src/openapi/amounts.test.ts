import { describe, expect, test } from 'vitest'
import { allEndpoints, buildOpenApi, type OpenApiDocument } from '../index.ts'

const document = buildOpenApi({
  endpoints: allEndpoints,
  form: 'both',
  version: '1.0.0',
  serverUrl: 'http://localhost:4000',
})

/** What one example says about money: the reader adds it up. */
describe('the amounts of an example', () => {
  test.each(examplesOf(document))('%s: one price, which is the fee and what is left', (_name, example) => {
    const parts = partsOf(example)
    const prices = new Set(parts.flatMap(pricesIn))
    expect([...prices].slice(1)).toEqual([])
    for (const part of parts) {
      const [price, fee, net] = sumIn(part)
      if (price !== undefined && fee !== undefined && net !== undefined)
        expect(BigInt(fee) + BigInt(net)).toBe(BigInt(price))
    }
  })
})

type Part = Record<string, unknown>

const sums = [
  ['agreedPrice', 'platformFee', 'netAmount'],
  ['grossAmount', 'platformFee', 'netAmount'],
  ['totalGross', 'totalFees', 'totalNet'],
] as const

const sumIn = (part: Part): string[] =>
  (sums.find(([gross]) => gross in part) ?? []).flatMap((key) =>
    typeof part[key] === 'string' ? [part[key]] : [],
  )

/** What a job, its payment, its refund, x402 requirements and a signed authorization say that it costs. */
function pricesIn(part: Part): string[] {
  const isPayment = 'scheme' in part || 'method' in part || 'refundedAt' in part
  const said = [part.agreedPrice, isPayment && part.amount, 'validBefore' in part && part.value]
  return said.filter((price): price is string => typeof price === 'string')
}

function partsOf(value: unknown): Part[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Part, ...Object.values(value).flatMap(partsOf)]
}

function examplesOf({ paths, components }: OpenApiDocument): [name: string, example: unknown][] {
  const found: [string, unknown][] = []
  const collect = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('example' in value) found.push([name, value.example])
    if ('examples' in value && typeof value.examples === 'object') {
      for (const [key, example] of Object.entries(value.examples ?? {})) {
        if (typeof example === 'object' && example !== null && 'value' in example)
          found.push([`${name} ${key}`, example.value])
      }
    }
    for (const [key, part] of Object.entries(value))
      if (key !== 'example' && key !== 'examples' && key !== 'schema') collect(name, part)
  }
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) collect(`${method} ${path}`, operation)
  collect('responses', components.responses)
  return found
}
