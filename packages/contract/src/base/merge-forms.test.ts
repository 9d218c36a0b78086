import fc from 'fast-check'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '../endpoints.ts'
import { exampleOf } from '../openapi/schemas.ts'
import { mergeFormSchemas, mergeFormValues } from './merge-forms.ts'

describe('mergeFormValues', () => {
  test('puts the fields of both forms side by side', () => {
    expect(
      mergeFormValues(
        { owner: { id: 'c1' }, csrfToken: 'x' },
        { data: { token: 't', csrfToken: 'x', owner: { id: 'c1', entityName: '' } } },
      ),
    ).toEqual({
      owner: { id: 'c1' },
      csrfToken: 'x',
      data: { token: 't', csrfToken: 'x', owner: { id: 'c1', entityName: '' } },
    })
  })

  test('merges data key by key', () => {
    expect(mergeFormValues({ data: { id: 'c1', name: 'Lark' } }, { data: { agent: { id: 'c1' } } })).toEqual({
      data: { id: 'c1', name: 'Lark', agent: { id: 'c1' } },
    })
  })

  test('keeps form A where both have a plain value, null and arrays included', () => {
    expect(mergeFormValues({ x: 1, y: null, z: [1] }, { x: 2, y: { a: 1 }, z: [2, 3] })).toEqual({
      x: 1,
      y: null,
      z: [1],
    })
  })

  test('takes form B where form A has nothing', () => {
    expect(mergeFormValues({ x: undefined }, { x: 2 })).toEqual({ x: 2 })
  })

  test('changes neither input', () => {
    const a = { data: { id: 'c1' } }
    const b = { data: { agent: { id: 'c1' } } }
    mergeFormValues(a, b)
    expect([a, b]).toEqual([{ data: { id: 'c1' } }, { data: { agent: { id: 'c1' } } }])
  })

  test('every key of either form is found in the merged value', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.integer()),
        fc.dictionary(fc.string(), fc.integer()),
        (a, b) => {
          expect(Object.keys(Object(mergeFormValues(a, b))).sort()).toEqual(
            [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(),
          )
          expect(mergeFormValues(a, b)).toMatchObject(a)
        },
      ),
      { seed: 4000 },
    )
  })
})

describe('mergeFormSchemas', () => {
  const merge = (a: Parameters<typeof mergeFormSchemas>[0], b: Parameters<typeof mergeFormSchemas>[1]) =>
    JSON.parse(JSON.stringify(mergeFormSchemas(a, b)))

  test('requires what either form requires', () => {
    const merged = merge(
      Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }),
      Type.Object({ b: Type.String(), c: Type.Integer() }),
    )
    expect(merged.required).toEqual(['a', 'b', 'c'])
    expect(Object.keys(merged.properties)).toEqual(['a', 'b', 'c'])
  })

  test('leaves out an empty list of required fields', () => {
    const merged = merge(
      Type.Object({ a: Type.Optional(Type.String()) }),
      Type.Object({ b: Type.Optional(Type.String()) }),
    )
    expect(merged).not.toHaveProperty('required')
  })

  test('keeps one schema where both are the same, and allows either where they differ', () => {
    expect(merge(Type.String(), Type.String())).toEqual({ type: 'string' })
    expect(merge(Type.String(), Type.Integer())).toEqual({ anyOf: [{ type: 'string' }, { type: 'integer' }] })
  })

  test('merges objects at every depth', () => {
    const merged = merge(
      Type.Object({ data: Type.Object({ inner: Type.Object({ a: Type.String() }) }) }),
      Type.Object({ data: Type.Object({ inner: Type.Object({ b: Type.String() }) }) }),
    )
    expect(merged.properties.data.properties.inner.required).toEqual(['a', 'b'])
  })
})

const twoFormResponses = allEndpoints.flatMap(({ id, response }) =>
  response.kind === 'two' ? [{ id, response }] : [],
)

test.each(twoFormResponses)(
  '$id: merged values fit the merged schema, and each form still reads its own',
  ({ response }) => {
    const [a, b] = [exampleOf(response.a), exampleOf(response.b)]
    const merged = mergeFormValues(a, b)
    expect(Check(mergeFormSchemas(response.a, response.b), merged)).toBe(true)
    expect(Check(response.a, merged)).toBe(true)
    expect(Check(response.b, merged)).toBe(true)
  },
)

test.each(twoFormResponses)('$id: the forms never disagree about a field', ({ response }) => {
  expect(disagreements(response.a, response.b, '')).toEqual([])
})

interface Node {
  properties?: Record<string, Node>
}

/** Fields that both forms have, with different schemas: a plain response could show only one of the two. */
function disagreements(a: Node, b: Node, path: string): string[] {
  if (!a.properties || !b.properties) return JSON.stringify(a) === JSON.stringify(b) ? [] : [path]
  return Object.entries(a.properties).flatMap(([name, field]) => {
    const other = b.properties?.[name]
    return other ? disagreements(field, other, `${path}/${name}`) : []
  })
}
