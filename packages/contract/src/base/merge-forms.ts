import { type TSchema, Type } from 'typebox'

/**
 * A plain response carries form A and form B in one body: objects are merged key by key, at every depth. Where both forms
 * have a key that is not an object, form A's value stands and the schema allows either, unless both are the same.
 */

type JsonObject = Record<string, unknown>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** It runs on every plain response, so it copies only the objects that both forms have. */
export function mergeFormValues(a: unknown, b: unknown): unknown {
  if (!isObject(a) || !isObject(b)) return a === undefined ? b : a
  const merged: JsonObject = { ...a }
  for (const key of Object.keys(b)) merged[key] = mergeFormValues(a[key], b[key])
  return merged
}

export function mergeFormSchemas(a: TSchema, b: TSchema): TSchema {
  return Type.Unsafe<unknown>(mergeSchemas(a, b))
}

function mergeSchemas(a: unknown, b: unknown): JsonObject {
  if (!isObject(a)) return isObject(b) ? b : {}
  if (!isObject(b) || a === b) return a
  if (!isObject(a.properties) || !isObject(b.properties)) {
    return JSON.stringify(a) === JSON.stringify(b) ? a : { anyOf: [a, b] }
  }
  const properties: JsonObject = { ...a.properties }
  for (const [key, schema] of Object.entries(b.properties))
    properties[key] = mergeSchemas(properties[key], schema)
  const required = [...new Set([...namesIn(a.required), ...namesIn(b.required)])]
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

function namesIn(required: unknown): unknown[] {
  return Array.isArray(required) ? required : []
}
