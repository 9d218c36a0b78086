import { AppError, invalidField, MAX_JSON_DEPTH } from '@agent-marketplace/contract'

/** Names that no body carries: they are dropped. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Parses a body as strict UTF-8 JSON and refuses what no field could hold: NUL, lone surrogates, deep nesting, numbers
 * without end.
 */
export function parseJsonBody(body: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw malformed('The body is not valid UTF-8.', cause)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformed('The body is not valid JSON.', cause)
  }
  return cleanValue(value, '', 0)
}

function malformed(message: string, cause: unknown): AppError {
  return new AppError('VALIDATION_ERROR', { message, cause, details: { issues: [{ path: '', message }] } })
}

/** Walks the value once: keys that could reach a prototype are dropped, text that PostgreSQL cannot store is refused. */
function cleanValue(value: unknown, path: string, depth: number): unknown {
  if (typeof value === 'string') {
    checkText(value, path)
    return value
  }
  // 1e999 is read as Infinity, which would be kept as null.
  if (value === Infinity || value === -Infinity) throw invalidField(path, 'is a number that is too large')
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_JSON_DEPTH) throw invalidField(path, `is nested deeper than ${MAX_JSON_DEPTH} levels`)
  if (Array.isArray(value)) return value.map((item, index) => cleanValue(item, `${path}/${index}`, depth + 1))
  const clean: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (forbiddenKeys.has(key)) continue
    checkText(key, path)
    clean[key] = cleanValue(member, `${path}/${key}`, depth + 1)
  }
  return clean
}

export function checkText(text: string, path: string): void {
  if (text.includes('\u0000')) throw invalidField(path, 'contains a NUL character')
  if (!text.isWellFormed()) throw invalidField(path, 'contains half of a surrogate pair')
}
