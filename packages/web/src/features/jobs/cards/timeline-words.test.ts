import type { TimelineEvent } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { event } from '../testing/job.ts'
import { entriesOf, lineOf } from './timeline-words.ts'

test.each([
  [
    { type: 'CHANGES_REQUESTED', message: 'Add the fees.' },
    { title: 'You asked for changes', quote: 'Add the fees.', note: undefined, isQuiet: false },
  ],
  [
    { type: 'JOB_FUNDED', message: 'The escrow holds 150.00 USDC.' },
    { title: 'You paid', quote: undefined, note: 'The escrow holds 150.00 USDC.', isQuiet: false },
  ],
  [
    { type: 'ESCROW_SUBMITTED', message: 'The delivery is recorded on chain.' },
    { title: 'Delivery recorded on chain', quote: undefined, note: undefined, isQuiet: true },
  ],
  [
    { type: 'SOMETHING_NEW', message: 'It is new.' },
    { title: 'Something new', quote: undefined, note: 'It is new.', isQuiet: false },
  ],
])('%#', (said, line) => {
  expect(lineOf(said as TimelineEvent, 'You')).toEqual(line)
})

test('what the chain records of a deed is its proof, once for each deed', () => {
  const timeline = [
    event('JOB_DELIVERED', 5),
    event('ESCROW_SUBMITTED', 4, { txHash: '0x01' }),
    event('JOB_DELIVERED', 3),
    event('ESCROW_SUBMITTED', 2, { txHash: '0x02' }),
    event('ESCROW_SUBMITTED', 1, { txHash: '0x03' }),
  ]
  expect(entriesOf(timeline).map((entry) => [entry.event.type, entry.proofs])).toEqual([
    ['JOB_DELIVERED', ['0x01']],
    ['JOB_DELIVERED', ['0x02']],
    ['ESCROW_SUBMITTED', ['0x03']],
  ])
})
