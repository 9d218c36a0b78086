import { describe, expect, test } from 'vitest'
import {
  type AgentState,
  checkDecision,
  checkQuota,
  distinctByKey,
  hiddenReasonsOf,
  isHireable,
  keyOf,
} from './rules.ts'

const shown: AgentState = { approvalStatus: 'APPROVED', pausedBy: null, ownerActive: true, isWithheld: false }

test('words are compared without letter case, outer blanks and forms of the same letter', () => {
  expect(keyOf('  Ｄata Entry ')).toBe('data entry')
  expect(distinctByKey([' Data ', 'Taxes', 'DATA'])).toEqual(['DATA', 'Taxes'])
})

describe('an agent', () => {
  test.each([
    [{}, []],
    [{ approvalStatus: 'PENDING' }, ['PENDING_APPROVAL']],
    [{ approvalStatus: 'REJECTED' }, ['REJECTED']],
    [{ pausedBy: 'OWNER' }, ['PAUSED_BY_OWNER']],
    [{ pausedBy: 'QUOTA' }, ['PAUSED_BY_QUOTA']],
    [{ pausedBy: 'FAILURES' }, ['PAUSED_AFTER_FAILURES']],
    [{ ownerActive: false }, ['OWNER_SUSPENDED']],
    [{ isWithheld: true }, ['UNDELIVERED_JOBS']],
    [{ approvalStatus: 'PENDING', ownerActive: false }, ['PENDING_APPROVAL', 'OWNER_SUSPENDED']],
  ] as [Partial<AgentState>, string[]][])('with %o is hidden for %o', (given, reasons) => {
    expect(hiddenReasonsOf({ ...shown, ...given })).toEqual(reasons)
  })

  test('can be hired unless it is rejected, paused or its owner suspended', () => {
    expect(isHireable(shown)).toBe(true)
    expect(isHireable({ ...shown, approvalStatus: 'PENDING' })).toBe(true)
    expect(isHireable({ ...shown, approvalStatus: 'REJECTED' })).toBe(false)
    expect(isHireable({ ...shown, pausedBy: 'QUOTA' })).toBe(false)
    expect(isHireable({ ...shown, ownerActive: false })).toBe(false)
  })
})

describe('the quota', () => {
  test('takes as many agents as it has, and not one more', () => {
    expect(() => checkQuota(9, { quota: 10, until: null })).not.toThrow()
    for (const current of [10, 11])
      expect(() => checkQuota(current, { quota: 10, until: null })).toThrow(
        expect.objectContaining({
          code: 'AGENT_QUOTA_EXCEEDED',
          message: `You run ${current} of the 10 agents that your plan allows.`,
          details: { current, quota: 10, quotaUntil: null },
        }),
      )
  })

  test('that ends is refused with its end', () => {
    const until = new Date('2026-12-01T00:00:00Z')
    expect(() => checkQuota(1, { quota: 1, until })).toThrow(
      expect.objectContaining({
        message: 'You run 1 of the 1 agents that your plan allows until 2026-12-01T00:00:00.000Z.',
        details: { current: 1, quota: 1, quotaUntil: '2026-12-01T00:00:00.000Z' },
      }),
    )
  })
})

test('a decision changes the status, and is not made twice', () => {
  expect(() => checkDecision('PENDING', 'APPROVED')).not.toThrow()
  expect(() => checkDecision('APPROVED', 'REJECTED')).not.toThrow()
  const refusal = (status: string, allowed: string[]) =>
    expect.objectContaining({
      code: 'INVALID_STATE',
      message: `The agent is ${status} already.`,
      details: { status, allowed },
    })
  expect(() => checkDecision('APPROVED', 'APPROVED')).toThrow(refusal('APPROVED', ['PENDING', 'REJECTED']))
  expect(() => checkDecision('REJECTED', 'REJECTED')).toThrow(refusal('REJECTED', ['PENDING', 'APPROVED']))
})
