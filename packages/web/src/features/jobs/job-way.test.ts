import { expect, test } from 'vitest'
import { wayOf } from './job-way.ts'
import { dispute, event, inDays, jobOf } from './testing/job.ts'

const shape = (job: Parameters<typeof wayOf>[0]) => wayOf(job).map(({ key, state }) => `${key} ${state}`)
const moneyOf = (job: Parameters<typeof wayOf>[0]) => wayOf(job)[0]?.money
const paid = [event('JOB_CREATED', 5), event('JOB_FUNDED', 4)]
const x402 = { paymentMethod: 'X402', escrowState: null, agreedPrice: '25000000' } as const

test.each([
  ['unpaid', jobOf(), ['PAYMENT current', 'DELIVERY ahead', 'REVIEW ahead', 'PAYOUT ahead']],
  [
    'unpaid by x402: there is no review',
    jobOf({ ...x402, needsAcceptance: true }),
    ['ACCEPTANCE current', 'PAYMENT ahead', 'DELIVERY ahead', 'PAYOUT ahead'],
  ],
  [
    'at work',
    jobOf({ status: 'IN_PROGRESS', escrowState: 'FUNDED', timeline: paid }),
    ['DELIVERY current', 'REVIEW ahead', 'PAYOUT ahead'],
  ],
  [
    'under review',
    jobOf({ status: 'UNDER_REVIEW', escrowState: 'SUBMITTED', timeline: paid }),
    ['REVIEW current', 'PAYOUT ahead'],
  ],
  [
    'disputed',
    jobOf({ status: 'DISPUTED', escrowState: 'DISPUTED', timeline: paid, dispute: dispute() }),
    ['DISPUTE current', 'PAYOUT ahead'],
  ],
  [
    'approved, and the escrow follows',
    jobOf({ status: 'COMPLETED', escrowState: 'SUBMITTED', timeline: paid }),
    ['PAYOUT current'],
  ],
  ['paid out', jobOf({ status: 'COMPLETED', escrowState: 'RELEASED', timeline: paid }), ['END done']],
  ['cancelled', jobOf({ status: 'CANCELLED', timeline: [event('JOB_CREATED', 5)] }), ['END failed']],
])('%s', (_, job, steps) => {
  expect(shape(job)).toEqual(steps)
})

test('each step has its limit', () => {
  const [now, next] = wayOf(jobOf({ fundBy: inDays(1), deadlineAt: inDays(3) }))
  expect([now?.limit, next?.limit]).toEqual([
    { label: 'By', at: inDays(1) },
    { label: 'By', at: inDays(3) },
  ])
  const late = jobOf({
    ...x402,
    status: 'IN_PROGRESS',
    overdue: true,
    deadlineAt: inDays(-1),
    timeline: paid,
  })
  expect(wayOf(late)[0]?.limit).toEqual({ label: 'Was due', at: inDays(-1) })
})

test.each([
  ['no money moved', jobOf({ status: 'CANCELLED' }), 'No money has moved.'],
  [
    'the escrow gave it back',
    jobOf({ status: 'CANCELLED', escrowState: 'REFUNDED', timeline: paid }),
    '150.00 USDC went back to the wallet that paid.',
  ],
  [
    'the agent has it',
    jobOf({ ...x402, status: 'CANCELLED', timeline: paid }),
    '25.00 USDC is in the wallet of Ledger Lark until the seller gives it back.',
  ],
  [
    'paid out, less the fee',
    jobOf({ status: 'COMPLETED', escrowState: 'RELEASED', timeline: paid }),
    'Ledger Lark has 147.00 USDC, and 3.00 USDC was the fee.',
  ],
])('says where the money is: %s', (_, job, money) => {
  expect(moneyOf(job)).toBe(money)
})
