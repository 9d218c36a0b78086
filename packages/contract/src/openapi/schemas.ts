/** Turns TypeBox schemas into the plain JSON Schema of an OpenAPI document, and gathers the named ones as components. */

export type JsonSchema = Record<string, unknown>

export interface SchemaComponents {
  schemas: Record<string, JsonSchema>
  /** The schema itself, or a $ref when it has a title. */
  refer(schema: unknown): JsonSchema
}

const schemaMaps = new Set(['properties', 'patternProperties'])
const schemaLists = new Set(['anyOf', 'oneOf', 'allOf'])
const singleSchemas = new Set(['items', 'not', 'additionalProperties'])

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function createSchemaComponents(): SchemaComponents {
  const schemas: Record<string, JsonSchema> = {}
  const sources = new Map<string, object>()

  function refer(schema: unknown): JsonSchema {
    if (!isObject(schema)) return {}
    const { title } = schema
    if (typeof title !== 'string') return copy(schema)
    const known = sources.get(title)
    if (known === undefined) {
      sources.set(title, schema)
      schemas[title] = copy(schema)
    } else if (known !== schema && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are titled ${title}`)
    }
    return { $ref: `#/components/schemas/${title}` }
  }

  function copy(schema: Record<string, unknown>): JsonSchema {
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, copyKeyword(keyword, value)]),
    )
  }

  function copyKeyword(keyword: string, value: unknown): unknown {
    if (schemaMaps.has(keyword) && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, refer(schema)]))
    }
    if (schemaLists.has(keyword) && Array.isArray(value)) return value.map(refer)
    if (singleSchemas.has(keyword) && isObject(value)) return refer(value)
    return value
  }

  return { schemas, refer }
}

/** Stands for a text that has no example of its own; the tests let none through. */
export const PLACEHOLDER = 'text'

/** A whole example, made from the examples, defaults and enums of the parts. */
export function exampleOf(schema: unknown): unknown {
  if (!isObject(schema)) return {}
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0])
  const type = Array.isArray(schema.type) ? schema.type.at(-1) : schema.type
  if (type === 'object') {
    const properties = isObject(schema.properties) ? schema.properties : {}
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]))
  }
  if (type === 'array') return [exampleOf(schema.items)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  if (type === 'null') return null
  return PLACEHOLDER
}
