import { describe, expect, test } from 'vitest'
import { type SqlValue, sql } from './sql.ts'

describe('sql', () => {
  test('values become parameters', () => {
    const statement = sql`select * from item where id = ${'a'} and size > ${3n}`
    expect(statement.text).toBe('select * from item where id = $1 and size > $2')
    expect(statement.values).toEqual(['a', 3n])
  })

  test('the name depends on the text alone', () => {
    const byId = (id: string) => sql`select * from item where id = ${id}`
    expect(byId('a').name).toBe(byId('b').name)
    expect(byId('a').name).not.toBe(sql`select * from item where size = ${1}`.name)
    expect(byId('a').name.length).toBeLessThan(64)
  })

  test('fragments compose and are numbered in the order of the text', () => {
    const newer = sql`created_at > ${new Date(0)}`
    const statement = sql`select * from item where owner = ${'o'} and (${newer} or size = ${1}) limit ${5}`
    expect(statement.text).toBe(
      'select * from item where owner = $1 and (created_at > $2 or size = $3) limit $4',
    )
    expect(statement.values).toEqual(['o', new Date(0), 1, 5])
  })

  test('fragments nest, and one may be used twice', () => {
    const inner = sql`(a = ${1} or b = ${2})`
    const statement = sql`where ${sql`${inner} and ${inner}`} and c = ${3}`
    expect(statement.text).toBe('where (a = $1 or b = $2) and (a = $3 or b = $4) and c = $5')
    expect(statement.values).toEqual([1, 2, 1, 2, 3])
  })

  test('an absent optional filter leaves no trace', () => {
    expect(sql`select 1 ${sql``}`.text).toBe('select 1 ')
  })

  test('join puts a separator between fragments', () => {
    const where = sql.join([sql`a = ${1}`, sql`b = ${2}`, sql`c is null`], sql` and `)
    expect(where.text).toBe('a = $1 and b = $2 and c is null')
    expect(where.values).toEqual([1, 2])
    expect(sql.join([], sql`, `).text).toBe('')
  })

  test('identifiers are plain names', () => {
    expect(sql`select ${sql.ident('created_at')} from item`.text).toBe('select "created_at" from item')
    for (const name of ['a"b', 'a b', 'A', '', '1a', 'a;drop', 'a'.repeat(64)]) {
      expect(() => sql.ident(name)).toThrow(TypeError)
    }
  })

  test('a hostile string stays a value', () => {
    const statement = sql`select ${"'; drop table item; --"}`
    expect(statement.text).toBe('select $1')
  })

  test('JSON is explicit', () => {
    expect(sql.json({ a: [1, null] })).toBe('{"a":[1,null]}')
    expect(() => sql.json(undefined)).toThrow(TypeError)
    expect(() => sql.json({ amount: 1n })).toThrow(TypeError)
  })

  test.each([undefined, Number.NaN, Infinity, new Date('never'), {}, [undefined], () => 1, Symbol('s')])(
    'refuses the value %#',
    (value) => {
      // The types refuse most of these already, but a value may come from a place without types.
      expect(() => sql`select ${value as SqlValue}`).toThrow(TypeError)
    },
  )
})
