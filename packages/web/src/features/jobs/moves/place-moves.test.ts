import type { JobStatus, PartyAction } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { jobOf } from '../testing/job.ts'
import { type PlacedMoves, placeMoves } from './place-moves.ts'

const placed = (
  main: PlacedMoves['main'],
  beside: PlacedMoves['beside'],
  menu: PlacedMoves['menu'],
): PlacedMoves => ({ main, beside, menu })

test.each<[string, JobStatus, PartyAction[], PlacedMoves]>([
  ['unpaid, buyer', 'PENDING', ['PAY', 'CANCEL'], placed('PAY', [], ['REPORT_DEPOSIT', 'CANCEL'])],
  ['unpaid, seller', 'PENDING', ['DECLINE'], placed(undefined, [], ['DECLINE'])],
  ['too late to pay', 'PENDING', ['CANCEL'], placed(undefined, [], ['CANCEL'])],
  [
    'at work, seller',
    'IN_PROGRESS',
    ['DELIVER', 'REFUND', 'DISPUTE'],
    placed('DELIVER', [], ['DISPUTE', 'REFUND']),
  ],
  ['long missed, buyer', 'IN_PROGRESS', ['CANCEL', 'DISPUTE'], placed('CANCEL', [], ['DISPUTE'])],
  [
    'delivered, buyer',
    'UNDER_REVIEW',
    ['REQUEST_CHANGES', 'APPROVE', 'DISPUTE'],
    placed('APPROVE', ['REQUEST_CHANGES'], ['DISPUTE']),
  ],
  [
    'disputed, no offer',
    'DISPUTED',
    ['REFUND', 'ADD_EVIDENCE', 'OFFER_SETTLEMENT'],
    placed('OFFER_SETTLEMENT', ['ADD_EVIDENCE'], ['REFUND']),
  ],
  [
    'disputed, their offer',
    'DISPUTED',
    ['ADD_EVIDENCE', 'OFFER_SETTLEMENT', 'ACCEPT_SETTLEMENT'],
    placed('ACCEPT_SETTLEMENT', ['OFFER_SETTLEMENT', 'ADD_EVIDENCE'], []),
  ],
  ['completed, buyer', 'COMPLETED', ['REVIEW'], placed('REVIEW', [], [])],
  ['reviewed, seller', 'COMPLETED', ['REPLY_TO_REVIEW'], placed('REPLY_TO_REVIEW', [], [])],
  ['an admin who looks on', 'UNDER_REVIEW', [], placed(undefined, [], [])],
])('%s', (_, status, allowedActions, expected) => {
  expect(placeMoves(jobOf({ status, allowedActions }))).toEqual(expected)
})

test('an x402 job is paid in one way', () => {
  const job = jobOf({ paymentMethod: 'X402', escrowState: null, allowedActions: ['PAY', 'CANCEL'] })
  expect(placeMoves(job)).toEqual(placed('PAY', [], ['CANCEL']))
})
