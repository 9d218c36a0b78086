import {
  AppError,
  defaultInputSchema,
  defaultOutputSchema,
  type Issue,
  schemaLimits,
} from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import { issuesAgainst } from './check-value.ts'
import { compileSchema } from './compile-schema.ts'

/** What is wrong with a schema; nothing where it is taken. */
function faultsOf(schema: unknown): Issue[] {
  try {
    compileSchema(schema, '/s')
    return []
  } catch (error) {
    if (error instanceof AppError) return error.details.issues as Issue[]
    throw error
  }
}
const check = (schema: unknown, value: unknown) => issuesAgainst(compileSchema(schema, '/s'), value, '/input')

const order = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  title: 'Order',
  properties: {
    language: { enum: ['en', 'de'], default: 'en' },
    words: { type: 'integer', minimum: 100, maximum: 2000 },
    email: { type: 'string', format: 'email' },
    code: { type: 'string', pattern: '^[A-Z]{3}-[0-9]+$' },
    tags: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 3, uniqueItems: true },
    address: { $ref: '#/$defs/address' },
  },
  required: ['language', 'words'],
  additionalProperties: false,
  $defs: {
    address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

describe('a value', () => {
  test('fits', () => {
    const value = {
      language: 'de',
      words: 500,
      email: 'ada@example.com',
      code: 'ABC-12',
      tags: ['a', 'b'],
      address: { city: 'Ulm' },
    }
    expect(check(order, value)).toEqual([])
    expect(check(defaultInputSchema, { task: 'Reconcile.' })).toEqual([])
    expect(check(defaultOutputSchema, 'Done.')).toEqual([])
  })

  test.each([
    [{ language: 'fr', words: 500 }, '/input/language', 'must be one of en, de'],
    [{ language: 'en' }, '/input/words', 'is required'],
    [{ language: 'en', words: 20 }, '/input/words', 'must be at least 100'],
    [{ language: 'en', words: 'many' }, '/input/words', 'must be an integer'],
    [{ language: 'en', words: 500, email: 'ada' }, '/input/email', 'must be an email address'],
    [{ language: 'en', words: 500, code: 'abc' }, '/input/code', 'must match ^[A-Z]{3}-[0-9]+$'],
    [{ language: 'en', words: 500, tags: ['a', ''] }, '/input/tags/1', 'must not be empty'],
    [{ language: 'en', words: 500, address: {} }, '/input/address/city', 'is required'],
    [{ language: 'en', words: 500, colour: 1 }, '/input/colour', 'is not allowed'],
    ['words', '/input', 'must be an object'],
  ])('%j is wrong at %s', (value, path, message) => {
    expect(check(order, value)).toEqual([{ path, message }])
  })

  test('has the properties that were sent, not those of all objects', () => {
    const names = { type: 'object', properties: { toString: { type: 'string' } }, required: ['valueOf'] }
    expect(check(names, {})).toEqual([{ path: '/input/valueOf', message: 'is required' }])
    expect(check({ ...names, required: [] }, {})).toEqual([])
  })

  test('may be a table of hundreds of rows', () => {
    const names = Array.from({ length: 10 }, (_, at) => `column${at}`)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const table = { type: 'array', items: { type: 'object', properties, required: names } }
    const row = Object.fromEntries(names.map((name) => [name, 'x']))
    const rows = (count: number) => Array.from({ length: count }, () => row)
    expect(check(table, rows(800))).toEqual([])
    expect(check(table, [...rows(800), { ...row, column3: 1 }])).toEqual([
      { path: '/input/800/column3', message: 'must be a string' },
    ])
    expect(check(table, rows(1000))[0]?.message).toBe('is too large to be checked against its schema')
  })

  test('is rejected where checking it would take too long', () => {
    const pairs = { type: 'array', items: { allOf: Array.from({ length: 30 }, () => ({ type: 'number' })) } }
    expect(check(pairs, [1, 2, 3])).toEqual([])
    const tooLarge = [{ path: '/input', message: 'is too large to be checked against its schema' }]
    expect(
      check(
        pairs,
        Array.from({ length: 1000 }, () => 1),
      ),
    ).toEqual(tooLarge)
    const evil = { type: 'string', pattern: '^(a+)+$' }
    expect(check(evil, 'a'.repeat(30))).toEqual([])
    expect(check(evil, `${'a'.repeat(1900)}!`)[0]?.message).toBe('must match ^(a+)+$')
    expect(check(evil, 'a'.repeat(5000))[0]?.message).toBe('is too long to be matched with its pattern')
  })

  test('may match patterns as often as the budget of one check allows', () => {
    const list = { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } }
    const words = (count: number) => Array.from({ length: count }, () => 'x'.repeat(100))
    expect(check(list, words(20))).toEqual([])
    expect(check(list, words(900))[0]?.message).toBe('is too long to be matched with its pattern')
    expect(check(list, words(20))).toEqual([])
  })
})

