import type { CompiledSchema, PlainSchema } from './compile-schema.ts'
import { applicators, isObject } from './keywords.ts'

type Schema = CompiledSchema['schema']

/** How often a subschema meets a part of this value, counted up to one more than `most`. */
export function countMeetings(root: Schema, whole: unknown, most: number): number {
  let count = 0

  const meet = (schema: Schema, value: unknown): void => {
    count += 1
    if (typeof schema === 'boolean') return
    for (const [keyword, { shape, reach }] of applicators) {
      if (reach !== 'same' || !Object.hasOwn(schema, keyword)) continue
      const applied = schema[keyword]
      meetEach(shape === 'list' ? (applied as Schema[]) : [applied as Schema], () => value)
    }
    if (Array.isArray(value)) meetList(schema, value)
    else if (isObject(value)) meetObject(schema, value)
  }

  function meetEach<Part extends Schema>(
    schemas: Iterable<Part>,
    valueFor: (index: number) => unknown,
  ): void {
    let index = 0
    for (const schema of schemas) {
      if (count > most) return
      meet(schema, valueFor(index))
      index += 1
    }
  }

  function meetList({ prefixItems, items, contains, uniqueItems }: PlainSchema, value: unknown[]): void {
    const first = (prefixItems as Schema[] | undefined) ?? []
    meetEach(first.slice(0, value.length), (index) => value[index])
    for (const schema of [items, contains] as (Schema | undefined)[]) {
      if (schema === undefined) continue
      for (const part of value) {
        if (count > most) return
        meet(schema, part)
      }
    }
    // All that the list holds is compared.
    if (uniqueItems === true) touch(value)
  }

  function meetObject({ properties = {}, additionalProperties }: PlainSchema, value: object): void {
    const parts = value as Record<string, unknown>
    const named = properties as Record<string, Schema>
    for (const [name, schema] of Object.entries(named)) {
      if (count > most) return
      if (Object.hasOwn(parts, name)) meet(schema, parts[name])
      else count += 1
    }
    if (additionalProperties === undefined) return
    for (const [name, part] of Object.entries(parts)) {
      if (count > most) return
      if (!Object.hasOwn(named, name)) meet(additionalProperties as Schema, part)
    }
  }

  function touch(value: unknown): void {
    if (count > most) return
    count += 1
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) touch(part)
  }

  meet(root, whole)
  return count
}
