import { expect, test } from 'vitest'
import { isChainBehind, pollEveryMs } from './chain-lag.ts'

test.each([
  ['UNDER_REVIEW', 'FUNDED', true],
  ['UNDER_REVIEW', 'SUBMITTED', false],
  ['IN_PROGRESS', 'SUBMITTED', true],
  ['COMPLETED', 'SUBMITTED', true],
  ['COMPLETED', 'SETTLED', false],
  ['CANCELLED', 'UNFUNDED', false],
  ['COMPLETED', null, false],
] as const)('%s with the escrow %s: behind is %s', (status, escrowState, isBehind) => {
  expect(isChainBehind({ status, escrowState })).toBe(isBehind)
})

test('the page looks often while something is under way, and not at all once nothing can change', () => {
  const done = { status: 'COMPLETED', escrowState: 'RELEASED' } as const
  const waiting = { status: 'IN_PROGRESS', escrowState: 'FUNDED' } as const
  expect([pollEveryMs(done, false), pollEveryMs(done, true), pollEveryMs(waiting, false)]).toEqual([
    false,
    2_000,
    20_000,
  ])
})
