import { expect, test } from 'vitest'
import { funnelSteps, shareOfStep } from './funnel-steps.ts'

const sharesOf = (views: number, hireForms: number, jobs: number, paidJobs: number, completedJobs: number) =>
  funnelSteps.map((_, index) => shareOfStep({ views, hireForms, jobs, paidJobs, completedJobs }, index))

test('each step is a share of the one before', () => {
  expect(sharesOf(120, 30, 12, 10, 9)).toEqual([
    undefined,
    '25% of views',
    '40% of opened forms',
    '83% of jobs',
    '90% of paid jobs',
  ])
})

test('what programs order is no share of what people looked at', () => {
  expect(sharesOf(0, 0, 5, 5, 0)).toEqual([
    undefined,
    undefined,
    undefined,
    '100% of jobs',
    '0% of paid jobs',
  ])
})
