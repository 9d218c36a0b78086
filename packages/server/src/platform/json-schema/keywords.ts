import { forbiddenKeys } from '../http/forms/json-body.ts'

/**
 * The keywords of JSON Schema 2020-12 that a stored schema may use, and what each must hold. Left out is what needs state
 * between subschemas (`unevaluated…`, `$dynamicRef`), what names other documents (`$id`, `$anchor`), and what runs a pattern
 * over every key of a value.
 */

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0
/** JSON has no others: 1e999 is read as Infinity, and would be kept as null. */
const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isText = (value: unknown): boolean => typeof value === 'string'
const isPlain = (value: unknown): boolean =>
  value === null || isText(value) || isFlag(value) || isNumber(value)
const isNames = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= MAX_LISTED &&
  value.every((name) => isText(name) && !forbiddenKeys.has(name)) &&
  new Set(value).size === value.length
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const MAX_LISTED = 100

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const isType = (value: unknown): boolean => typeof value === 'string' && types.has(value)

interface Rule {
  holds: (value: unknown) => boolean
  /** What it must be, for the error. */
  must: string
}

const count: Rule = { holds: isCount, must: 'must be a whole number from 0 on' }
const number: Rule = { holds: isNumber, must: 'must be a finite number' }
/** What no body carries could never be sent, and a job that needs it never delivered. */
const carried = `without ${[...forbiddenKeys].join(', ')}`
const flag: Rule = { holds: isFlag, must: 'must be true or false' }

/** Keywords that say something about one value, without subschemas. */
export const assertions: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    type: {
      holds: (value) =>
        isType(value) ||
        (Array.isArray(value) && value.length > 0 && value.length <= 7 && value.every(isType)),
      must: `must be one of ${[...types].join(', ')}, or a list of them`,
    },
    enum: {
      holds: (value) =>
        Array.isArray(value) && value.length > 0 && value.length <= MAX_LISTED && value.every(isPlain),
      must: `must be a list of 1 to ${MAX_LISTED} strings, finite numbers, booleans or null`,
    },
    const: { holds: isPlain, must: 'must be a string, a finite number, a boolean or null' },
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: {
      holds: (value) => isNumber(value) && Number(value) > 0,
      must: 'must be a finite number above 0',
    },
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    uniqueItems: flag,
    required: { holds: isNames, must: `must be a list of at most ${MAX_LISTED} different names ${carried}` },
    dependentRequired: {
      holds: (value) => isObject(value) && Object.values(value).every(isNames),
      must: `must have lists of names ${carried}`,
    },
  }),
)

/** Keywords in words, which pages show. */
export const texts: ReadonlySet<string> = new Set(['title', 'description', '$comment'])

/** Keywords that say something to people and programs, and nothing about whether a value fits. */
export const annotations: ReadonlySet<string> = new Set([
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentMediaType',
  'contentEncoding',
])

export interface Applicator {
  shape: 'schema' | 'list' | 'named'
  /** `same`: applies to the value itself. `one`: to one part of it. `each`: to any number of its parts. */
  reach: 'same' | 'one' | 'each'
}

/** Keywords that hold subschemas. */
const schema = (reach: Applicator['reach']): Applicator => ({ shape: 'schema', reach })
const list = (reach: Applicator['reach']): Applicator => ({ shape: 'list', reach })

export const applicators: ReadonlyMap<string, Applicator> = new Map([
  ['properties', { shape: 'named', reach: 'one' }],
  ['additionalProperties', schema('each')],
  ['items', schema('each')],
  ['prefixItems', list('one')],
  ['contains', schema('each')],
  ['allOf', list('same')],
  ['anyOf', list('same')],
  ['oneOf', list('same')],
  ['not', schema('same')],
  ['if', schema('same')],
  ['then', schema('same')],
  ['else', schema('same')],
])

export { isObject }
