import { allEndpoints } from '@agent-marketplace/contract'
import { type TSchema, Type } from 'typebox'
import { Clean, Clone, Default } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { createCleaner } from './clean-value.ts'

const byTypebox = (schema: TSchema, value: unknown) => Default(schema, Clean(schema, Clone(value)))

/** The same value with a key at every level that no schema knows. */
function withStrangers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withStrangers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, withStrangers(member)])
  return { ...Object.fromEntries(members), stranger: { deep: 1 } }
}

const bodies = allEndpoints.flatMap(({ id, body, examples }) => {
  if (!body || !examples) return []
  const given = examples as { body?: unknown; bodyB?: unknown }
  if (body.kind === 'one') return [{ id, schema: body.schema, example: given.body }]
  return [
    { id: `${id}, form A`, schema: body.a, example: given.body },
    { id: `${id}, form B`, schema: body.b, example: given.bodyB ?? given.body },
  ]
})

describe('the bodies of the contract', () => {
  test.each(bodies)('$id', ({ schema, example }) => {
    const clean = createCleaner(schema)
    for (const value of [example, withStrangers(example)]) {
      expect(clean(Clone(value))).toEqual(byTypebox(schema, value))
    }
  })
})

describe('by kind', () => {
  const Item = Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer({ default: 3 })) })
  test.each([
    ['defaults', Type.Object({ kind: Type.Optional(Type.String({ default: 'a' })), list: Type.Array(Item) })],
    ['unions', Type.Object({ kind: Type.Union([Item, Type.String()]), list: Type.Array(Item) })],
    ['records', Type.Object({ kind: Type.Record(Type.String(), Type.String()), list: Type.Array(Item) })],
    ['open objects', Type.Object({ list: Type.Array(Item) }, { additionalProperties: true })],
    ['tuples', Type.Object({ list: Type.Tuple([Item]) })],
  ])('%s are as typebox has them', (_kind, schema) => {
    const clean = createCleaner(schema)
    for (const value of [
      { list: [{ name: 'x', other: 1 }], other: 2 },
      { kind: 'b', list: [{ name: 'x', size: 5 }] },
      { kind: { name: 'y', other: 'z' }, list: [] },
    ]) {
      expect(clean(Clone(value))).toEqual(byTypebox(schema, value))
    }
  })

  test('what a default holds is not shared between values', () => {
    const clean = createCleaner(
      Type.Object({ list: Type.Optional(Type.Array(Type.String(), { default: [] })) }),
    )
    const [one, other] = [clean({}), clean({})] as { list: string[] }[]
    one?.list.push('x')
    expect(other?.list).toEqual([])
  })
})
