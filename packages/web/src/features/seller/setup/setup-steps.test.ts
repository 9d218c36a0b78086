import { expect, test } from 'vitest'
import { isStepDone, nextSetupStep, type SetupFacts } from './setup-steps.ts'

const newcomer: SetupFacts = {
  kycStatus: 'PENDING',
  kycFeePaid: false,
  agentCount: 0,
  connections: [],
  hasSold: false,
}
const listed: SetupFacts = { ...newcomer, kycStatus: 'VERIFIED', kycFeePaid: true, agentCount: 1 }
type Connection = SetupFacts['connections'][number]
const at = '2026-11-15T09:30:00.000Z'
const byHand: Connection = { kind: 'MANUAL', lastCall: null, lastSeenAt: null, dispatches: [] }
const running: Connection = { ...byHand, kind: 'HTTP', lastSeenAt: at }
const lastCall = { at, ok: true, responseStatus: 200, error: null }

test('a newcomer verifies, pays, creates, connects, tests and sells, in this order', () => {
  expect(nextSetupStep(newcomer)).toBe('verify')
  expect(nextSetupStep({ ...newcomer, kycStatus: 'IN_REVIEW' })).toBe('verify')
  expect(nextSetupStep({ ...newcomer, kycStatus: 'VERIFIED' })).toBe('fee')
  expect(nextSetupStep({ ...listed, agentCount: 0 })).toBe('agent')
  expect(nextSetupStep({ ...listed, connections: [byHand] })).toBe('connect')
  expect(nextSetupStep({ ...listed, connections: [byHand, running] })).toBe('test')
  expect(nextSetupStep({ ...listed, connections: [{ ...running, lastCall }] })).toBe('sale')
})

test('a seller who has sold is done, also by hand', () => {
  expect(nextSetupStep({ ...listed, connections: [byHand], hasSold: true })).toBeUndefined()
})

test('a step that was done early counts', () => {
  const rejected: SetupFacts = { ...listed, kycStatus: 'REJECTED', agentCount: 2, hasSold: true }
  expect(isStepDone('fee', rejected)).toBe(true)
  expect(nextSetupStep(rejected)).toBe('verify')
})
