import { AppError, invalidField, MAX_JSON_DEPTH } from '@agent-marketplace/contract'

/** Names that no body carries: they are dropped. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a body as strict UTF-8 JSON and refuses what no field could hold: NUL, lone surrogates, deep nesting, numbers
 * without end.
 */
export function parseJsonBody(body: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(body)
  } catch (cause) {
    throw malformed('The body is not valid UTF-8.', cause)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformed('The body is not valid JSON.', cause)
  }
  cleanValue(value, [])
  return value
}

function malformed(message: string, cause: unknown): AppError {
  return new AppError('VALIDATION_ERROR', { message, cause, details: { issues: [{ path: '', message }] } })
}

/**
 * Walks the value once, and writes on it: keys that could reach a prototype are dropped, text that PostgreSQL cannot store is
 * refused. The place is kept as steps and spelled only in an error: a body may have thirty thousand of them.
 */
function cleanValue(value: unknown, steps: (string | number)[]): void {
  if (typeof value === 'string') checkText(value, () => pathOf(steps))
  // 1e999 is read as Infinity, which would be kept as null.
  if (value === Infinity || value === -Infinity) {
    throw invalidField(pathOf(steps), 'is a number that is too large')
  }
  if (typeof value !== 'object' || value === null) return
  if (steps.length >= MAX_JSON_DEPTH) {
    throw invalidField(pathOf(steps), `is nested deeper than ${MAX_JSON_DEPTH} levels`)
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      steps.push(index)
      cleanValue(value[index], steps)
      steps.pop()
    }
    return
  }
  const fields = value as Record<string, unknown>
  for (const key of Object.keys(fields)) {
    if (forbiddenKeys.has(key)) {
      delete fields[key]
      continue
    }
    checkText(key, () => pathOf(steps))
    steps.push(key)
    cleanValue(fields[key], steps)
    steps.pop()
  }
}

const pathOf = (steps: readonly (string | number)[]): string => steps.map((step) => `/${step}`).join('')

export function checkText(text: string, path: () => string): void {
  if (text.includes('\u0000')) throw invalidField(path(), 'contains a NUL character')
  if (!text.isWellFormed()) throw invalidField(path(), 'contains half of a surrogate pair')
}
