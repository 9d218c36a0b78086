import type { Review } from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import { type Moves, movesFor } from './moves.ts'
import type { Side } from './sides.ts'
import { dispute, inDays, jobOf, nowMs } from './testing/job.ts'

const buyer: Side[] = ['CLIENT']
const seller: Side[] = ['SELLER']
const moves = (main: Moves['main'], beside: Moves['beside'], menu: Moves['menu']): Moves => ({
  main,
  beside,
  menu,
})
const offer = (proposedBy: Side) =>
  dispute({ settlement: { proposedBy, sellerBps: 6000, createdAt: inDays(-1) } })
const review: Review = {
  id: 'creview1',
  jobId: 'cjob1',
  rating: 5,
  comment: null,
  reply: null,
  repliedAt: null,
  clientWallet: '0x79C0d2278209963318064D86Ef89A8a4F5905c2c',
  agreedPrice: '150000000',
  counted: true,
  txHash: null,
  createdAt: inDays(-1),
}

describe('each side has one thing to do', () => {
  test.each([
    ['unpaid, buyer', jobOf({ fundBy: inDays(1) }), buyer, moves('pay', [], ['reportDeposit', 'cancel'])],
    ['unpaid, seller', jobOf({ fundBy: inDays(1) }), seller, moves(undefined, [], ['decline'])],
    ['at work, buyer', jobOf({ status: 'IN_PROGRESS' }), buyer, moves(undefined, [], ['dispute'])],
    [
      'at work, seller',
      jobOf({ status: 'IN_PROGRESS' }),
      seller,
      moves('deliver', [], ['dispute', 'refund']),
    ],
    [
      'delivered, buyer',
      jobOf({ status: 'UNDER_REVIEW', reviewEndsAt: inDays(6) }),
      buyer,
      moves('approve', ['requestChanges'], ['dispute']),
    ],
    [
      'delivered, seller',
      jobOf({ status: 'UNDER_REVIEW', reviewEndsAt: inDays(6) }),
      seller,
      moves(undefined, [], ['dispute', 'refund']),
    ],
    [
      'disputed, no offer',
      jobOf({ status: 'DISPUTED', dispute: dispute() }),
      seller,
      moves('offerSettlement', ['addEvidence'], ['refund']),
    ],
    [
      'disputed, their offer',
      jobOf({ status: 'DISPUTED', dispute: offer('SELLER') }),
      buyer,
      moves('acceptSettlement', ['offerSettlement', 'addEvidence'], []),
    ],
    [
      'disputed, own offer',
      jobOf({ status: 'DISPUTED', dispute: offer('CLIENT') }),
      buyer,
      moves('offerSettlement', ['addEvidence'], []),
    ],
    ['completed, buyer', jobOf({ status: 'COMPLETED' }), buyer, moves('review', [], [])],
    ['completed, seller', jobOf({ status: 'COMPLETED' }), seller, moves(undefined, [], [])],
    ['reviewed, seller', jobOf({ status: 'COMPLETED', review }), seller, moves('reply', [], [])],
    ['cancelled', jobOf({ status: 'CANCELLED' }), buyer, moves(undefined, [], [])],
    ['an admin who looks on', jobOf({ status: 'UNDER_REVIEW' }), [], moves(undefined, [], [])],
  ])('%s', (_, job, sides, expected) => {
    expect(movesFor(job, sides, nowMs)).toEqual(expected)
  })
})

describe('limits', () => {
  test('nothing is paid after the time to pay', () => {
    expect(movesFor(jobOf({ fundBy: inDays(-1) }), buyer, nowMs).main).toBeUndefined()
  })

  test.each([
    [-0.9, undefined],
    [-1, 'cancel'],
  ])('a paid job is cancelled a day after its deadline: %d', (days, main) => {
    const job = jobOf({ status: 'IN_PROGRESS', deadlineAt: inDays(days) })
    expect(movesFor(job, buyer, nowMs).main).toBe(main)
  })

  test('changes are asked for twice', () => {
    const job = jobOf({ status: 'UNDER_REVIEW', reviewEndsAt: inDays(6), changeRequestsLeft: 0 })
    expect(movesFor(job, buyer, nowMs).beside).toEqual([])
  })

  test('x402 jobs know neither dispute nor refund nor deposit', () => {
    const x402 = { paymentMethod: 'X402', escrowState: null } as const
    expect(movesFor(jobOf({ ...x402, status: 'IN_PROGRESS' }), seller, nowMs).menu).toEqual([])
    expect(movesFor(jobOf({ ...x402, fundBy: inDays(1) }), buyer, nowMs).menu).toEqual(['cancel'])
  })

  test('whoever hired their own agent acts for both sides', () => {
    const job = jobOf({ status: 'DISPUTED', dispute: offer('CLIENT') })
    expect(movesFor(job, ['CLIENT', 'SELLER'], nowMs).main).toBe('acceptSettlement')
  })
})
