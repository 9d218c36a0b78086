import { expect, test } from 'vitest'
import { statementsOf } from './dispute-statements.ts'

const openedAt = '2026-11-01T10:00:00.000Z'
const opening = {
  openedBy: 'CLIENT' as const,
  reason: 'Half of it is missing.',
  openedAt,
  undecidedAt: '2026-12-01T10:00:00.000Z',
  settlement: null,
  sellerBps: null,
}
const response = {
  by: 'SELLER' as const,
  reason: 'It is all there.',
  uris: [],
  createdAt: '2026-11-02T10:00:00.000Z',
}

test('files that came with the opening are shown once, with its text', () => {
  const files = { by: 'CLIENT' as const, reason: opening.reason, uris: ['ipfs://a'], createdAt: openedAt }
  expect(statementsOf({ ...opening, evidence: [files, response] })).toEqual([files, response])
})

test('an opening without files is the first statement all the same', () => {
  expect(statementsOf({ ...opening, evidence: [response] })).toEqual([
    { by: 'CLIENT', reason: opening.reason, uris: [], createdAt: openedAt },
    response,
  ])
})
