import { expect, test } from 'vitest'
import { exportName, rangeBefore, rangeOf } from './day-range.ts'

const nowMs = Date.parse('2026-11-15T05:00:00Z')
const standard = { startDate: '2026-10-17', endDate: '2026-11-15' }

test('the last 30 days stand where the address says nothing that makes sense', () => {
  expect(rangeOf({}, nowMs)).toEqual(standard)
  expect(rangeOf({ startDate: '2026-11-10', endDate: '2026-11-01' }, nowMs)).toEqual(standard)
  expect(rangeOf({ startDate: '2024-01-01', endDate: '2026-11-01' }, nowMs)).toEqual(standard)
  expect(rangeOf({ startDate: 'soon' }, nowMs)).toEqual(standard)
})

test('a range of the address is taken', () => {
  const range = { startDate: '2026-09-01', endDate: '2026-09-30' }
  expect(rangeOf(range, nowMs)).toEqual(range)
  expect(rangeBefore(range)).toEqual({ startDate: '2026-08-02', endDate: '2026-08-31' })
  expect(exportName('earnings', range)).toBe('earnings-2026-09-01-to-2026-09-30.csv')
})
