import { expect, test } from 'vitest'
import { shareOfJobs, shareWords } from './share-of-jobs.ts'

test.each([
  [null, 0, 'New', ''],
  [0, 1, '0', 'of 1'],
  [2 / 3, 3, '2', 'of 3'],
  [1, 4, '4', 'of 4'],
  [4 / 5, 5, '80%', 'of 5'],
  [0.999, 1000, '99%', 'of 1,000'],
  [0.001, 1000, '1%', 'of 1,000'],
  [1 / 15, 15, '7%', 'of 15'],
  [14 / 15, 15, '93%', 'of 15'],
  [1, 5, '100%', 'of 5'],
  [0, 5, '0%', 'of 5'],
])('%s of %s is said as it can be trusted', (rate, of, value, behind) => {
  expect(shareWords(rate, of)).toEqual({ value, behind })
})

test('a part of few jobs is a whole number, however the rate was rounded', () => {
  expect(shareOfJobs(0.3333, 3)).toEqual({ kind: 'count', part: 1, of: 3 })
})
