/** A form drawn from a JSON Schema: what can be drawn has a field of its own, the rest is written as JSON. */

export type JsonObject = Record<string, unknown>

interface FieldBase {
  /** A JSON pointer into the input, such as `/address/city`; empty for what has no field of its own. */
  path: string
  label: string
  hint: string | undefined
  isRequired: boolean
  /** What the field begins with, as text. */
  start: string
}

export type SchemaField = FieldBase &
  (
    | {
        kind: 'text'
        isLong: boolean
        type: 'text' | 'email' | 'url' | 'date'
        maxLength: number | undefined
      }
    | { kind: 'number'; isInteger: boolean; min: number | undefined; max: number | undefined }
    | { kind: 'flag' }
    | { kind: 'choice'; options: readonly (string | number)[] }
    | { kind: 'list' }
    | { kind: 'json' }
    | { kind: 'group'; fields: SchemaField[] }
  )

const LONG_TEXT = 200
const inputTypes = new Map<unknown, 'email' | 'url' | 'date'>([
  ['email', 'email'],
  ['uri', 'url'],
  ['date', 'date'],
])

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** The fields of an object schema, in the order in which they were written. Groups hold no groups. */
export function fieldsOf(schema: JsonObject): SchemaField[] {
  const fields = fieldsIn(schema, '', schema)
  return takesOtherNames(schema) ? [...fields, otherNames(schema, fields.length > 0)] : fields
}

/** Whether an object holds what has a kind but no name: a map, or anything at all. */
function takesOtherNames({ properties, additionalProperties, patternProperties, minProperties }: JsonObject) {
  const isMap = isObject(additionalProperties) || isObject(patternProperties)
  return isMap || (!isObject(properties) && typeof minProperties === 'number' && minProperties > 0)
}

const otherNames = ({ minProperties }: JsonObject, isBesideOthers: boolean): SchemaField => ({
  kind: 'json',
  path: '',
  label: isBesideOthers ? 'More fields' : 'Input',
  hint: 'Names and values, such as { "name": "value" }.',
  isRequired: !isBesideOthers && typeof minProperties === 'number' && minProperties > 0,
  start: '',
})

function fieldsIn(schema: JsonObject, path: string, root: JsonObject): SchemaField[] {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const unnamed = required
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => [name, {}] as const)
  return [...Object.entries(properties), ...unnamed].map(([name, given]) => {
    const property = isObject(given) ? resolved(given, root) : {}
    const base = {
      path: `${path}/${pointerPart(name)}`,
      label: textIn(property.title) ?? spoken(name),
      hint: textIn(property.description),
      isRequired: required.includes(name),
      start: startOf(property.default),
    }
    return fieldOf(property, base, path === '' ? root : undefined)
  })
}

function fieldOf(schema: JsonObject, base: FieldBase, root: JsonObject | undefined): SchemaField {
  const options = schema.enum
  if (Array.isArray(options) && areDistinctInText(options)) return { ...base, kind: 'choice', options }
  if (['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref'].some((keyword) => keyword in schema))
    return { ...base, kind: 'json' }
  switch (schema.type) {
    case 'string':
      return textField(schema, base)
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: 'number',
        isInteger: schema.type === 'integer',
        min: numberIn(schema.minimum),
        max: numberIn(schema.maximum),
      }
    case 'boolean':
      return { ...base, kind: 'flag' }
    case 'array':
      return { ...base, kind: isListOfText(schema.items) ? 'list' : 'json' }
    case 'object':
      return root && isObject(schema.properties) && !takesOtherNames(schema)
        ? { ...base, kind: 'group', fields: fieldsIn(schema, base.path, root) }
        : { ...base, kind: 'json' }
    default:
      return { ...base, kind: 'json' }
  }
}

function textField(schema: JsonObject, base: FieldBase): SchemaField {
  const type = inputTypes.get(schema.format) ?? 'text'
  const maxLength = numberIn(schema.maxLength)
  const isLong =
    type === 'text' && !schema.pattern && !schema.format && (maxLength ?? LONG_TEXT + 1) > LONG_TEXT
  return { ...base, kind: 'text', type, isLong, maxLength }
}

/** "1" and 1 look the same in a list to choose from. */
const areDistinctInText = (options: unknown[]): boolean =>
  options.every((option) => ['string', 'number'].includes(typeof option)) &&
  new Set(options.map(String)).size === options.length

const isListOfText = (items: unknown): boolean =>
  isObject(items) && items.type === 'string' && !('enum' in items)

/** What a reference of its own document stands for, with what is said beside it. */
function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  const name = textIn(schema.$ref)?.replace('#/$defs/', '')
  const target = name !== undefined && isObject(root.$defs) ? root.$defs[name] : undefined
  if (!isObject(target)) return schema
  const { $ref: _, ...beside } = schema
  return { ...target, ...beside }
}

const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** `dueDate` and `due_date` as a person says it. */
export function spoken(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words === '' ? name : `${words[0]?.toUpperCase()}${words.slice(1)}`
}

function startOf(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return JSON.stringify(value)
}
