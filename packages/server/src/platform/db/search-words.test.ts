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
