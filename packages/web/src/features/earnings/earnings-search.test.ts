import { expect, test } from 'vitest'
import { changeInWords, filterOf } from './earnings-search.ts'

const standard = { startDate: '2026-10-17', endDate: '2026-11-15' }

test('an unknown source narrows nothing', () => {
  expect(filterOf({ source: 'CASH', agentId: 'c1' }, standard)).toEqual({ ...standard, agentId: 'c1' })
  expect(filterOf({ source: 'X402' }, standard)).toEqual({ ...standard, source: 'X402' })
})

test.each([
  [112n, 100n, '+12%'],
  [60n, 100n, '−40%'],
  [100n, 100n, 'as much'],
  [5n, 0n, undefined],
  [2_500n, 100n, '+2,400%'],
])('%s after %s is %s', (now, before, words) => {
  expect(changeInWords(now, before)).toBe(words)
})
