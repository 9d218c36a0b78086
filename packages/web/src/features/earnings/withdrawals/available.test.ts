import { expect, test } from 'vitest'
import { availableMicro, limitMicro, mostMicro } from './available.ts'

const withdrawal = { agentId: 'c1', status: 'REQUESTED', amount: '30' } as const

test('pending withdrawals are not available, finished ones are', () => {
  expect(availableMicro(100n, 'c1', [withdrawal, { ...withdrawal, status: 'SUBMITTED' }])).toBe(40n)
  expect(availableMicro(100n, 'c1', [{ ...withdrawal, status: 'CONFIRMED' }])).toBe(100n)
  expect(availableMicro(100n, 'c2', [withdrawal])).toBe(100n)
  expect(availableMicro(10n, 'c1', [withdrawal])).toBe(0n)
})

test('the smaller limit of the two holds', () => {
  expect(limitMicro({ perTxLimitUsdc: '50', sessionCapUsdc: '20' })).toBe(20n)
  expect(limitMicro({ perTxLimitUsdc: null, sessionCapUsdc: null })).toBeUndefined()
  expect(limitMicro(null)).toBeUndefined()
  expect(mostMicro(100n, { perTxLimitUsdc: '50', sessionCapUsdc: null })).toBe(50n)
  expect(mostMicro(10n, { perTxLimitUsdc: '50', sessionCapUsdc: null })).toBe(10n)
})
