import { allEndpoints, mergeFormSchemas } from '@agent-marketplace/contract'
import { fastify } from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { serialisedSchema } from './serialised-schema.ts'

const orNull = Type.Object({
  offer: Type.Union([Type.Object({ price: Type.Union([Type.Number(), Type.Null()]) }), Type.Null()]),
})

test.each([{ offer: null }, { offer: { price: null } }, { offer: { price: 2.5 } }])(
  '%j stays as it is',
  async (value) => {
    const app = fastify()
    app.get('/', { schema: { response: { 200: serialisedSchema({ ...orNull }) } } }, () => value)
    expect((await app.inject('/')).json()).toEqual(value)
    await app.close()
  },
)

test('the schema of the contract is not changed', () => {
  const before = JSON.stringify(orNull)
  serialisedSchema({ ...orNull })
  expect(JSON.stringify(orNull)).toBe(before)
})

test('a union of other things stays one', () => {
  const union = Type.Union([Type.String(), Type.Number(), Type.Null()])
  expect(serialisedSchema({ ...union })).toEqual(JSON.parse(JSON.stringify(union)))
})

test('further patterns of a text are left out', () => {
  const text = { type: 'string', pattern: '^0x', allOf: [{ pattern: '[1-9]' }] }
  expect(serialisedSchema(text)).toEqual({ type: 'string', pattern: '^0x' })
})

test('one response alone still has a union, in neither form but in both', () => {
  const unions = allEndpoints.flatMap(({ id, response }) => {
    if (response.kind === 'raw') return []
    const schemas =
      response.kind === 'one'
        ? [response.schema]
        : [response.a, response.b, mergeFormSchemas(response.a, response.b)]
    return schemas
      .map((schema) => JSON.stringify(serialisedSchema({ ...schema })))
      .filter((text) => /"(?:anyOf|oneOf|allOf|if)":/.test(text))
      .map(() => id)
  })
  expect(unions).toEqual(['listX402Transactions'])
})
