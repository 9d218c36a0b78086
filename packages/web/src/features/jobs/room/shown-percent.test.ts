import { expect, test } from 'vitest'
import { shownPercent } from './shown-percent.ts'

test('the last figure counts, also when it is lower, and steps without one leave it', () => {
  expect(shownPercent([])).toBeUndefined()
  expect(shownPercent([{ percent: null }])).toBeUndefined()
  expect(shownPercent([{ percent: 60 }, { percent: 40 }, { percent: null }])).toBe(40)
  expect(shownPercent([{ percent: 60 }, { percent: 0 }])).toBe(0)
})
