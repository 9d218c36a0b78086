import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance, nameWordsOf, nearestOf, rarest, termsOf } from './terms.ts'

const word = (
  lexeme: string,
  listedCount: number,
  alike: { lexeme: string; listedCount: number }[] = [],
) => ({
  lexeme,
  listedCount,
  alike,
})

describe('terms', () => {
  test('the rarer a word, the more it weighs, and the rarest comes first', () => {
    const [german, website] = termsOf([word('websit', 40), word('german', 4)], 100)
    expect([german?.lexeme, website?.lexeme]).toEqual(['german', 'websit'])
    expect(german?.weight).toBeCloseTo(Math.log(26))
    expect(website?.weight).toBeCloseTo(Math.log(3.5))
  })

  test('a word that nobody has is corrected at half the weight, or left out', () => {
    const typo = word('germna', 0, [{ lexeme: 'german', listedCount: 4 }])
    expect(termsOf([typo, word('xylophon', 0)], 100)).toEqual([
      { lexeme: 'german', listedCount: 4, weight: Math.log(26) / 2 },
    ])
    expect(termsOf([typo, word('german', 4)], 100)).toEqual([
      { lexeme: 'german', listedCount: 4, weight: Math.log(26) },
    ])
  })

  test('how a request is put counts only where it says nothing else', () => {
    expect(termsOf([word('need', 1), word('vat', 9)], 100).map(({ lexeme }) => lexeme)).toEqual(['vat'])
    expect(termsOf([word('need', 1)], 100).map(({ lexeme }) => lexeme)).toEqual(['need'])
  })
})

test('the rarest are as many as lead to no more agents than are ranked, and one at least', () => {
  const terms = termsOf([word('a', 10), word('b', 20), word('c', 30)], 100)
  const chosen = (limit: number) => rarest(terms, limit).map(({ lexeme }) => lexeme)
  expect(chosen(60)).toEqual(['a', 'b', 'c'])
  expect(chosen(59)).toEqual(['a', 'b'])
  expect(chosen(5)).toEqual(['a'])
  expect(rarest([], 5)).toEqual([])
})

test('names are looked for by the rarest words that look like unknown ones, as far as there is room', () => {
  const alike = [
    [word('zephyr', 3), word('zebra', 40)],
    [word('zephyr', 3), word('zero', 900)],
  ]
  expect(nameWordsOf(alike, 50).map(({ lexeme }) => lexeme)).toEqual(['zephyr', 'zebra'])
  expect(nameWordsOf(alike, 2)).toEqual([])
  expect(nameWordsOf([], 50)).toEqual([])
})

describe('typing errors', () => {
  test.each([
    ['ledger', 'ledger', 0],
    ['ledgr', 'ledger', 1],
    ['legder', 'ledger', 1],
    ['solidty', 'solidity', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('%s and %s', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
  })

  test('are as many in both directions, and none only in the same word', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b) === 0).toBe(a === b)
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })

  test('lead to the nearest word: one in a short word, two in a longer one, the more frequent first', () => {
    const known = ['cat', 'cast', 'translat', 'transact'].map((lexeme, index) => ({
      lexeme,
      listedCount: index + 1,
    }))
    const nearest = (lexeme: string) => nearestOf(lexeme, known)?.lexeme
    expect(nearest('caat')).toBe('cast')
    expect(nearest('czzt')).toBeUndefined()
    expect(nearest('tranlsat')).toBe('translat')
    expect(nearest('trnsalta')).toBeUndefined()
  })
})
