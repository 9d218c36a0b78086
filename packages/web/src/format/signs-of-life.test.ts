import { expect, test } from 'vitest'
import { signsOfLife } from './signs-of-life.ts'
import { exactTime } from './time.ts'

const lastSeenAt = '2026-11-16T12:00:00.000Z'
const seen = `Last seen ${exactTime(Date.parse(lastSeenAt))}.`

test.each([
  [{ lastSeenAt, medianFirstProgressSeconds: 95 }, `${seen} First progress in 1 min (median).`],
  [{ lastSeenAt, medianFirstProgressSeconds: null }, seen],
  [{ lastSeenAt: null, medianFirstProgressSeconds: null }, undefined],
])('%o', (agent, words) => {
  expect(signsOfLife(agent)).toBe(words)
})