const nested = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } }

/** Each definition uses the one before it twice. */
const bomb = (levels: number) => ({
  $ref: `#/$defs/d${levels}`,
  $defs: Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, level) => [
      `d${level}`,
      level === 0
        ? { type: 'string' }
        : { properties: { a: { $ref: `#/$defs/d${level - 1}` }, b: { $ref: `#/$defs/d${level - 1}` } } },
    ]),
  ),
})

describe('a schema is rejected', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['no schema', 7, '/s', /must be a schema/],
    ['a keyword that all objects have', { toString: 1 }, '/s/toString', /not supported/],
    ['an unknown keyword', { types: 'string' }, '/s/types', /not supported/],
    ['an unknown type', { type: 'text' }, '/s/type', /must be one of/],
    [
      'another dialect',
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      '/s/$schema',
      /must be https/,
    ],
    [
      'a reference elsewhere',
      { $ref: 'https://evil.example/s.json' },
      '/s/$ref',
      /nothing else is looked up/,
    ],
    ['a reference to nothing', { $ref: '#/$defs/toString' }, '/s/$ref', /nothing else is looked up/],
    ['an anchor', { $id: 'https://evil.example', type: 'string' }, '/s/$id', /not supported/],
    [
      'a circle',
      { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } },
      '/s/$ref/items/$ref',
      /itself/,
    ],
    ['a bomb of references', bomb(12), '/s', /branches|parts|nested/],
    ['too deep', nested(schemaLimits.depth + 1), '/s', /nested deeper/],
    ['a huge enum', { enum: Array.from({ length: 101 }, (_, at) => at) }, '/s/enum', /1 to 100/],
    ['an enum of lists', { enum: [[1]] }, '/s/enum', /1 to 100/],
    ['many branches', { anyOf: Array.from({ length: 41 }, () => ({})) }, '/s/anyOf/40', /40 branches/],
    ['look-ahead', { pattern: '(?=a)b' }, '/s/pattern', /RE2/],
    ['a back-reference', { pattern: '(a)\\1' }, '/s/pattern', /RE2/],
    ['a long pattern', { pattern: 'a'.repeat(201) }, '/s/pattern', /200 characters/],
    ['a pattern that repeats', { pattern: '((a{9}){99}){99}' }, '/s/pattern', /repeats too much/],
    [
      'a pattern of many parts',
      { pattern: `${'[a-z]'.repeat(10)}{90}`.repeat(3) },
      '/s/pattern',
      /too (large|much)/,
    ],
    [
      'many patterns',
      { allOf: Array.from({ length: 21 }, () => ({ pattern: 'a' })) },
      '/s/allOf/20/pattern',
      /20 patterns/,
    ],
    ['a pattern for keys', { patternProperties: { '^(a+)+$': {} } }, '/s/patternProperties', /not supported/],
    ['unevaluated parts', { unevaluatedProperties: false }, '/s/unevaluatedProperties', /not supported/],
    ['a title that is no text', { title: { $ref: 'x' } }, '/s/title', /must be a string/],
    ['a half-written list', { allOf: [] }, '/s/allOf', /list of schemas/],
    ['a limit in words', { maxLength: '5' }, '/s/maxLength', /whole number/],
    ['a limit without end', JSON.parse('{"minimum":-1e999}'), '/s/minimum', /finite number/],
    ['a step without end', JSON.parse('{"multipleOf":1e999}'), '/s/multipleOf', /finite number/],
    ['a choice without end', JSON.parse('{"enum":[1,1e999]}'), '/s/enum', /finite numbers/],
    ['a value without end', JSON.parse('{"const":1e999}'), '/s/const', /finite number/],
    ['a name that no body carries', { required: ['constructor'] }, '/s/required', /without .*constructor/],
    [
      'such a name under a condition',
      { dependentRequired: { a: ['__proto__'] } },
      '/s/dependentRequired',
      /without __proto__/,
    ],
    ['many bytes', { description: 'x'.repeat(schemaLimits.bytes) }, '/s', /bytes/],
  ])('%s', (_name, schema, path, words) => {
    const [fault] = faultsOf(schema)
    expect(fault?.path.startsWith(path)).toBe(true)
    expect(fault?.message).toMatch(words)
  })

  test('not for what says something to people alone', () => {
    const spoken = {
      type: 'string',
      format: 'markdown',
      title: 'T',
      description: 'D',
      examples: ['x'],
      'x-order': 1,
    }
    expect(faultsOf(spoken)).toEqual([])
    expect(faultsOf(nested(schemaLimits.depth))).toEqual([])
    expect(faultsOf(order)).toEqual([])
  })
})
