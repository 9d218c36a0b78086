import { expect, onTestFinished, test, vi } from 'vitest'
import { type Figures, print } from './print.ts'

/** A run in which everything is as it must be. */
const good: Figures = {
  isSynchronous: true,
  minutes: 1,
  struck: [{ name: 'PostgreSQL killed', outageMs: 3_000, slowestFailureMs: 2_000 }],
  acknowledged: 50,
  repeated: 2,
  jobs: 10,
  withdrawals: 3,
  charges: 2,
  profileChanges: 5,
  probeWrites: 500,
  lost: [],
  doubled: [],
  wrong: [],
  profileReads: 10,
  staleReads: [],
  standbyReads: 100,
  signOuts: [{ rejectedAfterMs: 20, acceptedForMs: 0 }],
  listeners: 2,
  missedEvents: 0,
  receivedEvents: 40,
  unavailable: 5,
  exits: 0,
  audit: { isClean: true, text: 'all rules hold' },
  problems: [],
}

const judged = (change: Partial<Figures>): boolean => {
  for (const name of ['log', 'error'] as const) {
    const silent = vi.spyOn(console, name).mockReturnValue()
    onTestFinished(() => silent.mockRestore())
  }
  return print({ ...good, ...change })
}

test('a run passes when all figures are as they must be', () => expect(judged({})).toBe(true))

test.each<Partial<Figures>>([
  { jobs: 0 },
  { receivedEvents: 0 },
  { probeWrites: 0 },
  { signOuts: [] },
  { standbyReads: 0 },
  { lost: ['job a'] },
  { doubled: ['job a'] },
  { wrong: ['the buyer holds 1, not 2'] },
  { staleReads: ['version 1 after 2'] },
  { missedEvents: 1 },
  { exits: 1 },
  { problems: ['a listener ended'] },
  { audit: { isClean: false, text: 'a rule is broken' } },
  { signOuts: [{ rejectedAfterMs: 9_000, acceptedForMs: 8_001 }] },
  { struck: [{ name: 'primary cut off', outageMs: 15_001, slowestFailureMs: 0 }] },
])('a run fails with %j', (change) => expect(judged(change)).toBe(false))

test('without synchronous replication a run passes only when something was lost', () => {
  expect(judged({ isSynchronous: false })).toBe(false)
  expect(judged({ isSynchronous: false, lost: ['job a'] })).toBe(true)
})
