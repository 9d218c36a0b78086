import { isObject, type JsonObject, type SchemaField } from './schema-fields.ts'

/** What is written in the fields, by the field's pointer: text alone, so that it can be kept in the tab's storage. */
export type FieldTexts = Record<string, string>

export interface ReadInput {
  input: JsonObject
  /** What cannot be read, by the field's pointer. */
  problems: Record<string, string>
}

/** The texts as the input that the service takes. Empty fields are left out; whether that is right is for the schema to say. */
export function readInput(fields: readonly SchemaField[], texts: FieldTexts): ReadInput {
  const problems: Record<string, string> = {}
  const input: JsonObject = {}
  for (const field of fields) {
    const value = valueIn(field, texts, problems)
    if (value === undefined) continue
    if (field.path !== '') input[nameOf(field.path)] = value
    else if (isObject(value)) Object.assign(input, { ...value, ...input })
    else problems[field.path] = 'Write an object, such as { "name": "value" }.'
  }
  return { input, problems }
}

const nameOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')

function valueIn(field: SchemaField, texts: FieldTexts, problems: Record<string, string>): unknown {
  if (field.kind === 'group') {
    if (!field.isRequired && field.fields.every((inner) => isUntouched(inner, texts))) return undefined
    const inner = readInput(field.fields, texts)
    Object.assign(problems, inner.problems)
    return inner.input
  }
  const text = textOf(field, texts)
  // One of the choices may be a space or a tab.
  const isEmpty = (field.kind === 'choice' ? text : text.trim()) === ''
  const isBegunTrue = field.start === 'true'
  // Left out, a flag that begins as true would be read as true.
  if (field.kind === 'flag') return text === 'true' || (field.isRequired || isBegunTrue ? false : undefined)
  if (isEmpty) {
    if (field.isRequired) problems[field.path] = 'Fill this in.'
    return undefined
  }
  switch (field.kind) {
    case 'number': {
      const number = Number(text)
      if (Number.isFinite(number)) return number
      problems[field.path] = 'Write a number.'
      return undefined
    }
    case 'choice':
      return field.options.find((option) => String(option) === text)
    case 'list':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    case 'json':
      try {
        return JSON.parse(text)
      } catch {
        problems[field.path] = 'This is not JSON yet.'
        return undefined
      }
    default:
      return text
  }
}

/** The other way round: an input as it stands in the fields. What was left out stays empty, whatever the field begins with. */
export function writeInput(fields: readonly SchemaField[], input: JsonObject): FieldTexts {
  const named = new Set(fields.map(({ path }) => nameOf(path)))
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)))
  const texts: FieldTexts = {}
  for (const field of fields) {
    const value = field.path === '' ? others : input[nameOf(field.path)]
    if (field.kind === 'group') Object.assign(texts, writeInput(field.fields, isObject(value) ? value : {}))
    else texts[field.path] = value === undefined ? emptyText(field) : textFor(field, value)
  }
  return texts
}

const emptyText = ({ kind }: SchemaField): string => (kind === 'flag' ? 'false' : '')

function textFor({ kind, path }: SchemaField, value: unknown): string {
  if (kind === 'list' && Array.isArray(value)) return value.join('\n')
  if (path === '' && Object.keys(Object(value)).length === 0) return ''
  return kind === 'json' || typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** Nothing was written in it, or it was unchecked again. */
const isUntouched = ({ path, kind, start }: SchemaField, texts: FieldTexts): boolean => {
  const text = texts[path] ?? ''
  const written = kind === 'choice' ? text : text.trim()
  return written === '' || (kind === 'flag' && written === 'false' && start !== 'true')
}

export const textOf = ({ path, start }: SchemaField, texts: FieldTexts): string => texts[path] ?? start

/** The input in words, for those who read the order: a line for each field. */
export function describeInput(fields: readonly SchemaField[], input: JsonObject): string {
  const named = new Set(fields.map(({ path }) => nameOf(path)))
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)))
  return fields
    .flatMap((field) => {
      const isOthers = field.path === ''
      if (isOthers && Object.keys(others).length === 0) return []
      const value = isOthers ? others : input[nameOf(field.path)]
      return value === undefined ? [] : [`${field.label}: ${inWords(value)}`]
    })
    .join('\n')
}

/** What nobody would see. */
const unseen = new Map([
  ['\t', 'Tab'],
  [' ', 'Space'],
  ['\n', 'Line break'],
])

export function inWords(value: unknown): string {
  if (typeof value === 'string') return unseen.get(value) ?? value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? 'None' : value.join(', ')
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** An issue at a part of a field belongs to the field: the one whose pointer leads furthest toward it. */
export function fieldAt(fields: readonly SchemaField[], path: string): SchemaField | undefined {
  for (const field of fields) {
    if (path !== field.path && !path.startsWith(`${field.path}/`)) continue
    return (field.kind === 'group' && fieldAt(field.fields, path)) || field
  }
  return undefined
}
