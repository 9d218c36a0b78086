import { schemaLimits } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { issuesAgainst, stepsFor } from './check-value.ts'
import { type CompiledSchema, compileSchema } from './compile-schema.ts'
import { anyValue, compiledOrRejected, withDefinitions } from './testing/any-schema.ts'

/**
 * What a schema may cost is counted, not timed: every look of the validator at a keyword is one. However a stranger writes a
 * schema, and whatever a client sends, the looks stay below a number that is known before the check begins.
 */

/** The validator asks each schema that it meets about some fifty keywords, twice where it says what is wrong. */
const LOOKS_PER_STEP = 300

/** Counts every look at a keyword, in the schema and all that it holds. */
function counting(schema: CompiledSchema['schema']) {
  const seen = { looks: 0 }
  const watch = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    return new Proxy(part, {
      get: (target, key) => {
        seen.looks += 1
        const found = Reflect.get(target, key)
        return Array.isArray(target) && typeof found === 'function' ? found : watch(found)
      },
      has: (target, key) => {
        seen.looks += 1
        return Reflect.has(target, key)
      },
    })
  }
  return { seen, schema: watch(schema) as CompiledSchema['schema'] }
}

const wide = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]))

const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((sum: number, part) => sum + valuesIn(part), 0)
    : 1

function looksAt(compiled: CompiledSchema, value: unknown): number {
  const { seen, schema } = counting(compiled.schema)
  issuesAgainst({ ...compiled, schema }, value, '')
  return seen.looks
}

test('a check takes the steps that were known before, and no more', () => {
  let taken = 0
  fc.assert(
    fc.property(withDefinitions, anyValue, (given, value) => {
      const compiled = compiledOrRejected(given)
      if (!compiled) return
      taken += 1
      const steps = Math.min(stepsFor(compiled, valuesIn(value)), schemaLimits.steps)
      expect(looksAt(compiled, value)).toBeLessThanOrEqual(LOOKS_PER_STEP * (steps + 1))
    }),
    { numRuns: 400, seed: 20_261_116 },
  )
  expect(taken).toBeGreaterThan(100)
})

test('a schema that is taken has few parts, however its references multiply', () => {
  fc.assert(
    fc.property(withDefinitions, (given) => {
      const compiled = compiledOrRejected(given)
      if (!compiled) return
      const { once, each } = compiled.cost
      expect(once + each).toBeLessThanOrEqual(schemaLimits.parts + schemaLimits.uniqueLists)
    }),
    { numRuns: 400, seed: 7 },
  )
})

test('the worst that the limits allow', () => {
  const branches = Array.from({ length: schemaLimits.branches - 1 }, (_, at) => ({
    type: 'array',
    minItems: at,
  }))
  const worst = compileSchema({ type: 'array', items: { allOf: branches }, uniqueItems: true }, '')
  const rows = Math.floor(schemaLimits.steps / (branches.length + 2)) - 2
  const value = Array.from({ length: rows }, () => [])
  expect(stepsFor(worst, valuesIn(value))).toBeLessThanOrEqual(schemaLimits.steps)
  expect(looksAt(worst, value)).toBeLessThanOrEqual(LOOKS_PER_STEP * schemaLimits.steps)
})

test.each([
  ['items that ask for what is not there', { items: { properties: wide(180) } }, () => ({})],
  ['lists in lists', { items: { items: { contains: { type: 'string' } } } }, () => [[1], [2]]],
  ['all that is different', { items: { uniqueItems: true } }, (at: number) => [at, [at], { at }]],
  [
    'other names',
    { items: { additionalProperties: { anyOf: [{ type: 'null' }, {}] } } },
    () => ({ a: 1, b: 2 }),
  ],
])('a value that is counted takes no more: %s', (_name, schema, partOf) => {
  const compiled = compileSchema(schema, '')
  for (let rows = 1; rows < 20_000; rows *= 3) {
    const value = Array.from({ length: rows }, (_, at) => partOf(at))
    expect(looksAt(compiled, value)).toBeLessThanOrEqual(LOOKS_PER_STEP * schemaLimits.steps)
  }
})
