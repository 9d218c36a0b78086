import { type Issue, invalidInput, schemaLimits } from '@agent-marketplace/contract'
import { type Applicator, annotations, applicators, assertions, isObject, texts } from './keywords.ts'
import type { MatchBudget } from './patterns.ts'
import { formatRule, patternRule, type Refinement } from './refinements.ts'

/** A schema as the validator takes it: without references, and with patterns and formats as functions that end. */
export interface PlainSchema {
  [keyword: string]: unknown
}

export interface CompiledSchema {
  schema: PlainSchema | boolean
  /** How many subschemas apply once at most, and how many to any number of values. */
  cost: { once: number; each: number }
  budget: MatchBudget
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const MAX_ISSUES = 20
interface Place {
  path: string
  depth: number
  /** Beneath a keyword that applies to any number of values. */
  isRepeated: boolean
  /** The references that lead here. */
  refs: readonly string[]
}

/**
 * Reads the schema of a stranger: known keywords alone, small enough, and as a tree, so that checking a value ends after a
 * number of steps that is known before. Throws what is wrong with it, field by field.
 */
export function compileSchema(given: unknown, path: string): CompiledSchema {
  const bytes = Buffer.byteLength(JSON.stringify(given) ?? '', 'utf8')
  if (bytes > schemaLimits.bytes) {
    throw invalidInput([{ path, message: `must have at most ${schemaLimits.bytes} bytes` }])
  }
  const reader = createReader(given)
  const schema = reader.read(given, { path, depth: 0, isRepeated: false, refs: [] })
  if (reader.issues.length > 0) throw invalidInput(reader.issues)
  return { schema, cost: reader.cost, budget: reader.budget }
}

function createReader(root: unknown) {
  const issues: Issue[] = []
  const cost = { once: 0, each: 0 }
  const budget: MatchBudget = { left: 0 }
  const counts = { branches: 0, patterns: 0, unique: 0 }
  const definitions = isObject(root) && isObject(root.$defs) ? root.$defs : {}

  const reject = (path: string, message: string): void => {
    if (issues.length < MAX_ISSUES) issues.push({ path, message })
  }
  const spend = (kind: keyof typeof counts, most: number, path: string, words: string): boolean => {
    counts[kind] += 1
    if (counts[kind] === most + 1) reject(path, `the schema has more than ${most} ${words}`)
    return counts[kind] <= most
  }

  function read(given: unknown, place: Place): PlainSchema | boolean {
    const { path, depth, isRepeated } = place
    if (typeof given === 'boolean') return given
    if (!isObject(given)) {
      reject(path, 'must be a schema: an object, true or false')
      return true
    }
    if (depth > schemaLimits.depth) {
      reject(path, `is nested deeper than ${schemaLimits.depth} levels`)
      return true
    }
    cost[isRepeated ? 'each' : 'once'] += 1
    if (cost.once + cost.each > schemaLimits.parts) {
      if (cost.once + cost.each === schemaLimits.parts + 1)
        reject(path, `the schema has more than ${schemaLimits.parts} parts, with its references followed`)
      return true
    }
    const schema: PlainSchema = {}
    const refinements: Refinement[] = []
    for (const [keyword, value] of Object.entries(given)) {
      const at = { ...place, path: `${path}/${keyword}` }
      const applicator = applicators.get(keyword)
      if (applicator) schema[keyword] = readApplied(applicator, value, at)
      else if (keyword === 'pattern' || keyword === 'format')
        refinements.push(...refine(keyword, value, at.path))
      else if (assertions.has(keyword)) schema[keyword] = readAssertion(keyword, value, at.path)
      else if (keyword !== '$ref') readOther(keyword, value, at)
    }
    if (given.$ref !== undefined) {
      const target = follow(given.$ref, { ...place, path: `${path}/$ref` })
      schema.allOf = [...((schema.allOf as unknown[] | undefined) ?? []), target]
    }
    if (refinements.length > 0) schema['~refine'] = refinements
    if (given.uniqueItems === true) {
      spend('unique', schemaLimits.uniqueLists, path, 'lists with uniqueItems')
      cost.each += 1
    }
    return schema
  }

  function readApplied({ shape, reach }: Applicator, value: unknown, place: Place): unknown {
    const inner = { ...place, depth: place.depth + 1, isRepeated: place.isRepeated || reach === 'each' }
    const one = (given: unknown, path: string) => {
      if (reach === 'same') spend('branches', schemaLimits.branches, path, 'branches')
      return read(given, { ...inner, path })
    }
    if (shape === 'schema') return one(value, place.path)
    if (shape === 'list') {
      if (Array.isArray(value) && value.length > 0)
        return value.map((given, index) => one(given, `${place.path}/${index}`))
      reject(place.path, 'must be a list of schemas')
      return [true]
    }
    if (isObject(value)) return named(value, (given, name) => one(given, `${place.path}/${name}`))
    reject(place.path, 'must be an object of schemas')
    return {}
  }

  function readAssertion(keyword: string, value: unknown, path: string): unknown {
    const rule = assertions.get(keyword)
    if (rule && !rule.holds(value)) reject(path, rule.must)
    return value
  }

  function readOther(keyword: string, value: unknown, { path, depth }: Place): void {
    if (keyword === '$schema') {
      if (value !== DIALECT) reject(path, `must be ${DIALECT}, or left out`)
      return
    }
    if (texts.has(keyword)) {
      if (typeof value !== 'string') reject(path, 'must be a string')
      return
    }
    // What nothing refers to applies nowhere; what is referred to is read there.
    if (keyword === '$defs' && depth === 0) {
      if (!isObject(value)) reject(path, 'must be an object of schemas')
      return
    }
    if (!annotations.has(keyword) && !keyword.startsWith('x-')) reject(path, 'is not supported')
  }

  function follow(ref: unknown, place: Place): PlainSchema | boolean {
    const name = typeof ref === 'string' ? /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1] : undefined
    const target = name === undefined || !Object.hasOwn(definitions, name) ? undefined : definitions[name]
    if (name === undefined || target === undefined) {
      reject(place.path, 'must be #/$defs/ and a name that is defined there: nothing else is looked up')
      return true
    }
    if (place.refs.includes(name)) {
      reject(place.path, 'refers to itself')
      return true
    }
    if (!spend('branches', schemaLimits.branches, place.path, 'branches')) return true
    return read(target, { ...place, depth: place.depth + 1, refs: [...place.refs, name] })
  }

  function refine(keyword: 'pattern' | 'format', value: unknown, path: string): Refinement[] {
    if (keyword === 'pattern' && !spend('patterns', schemaLimits.patterns, path, 'patterns')) return []
    const rule = keyword === 'pattern' ? patternRule(value, budget) : formatRule(value)
    if (typeof rule !== 'string') return rule ? [rule] : []
    reject(path, rule)
    return []
  }

  return { read, issues, cost, budget }
}

/** Keys of strangers never meet a prototype. */
function named<T>(
  given: Record<string, unknown>,
  read: (value: unknown, name: string) => T,
): Record<string, T> {
  const result: Record<string, T> = Object.create(null)
  for (const [name, value] of Object.entries(given)) result[name] = read(value, name)
  return result
}
