import { AppError } from '@agent-marketplace/contract'
import { issuesAgainst } from './check-value.ts'
import { compileSchema } from './compile-schema.ts'
import { isObject } from './keywords.ts'

/**
 * The simplest object that fits a stored schema, from what the schema says itself. Undefined where that is not enough: for
 * texts with a pattern, for instance.
 */
export function sampleOf(schema: Record<string, unknown>): Record<string, unknown> | undefined {
  const sample = simplestBy(schema, isObject(schema.$defs) ? schema.$defs : {})
  return isObject(sample) && fits(sample, schema) ? sample : undefined
}

/** A schema that was stored under older rules may not compile any more. */
function fits(value: unknown, schema: unknown): boolean {
  try {
    return issuesAgainst(compileSchema(schema, ''), value, '').length === 0
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

function simplestBy(schema: unknown, definitions: Record<string, unknown>): unknown {
  if (!isObject(schema)) return null
  if (typeof schema.$ref === 'string') return simplestBy(definitions[schema.$ref.slice(8)], definitions)
  const [example] = Array.isArray(schema.examples) ? schema.examples : []
  const [choice] = [schema.enum, schema.anyOf, schema.oneOf].filter(Array.isArray).flat()
  if (schema.const !== undefined) return schema.const
  if (example !== undefined) return example
  if (schema.default !== undefined) return schema.default
  if (choice !== undefined) return Array.isArray(schema.enum) ? choice : simplestBy(choice, definitions)
  return simplestOf(schema, definitions)
}

function simplestOf(schema: Record<string, unknown>, definitions: Record<string, unknown>): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'string':
      return 'a'.repeat(Math.min(Number(schema.minLength ?? 1), 200))
    case 'number':
    case 'integer':
      return Number(schema.minimum ?? Math.min(1, Number(schema.maximum ?? 1)))
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: Math.min(Number(schema.minItems ?? 0), 20) }, () =>
        simplestBy(schema.items, definitions),
      )
    case 'null':
      return null
    default:
      return membersOf(schema, definitions)
  }
}

function membersOf({ properties, required }: Record<string, unknown>, definitions: Record<string, unknown>) {
  const schemas = isObject(properties) ? properties : {}
  const names = Array.isArray(required) ? required.map(String) : []
  return Object.fromEntries(names.map((name) => [name, simplestBy(schemas[name], definitions)]))
}
