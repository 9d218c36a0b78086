import type { JsonObject, SchemaField } from './schema-fields.ts'

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
    if (value !== undefined) input[nameOf(field.path)] = value
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
    const inner = readInput(field.fields, texts)
    Object.assign(problems, inner.problems)
    return field.isRequired || Object.keys(inner.input).length > 0 ? inner.input : undefined
  }
  const text = textOf(field, texts)
  const isEmpty = text.trim() === ''
  if (field.kind === 'flag') return text === 'true' || (field.isRequired ? false : undefined)
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

export const textOf = ({ path, start }: SchemaField, texts: FieldTexts): string => texts[path] ?? start

/** The input in words, for those who read the order: a line for each field. */
export function describeInput(fields: readonly SchemaField[], input: JsonObject): string {
  return fields
    .flatMap((field) => {
      const value = input[nameOf(field.path)]
      return value === undefined ? [] : [`${field.label}: ${inWords(value)}`]
    })
    .join('\n')
}

export function inWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
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
