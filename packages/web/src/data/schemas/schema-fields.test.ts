import { expect, test } from 'vitest'
import { fieldsOf, spoken } from './schema-fields.ts'
import { describeInput, fieldAt, readInput } from './schema-input.ts'

const schema = {
  type: 'object',
  properties: {
    site: { type: 'string', format: 'uri', title: 'Address' },
    brief: { type: 'string', description: 'In your own words.' },
    code: { type: 'string', maxLength: 8 },
    language: { enum: ['en', 'de'], default: 'de' },
    wordCount: { type: 'integer', minimum: 1, maximum: 9 },
    isUrgent: { type: 'boolean' },
    keywords: { type: 'array', items: { type: 'string' } },
    contact: { $ref: '#/$defs/contact' },
    matrix: { type: 'array', items: { type: 'array' } },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  required: ['site', 'wordCount', 'contact'],
  $defs: {
    contact: {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        deeper: { type: 'object', properties: { a: { type: 'string' } } },
      },
    },
  },
}
const fields = fieldsOf(schema)

test('each kind of value has its field, in the order of the schema', () => {
  expect(fields.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
    '/site text',
    '/brief text',
    '/code text',
    '/language choice',
    '/wordCount number',
    '/isUrgent flag',
    '/keywords list',
    '/contact group',
    '/matrix json',
    '/either json',
  ])
  expect(fields[0]).toMatchObject({ label: 'Address', type: 'url', isRequired: true, isLong: false })
  expect(fields[1]).toMatchObject({
    label: 'Brief',
    hint: 'In your own words.',
    isLong: true,
    isRequired: false,
  })
  expect(fields[2]).toMatchObject({ isLong: false, maxLength: 8 })
  expect(fields[3]).toMatchObject({ start: 'de' })
  expect(fields[7]).toMatchObject({
    fields: [
      { path: '/contact/email', kind: 'text', type: 'email' },
      { path: '/contact/deeper', kind: 'json' },
    ],
  })
})

test('texts become the input, and what is empty is left out', () => {
  const texts = {
    '/site': 'https://example.com/',
    '/wordCount': '5',
    '/isUrgent': 'true',
    '/keywords': 'one\n\n two ',
    '/contact/email': 'ada@example.com',
    '/matrix': '[[1]]',
  }
  const { input, problems } = readInput(fields, texts)
  expect(problems).toEqual({})
  expect(input).toEqual({
    site: 'https://example.com/',
    language: 'de',
    wordCount: 5,
    isUrgent: true,
    keywords: ['one', 'two'],
    contact: { email: 'ada@example.com' },
    matrix: [[1]],
  })
  expect(describeInput(fields, input)).toContain('Word count: 5\nIs urgent: Yes\nKeywords: one, two')
})

test('what cannot be read is named by its field', () => {
  const { problems } = readInput(fields, { '/wordCount': 'many', '/matrix': '[[' })
  expect(problems).toEqual({
    '/site': 'Fill this in.',
    '/wordCount': 'Write a number.',
    '/matrix': 'This is not JSON yet.',
  })
})

test('a choice that nobody would see is read as it is, and has a word', () => {
  const separators = fieldsOf({
    type: 'object',
    properties: {
      delimiter: { enum: [',', '\t'] },
      out: { type: 'object', properties: { delimiter: { enum: [',', ' '] } } },
    },
    required: ['delimiter'],
  })
  const { input, problems } = readInput(separators, { '/delimiter': '\t', '/out/delimiter': ' ' })
  expect(problems).toEqual({})
  expect(input).toEqual({ delimiter: '\t', out: { delimiter: ' ' } })
  expect(describeInput(separators, input)).toContain('Delimiter: Tab')
})

test('an issue finds its field', () => {
  expect(fieldAt(fields, '/keywords/3')?.path).toBe('/keywords')
  expect(fieldAt(fields, '/contact/email')?.path).toBe('/contact/email')
  expect(fieldAt(fields, '/contact')?.path).toBe('/contact')
  expect(fieldAt(fields, '/other')).toBeUndefined()
})

test('names are spoken', () => {
  expect(['dueDate', 'due_date', 'URL', '_'].map(spoken)).toEqual(['Due date', 'Due date', 'Url', '_'])
})

const partly = fieldsOf({
  type: 'object',
  properties: {
    who: {
      type: 'object',
      properties: { name: { type: 'string' }, isNew: { type: 'boolean' } },
      required: ['name', 'isNew'],
    },
    withLogo: { type: 'boolean', default: true },
    size: { enum: ['1', 1] },
  },
  required: ['budget'],
  additionalProperties: { type: 'string' },
})

test('a group that need not be there is left out while nothing is written in it', () => {
  const texts = { '/budget': '5', '/who/isNew': 'false' }
  expect(readInput(partly, texts)).toMatchObject({ problems: {}, input: { budget: 5 } })
  expect(readInput(partly, texts).input).not.toHaveProperty('who')
  expect(readInput(partly, { ...texts, '/who/isNew': 'true' }).problems).toEqual({
    '/who/name': 'Fill this in.',
  })
  expect(readInput(partly, { ...texts, '/who/name': 'Ada' }).input).toMatchObject({
    who: { name: 'Ada', isNew: false },
  })
})

test('a flag that begins as true says so when it is unchecked', () => {
  expect(readInput(partly, {}).input).toMatchObject({ withLogo: true })
  expect(readInput(partly, { '/withLogo': 'false' }).input).toMatchObject({ withLogo: false })
})

test('what has no field of its own is written as JSON', () => {
  expect(partly.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
    '/who group',
    '/withLogo flag',
    '/size json',
    '/budget json',
    ' json',
  ])
  const { input, problems } = readInput(partly, { '/budget': '5', '': '{ "colour": "red", "budget": 7 }' })
  expect([input, problems]).toEqual([{ withLogo: true, budget: 5, colour: 'red' }, {}])
  expect(describeInput(partly, input)).toContain('More fields: {"colour":"red"}')
  expect(readInput(partly, { '/budget': '5', '': '[1]' }).problems).toEqual({
    '': expect.stringContaining('Write an object'),
  })
  expect(fieldAt(partly, '/colour')).toMatchObject({ path: '' })
  expect(fieldsOf({ type: 'object', minProperties: 1 })).toMatchObject([
    { path: '', label: 'Input', isRequired: true },
  ])
})
