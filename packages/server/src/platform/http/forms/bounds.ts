import type { Issue } from '@agent-marketplace/contract'
import type { TSchema } from 'typebox'

/** The first place in a value that is larger than its schema allows; undefined where there is none. */
export type FindExcess = (value: unknown, path: string) => Issue | undefined

interface BoundedSchema {
  properties?: Record<string, BoundedSchema>
  items?: BoundedSchema
  anyOf?: BoundedSchema[]
  maxItems?: number
  maxLength?: number
  maxProperties?: number
}

const none: FindExcess = () => undefined

/**
 * Sizes are looked at before anything else is. A schema's other rules may cost more than one look at each item (finding
 * duplicates, or collecting what is wrong with every one of them), and a list that is too long is wrong whatever it holds.
 */
export function createExcessFinder(schema: TSchema): FindExcess {
  return finderOf(schema as BoundedSchema)
}

function finderOf(schema: BoundedSchema): FindExcess {
  const finders = [
    ...textFinders(schema),
    ...listFinders(schema),
    ...objectFinders(schema),
    ...optionFinders(schema),
  ]
  if (finders.length === 0) return none
  return (value, path) => {
    for (const find of finders) {
      const excess = find(value, path)
      if (excess) return excess
    }
    return undefined
  }
}

/** In UTF-16 units, of which no text has fewer than characters; twice the limit is too much by any count. */
function textFinders({ maxLength }: BoundedSchema): FindExcess[] {
  if (maxLength === undefined) return []
  return [
    (value, path) =>
      typeof value === 'string' && value.length > 2 * maxLength
        ? { path, message: `must not have more than ${maxLength} characters` }
        : undefined,
  ]
}

function listFinders({ maxItems = Number.POSITIVE_INFINITY, items }: BoundedSchema): FindExcess[] {
  const find = items ? finderOf(items) : none
  if (maxItems === Number.POSITIVE_INFINITY && find === none) return []
  return [
    (value, path) => {
      if (!Array.isArray(value)) return undefined
      if (value.length > maxItems) return { path, message: `must not have more than ${maxItems} items` }
      if (find === none) return undefined
      for (const [index, item] of value.entries()) {
        const excess = find(item, `${path}/${index}`)
        if (excess) return excess
      }
      return undefined
    },
  ]
}

function objectFinders({ properties = {}, maxProperties }: BoundedSchema): FindExcess[] {
  const parts = Object.entries(properties).flatMap(([name, property]) => {
    const find = finderOf(property)
    return find === none ? [] : [{ name, find }]
  })
  if (parts.length === 0 && maxProperties === undefined) return []
  return [
    (value, path) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
      if (maxProperties !== undefined && Object.keys(value).length > maxProperties) {
        return { path, message: `must not have more than ${maxProperties} fields` }
      }
      for (const { name, find } of parts) {
        const excess = find((value as Record<string, unknown>)[name], `${path}/${name}`)
        if (excess) return excess
      }
      return undefined
    },
  ]
}

/** A value that fits one of several schemas may be as large as that one allows. */
function optionFinders({ anyOf }: BoundedSchema): FindExcess[] {
  if (!anyOf) return []
  const options = anyOf.map(finderOf)
  if (options.includes(none)) return []
  return [
    (value, path) => {
      const excesses = options.map((find) => find(value, path))
      return excesses.includes(undefined) ? undefined : excesses[0]
    },
  ]
}
