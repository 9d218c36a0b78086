import { applicators, assertions, isObject } from './keywords.ts'
import { isPortablePattern } from './portable-pattern.ts'

export type JsonSchema = Record<string, unknown> | boolean

/** Keywords about which validators disagree, in corners at least. */
const inexact: ReadonlySet<string> = new Set(['multipleOf', 'format', 'pattern'])
/** What validators elsewhere take for a reference, wherever it stands. */
const referenceNames: ReadonlySet<string> = new Set(['$ref', '$id'])

/**
 * A stored schema for validators elsewhere: a tree without references, in which every value fits that fits the original.
 * What they would read differently is left out and described in words. Undefined where that cannot be done, or not in so
 * many bytes: references that are written out can make a small schema large.
 */
export function portableSchema(root: Record<string, unknown>, bytes: number): JsonSchema | undefined {
  const definitions = isObject(root.$defs) ? root.$defs : {}
  let bytesLeft = bytes
  let isPossible = true

  function copy(given: unknown): JsonSchema {
    if (!isPossible || !isObject(given)) return given !== false
    const schema = plainPart(given)
    bytesLeft -= Buffer.byteLength(JSON.stringify(schema))
    if (bytesLeft < 0 || namesIn(given).some(isMistaken)) isPossible = false
    for (const [keyword, { shape }] of applicators) {
      const value = given[keyword]
      if (value === undefined || !isKept(keyword, given)) continue
      if (shape === 'schema') schema[keyword] = copy(value)
      else if (Array.isArray(value)) schema[keyword] = value.map(copy)
      else if (isObject(value)) schema[keyword] = copyNamed(value)
    }
    const besides: JsonSchema[] = []
    if (Array.isArray(given.oneOf) && schema.oneOf === undefined)
      besides.push({ anyOf: given.oneOf.map(copy) })
    if (typeof given.$ref === 'string') besides.push(copy(definitions[given.$ref.slice('#/$defs/'.length)]))
    const all = Array.isArray(schema.allOf) ? schema.allOf : []
    return besides.length === 0 ? schema : { ...schema, allOf: [...all, ...besides] }
  }

  const copyNamed = (schemas: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(schemas).map(([name, part]) => [name, copy(part)]))

  const schema = copy(root)
  return isPossible ? schema : undefined
}

/** All but the subschemas. */
function plainPart(given: Record<string, unknown>): Record<string, unknown> {
  const schema: Record<string, unknown> = {}
  const words = typeof given.description === 'string' ? [given.description] : []
  for (const [keyword, value] of Object.entries(given)) {
    if (isReadAlike(keyword, value)) schema[keyword] = value
    else if (inexact.has(keyword)) words.push(`It must also have ${keyword} ${value}.`)
  }
  if (Array.isArray(schema.type)) schema.type = [...new Set(schema.type)]
  if (!isExact(given.contains)) delete schema.maxContains
  if (words.length > 0) schema.description = words.join(' ')
  return schema
}

function isReadAlike(keyword: string, value: unknown): boolean {
  if (keyword === 'pattern') return typeof value === 'string' && isPortablePattern(value)
  if (keyword === 'multipleOf') return false
  if (keyword === 'default') return ['string', 'number', 'boolean'].includes(typeof value)
  return keyword === 'title' || keyword === 'format' || (assertions.get(keyword)?.holds(value) ?? false)
}

/** A looser part makes the whole looser, but turns these around. */
function isKept(keyword: string, given: Record<string, unknown>): boolean {
  if (keyword === 'not' || keyword === 'oneOf') return isExact(given[keyword])
  if (keyword === 'if' || keyword === 'then' || keyword === 'else') return isExact(given.if)
  return true
}

/** Whether all that is in it is read alike for certain. */
function isExact(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return true
  return Object.entries(part).every(
    ([name, value]) => !inexact.has(name) && name !== '$ref' && isExact(value),
  )
}

/** A name that is taken for a reference, or that every object has without being sent. */
const isMistaken = (name: unknown): boolean =>
  typeof name === 'string' && (referenceNames.has(name) || name in Object.prototype)

/** The names of fields that a schema speaks of. */
function namesIn({ properties, required, dependentRequired }: Record<string, unknown>): unknown[] {
  const dependent = isObject(dependentRequired) ? Object.entries(dependentRequired).flat(2) : []
  return [isObject(properties) ? Object.keys(properties) : [], required, dependent].flat()
}
