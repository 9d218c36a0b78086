import { expect, test } from 'vitest'
import { actionWords, rulingWords, subjectWords } from './audit-words.ts'

test('a ruling says who gets how much', () => {
  const entry = { action: 'ruling.executed', details: { after: { status: 'EXECUTED', sellerBps: 3_550 } } }
  expect(actionWords(entry)).toBe('Ruling carried out')
  expect(rulingWords(entry)).toBe('35.5% to the seller, 64.5% back to the buyer')
})

test('a signature says how many there are', () => {
  const signed = (confirmations: string[]) => ({
    action: 'ruling.confirmed',
    details: { after: { status: 'OPEN', confirmations } },
  })
  expect(rulingWords(signed(['0x1']))).toBe('1 signature')
  expect(rulingWords(signed(['0x1', '0x2']))).toBe('2 signatures')
})

test('what is not known is shown as it is', () => {
  expect(actionWords({ action: 'engine.painted' })).toBe('engine.painted')
  expect(subjectWords({ subjectType: 'comet' })).toBe('comet')
  expect(rulingWords({ action: 'agent.approved', details: {} })).toBeUndefined()
  expect(rulingWords({ action: 'ruling.failed', details: { after: { status: 'FAILED' } } })).toBeUndefined()
})
