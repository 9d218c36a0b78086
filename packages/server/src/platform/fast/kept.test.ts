import { expect, test } from 'vitest'
import { createKept } from './kept.ts'

const namesIn = (kept: ReturnType<typeof createKept<string>>, keys: string) =>
  [...keys].filter((key) => kept.get(key) !== undefined).join('')

test('what nobody has asked for the longest makes room', () => {
  const kept = createKept<string>({ maxBytes: 30 })
  for (const key of 'abc') kept.set(key, key, 10)
  expect(kept.get('a')).toBe('a')
  kept.set('d', 'd', 10)
  expect(namesIn(kept, 'abcd')).toBe('acd')
  kept.set('e', 'e', 25)
  expect(namesIn(kept, 'abcde')).toBe('e')
})

test('a key counts once, with its last value', () => {
  const kept = createKept<string>({ maxBytes: 30 })
  kept.set('a', 'first', 20)
  kept.set('b', 'b', 10)
  kept.set('a', 'second', 15)
  expect([kept.get('a'), kept.get('b')]).toEqual(['second', 'b'])
  kept.set('c', 'c', 5)
  expect(namesIn(kept, 'abc')).toBe('abc')
})

test('what is larger than everything is not kept, and neither is what it replaces', () => {
  const kept = createKept<string>({ maxBytes: 30 })
  kept.set('a', 'a', 10)
  kept.set('b', 'b', 10)
  kept.set('a', 'larger', 31)
  expect(namesIn(kept, 'ab')).toBe('b')
})
