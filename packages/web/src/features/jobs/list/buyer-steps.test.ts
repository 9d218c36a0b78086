import { expect, test } from 'vitest'
import { type BuyerFacts, buyerSteps, isOnTheWay, isStepDone } from './buyer-steps.ts'

const newcomer: BuyerFacts = { balanceMicro: 0n, jobs: [], hasReviewed: false }
const doneBy = (facts: BuyerFacts) => buyerSteps.filter((step) => isStepDone(step, facts))

test('a buyer signs in, funds, hires and reviews', () => {
  expect(doneBy(newcomer)).toEqual(['signIn'])
  expect(doneBy({ ...newcomer, balanceMicro: 1n })).toEqual(['signIn', 'fund'])
  const jobs = [{ status: 'IN_PROGRESS' as const }]
  expect(doneBy({ ...newcomer, balanceMicro: 1n, jobs })).toEqual(['signIn', 'fund', 'hire'])
  expect(isOnTheWay({ ...newcomer, jobs })).toBe(true)
  expect(isOnTheWay({ ...newcomer, jobs, hasReviewed: true })).toBe(false)
})

test('money that was spent counts, and a job that nobody paid for shows none', () => {
  const withJob = (status: 'COMPLETED' | 'PENDING') => ({ ...newcomer, jobs: [{ status }] })
  expect(isStepDone('fund', withJob('COMPLETED'))).toBe(true)
  expect(isStepDone('fund', withJob('PENDING'))).toBe(false)
  expect(isStepDone('fund', { ...newcomer, balanceMicro: undefined })).toBe(false)
})
