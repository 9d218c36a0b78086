import type { TimelineEvent } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { lineOf } from './timeline-words.ts'

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
])('%#', (event, line) => {
  expect(lineOf(event as TimelineEvent, 'You')).toEqual(line)
})
