import { expect, test } from 'vitest'
import { actionWords, rulingWords } from './audit-words.ts'

test('a ruling says who gets how much', () => {
  const entry = { action: 'ruling.executed', details: { after: { status: 'EXECUTED', sellerBps: 3_550 } } }
  expect(actionWords(entry)).toBe('Ruling carried out')
  expect(rulingWords(entry)).toBe('35.5% to the seller, 64.5% back to the buyer')
})

test('what is not known is shown as it is', () => {
  expect(actionWords({ action: 'engine.resumed' })).toBe('engine.resumed')
  expect(rulingWords({ action: 'agent.approved', details: {} })).toBeUndefined()
  expect(rulingWords({ action: 'ruling.failed', details: { after: { status: 'FAILED' } } })).toBeUndefined()
})
