import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkGuardrails, findBreach, type Guardrails } from './guardrail-rules.ts'

const none: Guardrails = { perTxLimitMicro: null, sessionCapMicro: null, allowedSkills: [] }

describe('findBreach', () => {
  test('nothing is limited where nothing is set', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.bigInt(0n, 10n ** 15n), (amountMicro, spentMicro) => {
        expect(findBreach(none, { amountMicro, skill: 'anything' }, spentMicro)).toBeUndefined()
      }),
    )
  })

  test('limits hold exactly: the limit itself passes, one more does not', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.bigInt(0n, 10n ** 15n), (limit, spentMicro) => {
        const perTx = { ...none, perTxLimitMicro: limit }
        const cap = { ...none, sessionCapMicro: spentMicro + limit }
        expect(findBreach(perTx, { amountMicro: limit }, 0n)).toBeUndefined()
        expect(findBreach(perTx, { amountMicro: limit + 1n }, 0n)?.guardrail).toBe('perTxLimitUsdc')
        expect(findBreach(cap, { amountMicro: limit }, spentMicro)).toBeUndefined()
        expect(findBreach(cap, { amountMicro: limit + 1n }, spentMicro)?.guardrail).toBe('sessionCapUsdc')
      }),
    )
  })

  test('a limit of zero stops everything', () => {
    const perTx = findBreach({ ...none, perTxLimitMicro: 0n }, { amountMicro: 1n }, 0n)
    const cap = findBreach({ ...none, sessionCapMicro: 0n }, { amountMicro: 1n }, 0n)
    expect([perTx?.guardrail, cap?.guardrail]).toEqual(['perTxLimitUsdc', 'sessionCapUsdc'])
  })

  test('skills are compared as people write them, and only where one is bought', () => {
    const limited = { ...none, allowedSkills: ['Accounting', ' solidity '] }
    const buys = (skill?: string) => findBreach(limited, { amountMicro: 1n, skill }, 0n)?.guardrail
    expect(buys('accounting')).toBeUndefined()
    expect(buys('Solidity')).toBeUndefined()
    expect(buys()).toBeUndefined()
    expect(buys('gambling')).toBe('allowedSkills')
  })
})

test.each([
  [
    { ...none, allowedSkills: ['Accounting'] },
    'The agent may not pay for this skill.',
    { guardrail: 'allowedSkills', skill: 'gambling', allowed: ['Accounting'] },
  ],
  [
    { ...none, perTxLimitMicro: 9n },
    'The amount is above what one transfer from the agent’s wallet may carry.',
    { guardrail: 'perTxLimitUsdc', limit: '9', required: '10' },
  ],
  [
    { ...none, sessionCapMicro: 14n },
    'The amount is above what may still leave the agent’s wallet within 24 hours.',
    { guardrail: 'sessionCapUsdc', limit: '14', spent: '5', required: '10' },
  ],
])('a refusal names the guardrail and its figures', (guardrails, message, details) => {
  const spend = { amountMicro: 10n, skill: 'gambling' }
  expect(() => checkGuardrails(guardrails, spend, 5n)).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN', message, details }),
  )
  expect(() => checkGuardrails(none, spend, 5n)).not.toThrow()
})
