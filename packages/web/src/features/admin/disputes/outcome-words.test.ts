import type { AdminDispute, EscrowState } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { endWithoutProposal, outcomeOf } from './outcome-words.ts'

const ended = (escrowState: EscrowState, sellerBps: number | null) =>
  ({ job: { escrowState }, dispute: { sellerBps } }) as AdminDispute

test.each([
  [ended('SETTLED', 6_500), { how: 'Settled', share: '65% to the seller' }],
  [ended('RULED', 7_050), { how: 'Ruled', share: '70.5% to the seller' }],
  // The chain has yet to follow.
  [ended('DISPUTED', 10_000), { how: 'Decided', share: '100% to the seller' }],
  [ended('DISPUTED', null), undefined],
  [ended('EXPIRED', null), undefined],
])('what the list shows of a dispute', (dispute, shown) => expect(outcomeOf(dispute)).toEqual(shown))

test('a settlement is not called the end without a ruling', () => {
  expect(endWithoutProposal(ended('SETTLED', 6_500))).toBe(
    'The buyer and the seller settled it between them.',
  )
  expect(endWithoutProposal(ended('RULED', 6_500))).toContain('multisig ruled')
  expect(endWithoutProposal(ended('EXPIRED', null))).toBe('It ended without a ruling of the multisig.')
})
