import { expect, test } from 'vitest'
import { searchedText, wordLimitNote } from './searched-words.ts'

const eight = 'one two three four five six seven eight'

test('up to eight words are searched as they are', () => {
  expect([searchedText(''), searchedText(` ${eight} `)]).toEqual(['', eight])
  expect([wordLimitNote(''), wordLimitNote(eight)]).toEqual([undefined, undefined])
})

test('of more words the first eight are searched, and the note says so', () => {
  expect(searchedText(`${eight} nine ten`)).toBe(eight)
  expect(wordLimitNote(`${eight} nine`)).toBe('Only the first 8 words are searched.')
})

test('a word that is repeated counts once, as on the service', () => {
  expect(searchedText(`one  one ${eight}`)).toBe(eight)
  expect(wordLimitNote(`one one ${eight}`)).toBeUndefined()
})
