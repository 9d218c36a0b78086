import { describe, expect, test } from 'vitest'
import { advance, begin, isOpen, isWorthTelling, parseTransactions } from './story.ts'

const txHash = `0x${'ab'.repeat(32)}`
const signed = begin({ kind: 'payment', label: 'Pay 12.50 USDC', jobId: 'cjob' }, 't1', 1_000)

describe('a story', () => {
  test('begins signed, or sent when its hash is known', () => {
    expect(signed.state).toBe('signed')
    expect(begin({ kind: 'payment', label: 'Deposit', txHash }, 't2', 5).state).toBe('sent')
  })

  test('goes forward and remembers when each step was seen', () => {
    const sent = advance(signed, { state: 'sent', txHash }, 2_000)
    const final = advance(sent, { state: 'final' }, 3_000)
    expect(final).toMatchObject({
      state: 'final',
      txHash,
      seenAtMs: { signed: 1_000, sent: 2_000, final: 3_000 },
    })
    expect(isOpen(final)).toBe(false)
  })

  test('is shown until a minute after success, and until it is dismissed after a failure', () => {
    const final = advance(signed, { state: 'final' }, 10_000)
    expect([signed, final].map((story) => isWorthTelling(story, 69_999))).toEqual([true, true])
    expect(isWorthTelling(final, 70_000)).toBe(false)
    expect(isWorthTelling(advance(signed, { state: 'failed' }, 10_000), 900_000)).toBe(true)
  })

  test('never goes back', () => {
    const confirmed = advance(signed, { state: 'confirmed', txHash }, 2_000)
    expect(advance(confirmed, { state: 'sent' }, 3_000)).toBe(confirmed)
  })

  test('an end is an end', () => {
    const failed = advance(signed, { state: 'failed', failure: 'The chain rejected it.' }, 2_000)
    expect(advance(failed, { state: 'final' }, 3_000)).toBe(failed)
    const final = advance(signed, { state: 'final' }, 2_000)
    expect(advance(final, { state: 'failed', failure: 'late' }, 3_000)).toBe(final)
  })

  test('a hash that becomes known later is kept', () => {
    expect(advance(signed, { state: 'signed', txHash }, 2_000)).toEqual({ ...signed, txHash })
  })
})

test('what was stored is read back, and what was broken is left out', () => {
  expect(parseTransactions(JSON.stringify([signed]))).toEqual([signed])
  expect(parseTransactions(JSON.stringify([signed, { id: 't2' }, 7, null]))).toEqual([signed])
  for (const text of [null, '', '{', '{}', '7']) expect(parseTransactions(text)).toEqual([])
})
