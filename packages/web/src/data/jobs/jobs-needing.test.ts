import { expect, test } from 'vitest'
import { byUrgency, needs } from './jobs-needing.ts'

const job = (dueAt: string | null) => ({
  nextAction: { actor: 'CLIENT', action: 'PAY', dueAt, message: 'Pay for the job.' } as const,
})

test('the most urgent comes first, and what has no limit last', () => {
  const dueAts = [null, '2026-11-20T00:00:00.000Z', '2026-11-16T00:00:00.000Z']
  const sorted = dueAts.map(job).sort(byUrgency)
  expect(sorted.map(({ nextAction }) => nextAction.dueAt)).toEqual([dueAts[2], dueAts[1], null])
})

test('only the side whose turn it is is needed', () => {
  expect(needs(job(null), 'client')).toBe(true)
  expect(needs(job(null), 'seller')).toBe(false)
  expect(needs({ nextAction: null }, 'client')).toBe(false)
})
