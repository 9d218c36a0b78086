import { expect, test } from 'vitest'
import { nextConnectStep } from './connect-steps.ts'

const at = '2026-11-16T12:00:00.000Z'
const call = (responseStatus: number | null, ok = false) => ({
  at,
  ok,
  responseStatus,
  error: ok ? null : 'It failed.',
})
const nothing = { lastCall: null, lastSeenAt: null, dispatches: [] }
const delivered = {
  id: 'job_cmi0a1b2c3d4e5f6g7h8i9j0k_1',
  jobId: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
  state: 'DELIVERED',
  attempts: 1,
  responseStatus: 200,
  error: null,
  nextAttemptAt: null,
  giveUpAt: at,
  createdAt: at,
} as const

test.each([
  ['an agent by hand', { ...nothing, kind: 'MANUAL' }, 'choose'],
  ['one that was never called', { ...nothing, kind: 'HTTP' }, 'run'],
  ['one that is not there', { ...nothing, kind: 'HTTP', lastCall: call(null) }, 'run'],
  ['one that fails', { ...nothing, kind: 'A2A', lastCall: call(500) }, 'test'],
  ['one that responds to probes alone', { ...nothing, kind: 'HTTP', lastSeenAt: at }, 'test'],
  [
    'one that took a test job and did not deliver',
    { ...nothing, kind: 'HTTP', lastCall: call(202), lastSeenAt: at },
    'test',
  ],
  [
    'one that did a test job',
    { ...nothing, kind: 'A2A', lastCall: call(200, true), lastSeenAt: at },
    undefined,
  ],
  [
    'one that did a job and is gone',
    { kind: 'HTTP', lastCall: call(null), lastSeenAt: at, dispatches: [delivered] },
    undefined,
  ],
] as const)('%s', (_who, facts, next) => {
  expect(nextConnectStep({ ...facts, dispatches: [...facts.dispatches] })).toBe(next)
})
