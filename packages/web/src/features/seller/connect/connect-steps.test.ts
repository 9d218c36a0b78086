import { expect, test } from 'vitest'
import { nextConnectStep } from './connect-steps.ts'

const at = '2026-11-16T12:00:00.000Z'
const call = (responseStatus: number | null) => ({ at, ok: false, responseStatus, error: 'It failed.' })

test.each([
  ['an agent by hand', { kind: 'MANUAL', lastCall: null, lastSeenAt: null }, 'choose'],
  ['one that was never called', { kind: 'HTTP', lastCall: null, lastSeenAt: null }, 'run'],
  ['one that is not there', { kind: 'HTTP', lastCall: call(null), lastSeenAt: null }, 'run'],
  ['one that fails', { kind: 'A2A', lastCall: call(500), lastSeenAt: null }, 'test'],
  ['one that took a test job', { kind: 'A2A', lastCall: call(200), lastSeenAt: at }, undefined],
  ['one that took a job and is gone', { kind: 'HTTP', lastCall: call(null), lastSeenAt: at }, undefined],
] as const)('%s', (_who, facts, next) => {
  expect(nextConnectStep(facts)).toBe(next)
})
