import fc from 'fast-check'
import type { Document, JsonSchema } from './document.ts'

/** Values that exist in the running service, by the name of the field that holds them. */
export type Known = ReadonlyMap<string, readonly string[]>

export interface Values {
  /** Fits the schema, all the way down. */
  fitting(schema: JsonSchema, name?: string): fc.Arbitrary<unknown>
  /** Mostly fits the schema; now and then something else stands in its place, at any depth. */
  mutated(schema: JsonSchema, name?: string): fc.Arbitrary<unknown>
}

/** Makes values from the schemas of a document. */
export function createValues({ resolve }: Document, known: Known): Values {
  function madeFrom(written: JsonSchema, part: Values['fitting'], name: string): fc.Arbitrary<unknown> {
    const schema = resolve(written)
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => part(option, name)))
    const types = [schema.type ?? 'any'].flat()
    return fc.oneof(...types.map((type) => ofType(type, schema, part, name)))
  }

  function ofType(
    type: string,
    schema: JsonSchema,
    part: Values['fitting'],
    name: string,
  ): fc.Arbitrary<unknown> {
    switch (type) {
      case 'object':
        return objectOf(schema, part)
      case 'array':
        return listOf(schema, part, name)
      case 'integer':
        return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 10_000 })
      case 'number':
        return fc
          .integer({ min: (schema.minimum ?? 0) * 100, max: (schema.maximum ?? 100) * 100 })
          .map((hundredths) => hundredths / 100)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'string':
        return orKnown(textOf(schema), known.get(name))
      default:
        return fc.jsonValue()
    }
  }

  const fitting: Values['fitting'] = (schema, name = '') => madeFrom(schema, fitting, name)
  const mutated: Values['mutated'] = (schema, name = '') =>
    fc.oneof(
      { weight: 19, arbitrary: madeFrom(schema, mutated, name) },
      { weight: 1, arbitrary: strangeValue },
    )
  return { fitting, mutated }
}

function objectOf({ properties, required = [] }: JsonSchema, part: Values['fitting']): fc.Arbitrary<unknown> {
  if (!properties) return fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue(), { maxKeys: 3 })
  const parts: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, part(property, name)]),
  )
  // Often nothing beside what must be there: optional fields tend to rule each other out.
  const bare = fc.record(
    Object.fromEntries(Object.entries(parts).filter(([name]) => required.includes(name))),
  )
  return fc.oneof(bare, fc.record(parts, { requiredKeys: required }))
}

function listOf(schema: JsonSchema, part: Values['fitting'], name: string): fc.Arbitrary<unknown> {
  const item = schema.items ? part(schema.items, name) : fc.string()
  const minLength = schema.minItems ?? 0
  const maxLength = Math.min(schema.maxItems ?? 5, Math.max(5, minLength))
  if (!schema.uniqueItems) return fc.array(item, { minLength, maxLength })
  return fc.uniqueArray(item, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
}

function textOf({ pattern, format, minLength = 0, maxLength = Infinity }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time' || format === 'date') {
    const end = format === 'date' ? 10 : undefined
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, end))
  }
  if (pattern) {
    return fc
      .stringMatching(new RegExp(pattern))
      .filter(({ length }) => length >= minLength && length <= maxLength)
  }
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) })
}

function orKnown(text: fc.Arbitrary<string>, values: readonly string[] = []): fc.Arbitrary<string> {
  if (values.length === 0) return text
  return fc.oneof({ weight: 1, arbitrary: text }, { weight: 2, arbitrary: fc.constantFrom(...values) })
}

const strangeValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    1.5,
    1e300,
    '',
    '0',
    '-1',
    '1e9',
    'é',
    '0x',
    'x'.repeat(5000),
    '9'.repeat(80),
    '\u0000',
    '\ud800',
    '__proto__',
    '2026-02-30T00:00:00Z',
    {},
    [],
  ),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
)
