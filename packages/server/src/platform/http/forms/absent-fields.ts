import type { TSchema } from 'typebox'

/** The value without the fields that say nothing. */
export type DropAbsent = (value: unknown) => unknown

interface Schema {
  type?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
}

/**
 * Null for a field that may be left out means that it is left out, unless null has a meaning of its own there. `others` are
 * fields that the schema does not know, but another form of the body does.
 */
export function createAbsentDropper(schema: TSchema, others: readonly string[] = []): DropAbsent {
  return dropperOf(schema as Schema, others) ?? ((value) => value)
}

/** Undefined where nothing can be dropped. */
function dropperOf(schema: Schema, others: readonly string[] = []): DropAbsent | undefined {
  if (schema.items) return listDropperOf(schema.items, schema.maxItems)
  if (!schema.properties) return undefined
  const required = new Set(schema.required)
  const known = Object.entries(schema.properties)
  const droppable = new Set([
    ...known.filter(([name, property]) => !required.has(name) && !takesNull(property)).map(([name]) => name),
    ...others.filter((name) => !(name in (schema.properties ?? {}))),
  ])
  const inner = known.flatMap(([name, property]) => {
    const drop = dropperOf(property)
    return drop ? [{ name, drop }] : []
  })
  if (droppable.size === 0 && inner.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = value as Record<string, unknown>
    // Copied where something changes only: copying thousands of unknown keys is dear.
    let kept = given
    const ownCopy = () => {
      if (kept === given) kept = { ...given }
      return kept
    }
    for (const name of droppable) if (given[name] === null) delete ownCopy()[name]
    for (const { name, drop } of inner) {
      const dropped = drop(kept[name])
      if (dropped !== kept[name]) ownCopy()[name] = dropped
    }
    return kept
  }
}

/** A list that is too long is refused whatever it holds, so nobody looks into it. */
function listDropperOf(items: Schema, maxItems = Number.POSITIVE_INFINITY): DropAbsent | undefined {
  const drop = dropperOf(items)
  if (!drop) return undefined
  return (value) => {
    if (!Array.isArray(value) || value.length > maxItems) return value
    const kept = value.map(drop)
    return kept.every((item, index) => item === value[index]) ? value : kept
  }
}

function takesNull({ type, enum: values, anyOf }: Schema): boolean {
  if (anyOf) return anyOf.some(takesNull)
  if (values) return values.includes(null)
  return type === undefined || [type].flat().includes('null')
}
