import { expect, test } from 'vitest'
import { wordsOf } from './search-words.ts'

test.each([
  [undefined, []],
  ['', []],
  ['  \n ', []],
  [' one  two\tone ', ['one', 'two']],
])('%j has the words %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('more than eight different words are rejected', () => {
  expect(wordsOf('a b c d e f g h a b')).toHaveLength(8)
  expect(() => wordsOf('a b c d e f g h i')).toThrow('q must have at most 8 different words.')
})
