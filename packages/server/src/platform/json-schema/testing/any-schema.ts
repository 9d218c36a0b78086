import { AppError } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { type CompiledSchema, compileSchema } from '../compile-schema.ts'

const names = fc.constantFrom('a', 'b', 'c', 'toString')
const plain = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null))

const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null') }),
    fc.record({ enum: fc.array(plain, { minLength: 1, maxLength: 5 }) }),
    fc.record({ pattern: fc.constantFrom('^(a+)+$', '(x+x+)+y', '^[a-z]{2,9}$', '(a|aa)+$') }),
    fc.record({ format: fc.constantFrom('date-time', 'email', 'uri', 'uuid', 'colour') }),
    fc.record({ minLength: fc.nat(5), maxLength: fc.nat(5) }),
    fc.record({ uniqueItems: fc.constant(true) }),
    fc.record({ $ref: fc.constantFrom('#/$defs/a', '#/$defs/b', '#/$defs/c') }),
    fc.record({
      properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
      required: fc.uniqueArray(names),
    }),
    fc.record({ additionalProperties: tie('schema') }),
    fc.record({ items: tie('schema'), contains: tie('schema') }, { requiredKeys: [] }),
    fc.record({ prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ not: tie('schema') }),
    fc.tuple(tie('schema'), tie('schema'), tie('schema')).map(([condition, yes, no]) =>
      Object.fromEntries([
        ['if', condition],
        ['then', yes],
        ['else', no],
      ]),
    ),
  ),
}))
/** Schemas as strangers write them; many of them are rejected. */
export const withDefinitions = fc
  .tuple(anySchema, fc.dictionary(fc.constantFrom('a', 'b', 'c'), anySchema, { maxKeys: 3 }))
  .map(([schema, $defs]) => ({ ...(schema as object), $defs }))

export const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    plain,
    fc.string({ unit: fc.constantFrom('a', 'x'), maxLength: 60 }),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
}))

export function compiledOrRejected(schema: unknown): CompiledSchema | undefined {
  try {
    return compileSchema(schema, '')
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return undefined
    throw error
  }
}
