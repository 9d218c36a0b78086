import { authorizationFields } from '@agent-marketplace/contract'
import { CreatePolicyBodySchema } from '@coinbase/cdp-sdk'
import { expect, test } from 'vitest'
import { policyRulesOf, rulesWithConsent } from './cdp-policy.ts'
import { consentTypedData, registryOf } from './consent.ts'
import { isAllowed } from './testing/cdp-stub-policy.ts'

const token = {
  name: 'USDC',
  version: '2',
  chainId: 84_532,
  verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
}

const payee = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

const operationsOfTheSdk = CreatePolicyBodySchema.shape.rules.element.options.map(
  (rule) => rule.shape.operation.value,
)

test('fits the schema of the SDK, with and without a limit', () => {
  for (const limits of [{}, { perTxLimitMicro: 0n }, { perTxLimitMicro: 25_000_000n }, { payees: [payee] }]) {
    CreatePolicyBodySchema.parse({ scope: 'account', rules: policyRulesOf(token, limits) })
  }
})

test('accepts a transfer and a consent, and refuses every other operation of an EVM account by name', () => {
  const rules = policyRulesOf(token, { perTxLimitMicro: 25_000_000n })
  expect(rules.filter(({ action }) => action === 'accept')).toMatchObject([
    {
      operation: 'signEvmTypedData',
      criteria: [
        { type: 'evmTypedDataVerifyingContract', addresses: [token.verifyingContract], operator: 'in' },
        {
          types: { primaryType: 'TransferWithAuthorization' },
          conditions: [{ path: 'value', operator: '<=', value: '25000000' }],
        },
      ],
    },
    {
      operation: 'signEvmTypedData',
      criteria: [
        { type: 'evmTypedDataVerifyingContract', addresses: [registryOf(token)], operator: 'in' },
        { types: { primaryType: 'AgentWalletSet' } },
      ],
    },
  ])
  // Solana accounts and the accounts of end users are other kinds of account, which agents do not have.
  const forServerAccounts = operationsOfTheSdk.filter((operation) => !/Sol|EndUser/.test(operation))
  expect(forServerAccounts.length).toBeGreaterThanOrEqual(7)
  for (const operation of forServerAccounts) {
    expect(rules.filter((rule) => rule.action === 'reject').map((rule) => rule.operation)).toContain(
      operation,
    )
  }
})

test('pays its payees and nobody else, within the limit', () => {
  const rules = policyRulesOf(token, { perTxLimitMicro: 25_000_000n, payees: [payee] })
  const isAllowedTo = (to: string, value: string) =>
    isAllowed(rules, {
      operation: 'signEvmTypedData',
      typedData: {
        domain: { verifyingContract: token.verifyingContract },
        primaryType: 'TransferWithAuthorization',
        types: { TransferWithAuthorization: [...authorizationFields] },
        message: { to, value },
      },
    })
  expect(isAllowedTo(payee, '25000000')).toBe(true)
  expect(isAllowedTo(payee.toLowerCase(), '1')).toBe(true)
  expect(isAllowedTo(payee, '25000001')).toBe(false)
  expect(isAllowedTo(`0x${'66'.repeat(20)}`, '1')).toBe(false)
  expect(isAllowedTo(token.verifyingContract, '1')).toBe(false)
})

test('agrees to be named in the registry of its chain, and in no other', () => {
  const rules = policyRulesOf(token, { payees: [payee] })
  const consent = { onChainAgentId: 7n, owner: payee, deadline: 1n }
  const { domain, types, primaryType, message } = consentTypedData(token, payee, consent)
  const isAllowedAt = (verifyingContract: string) =>
    isAllowed(rules, {
      operation: 'signEvmTypedData',
      typedData: {
        domain: { ...domain, verifyingContract },
        types: { AgentWalletSet: [...types.AgentWalletSet] },
        primaryType,
        message,
      },
    })
  expect(isAllowedAt(domain.verifyingContract)).toBe(true)
  expect(isAllowedAt(token.verifyingContract)).toBe(false)
  expect(isAllowedAt(payee)).toBe(false)
})

test('an account from before keeps its rules and may be named, once', () => {
  const now = policyRulesOf(token, { perTxLimitMicro: 5n, payees: [payee] })
  const before = now.filter(({ action }, index) => action !== 'accept' || index === 0)
  const isOfOthers = (rule: (typeof now)[number]) => JSON.stringify(rule).includes(registryOf(token))
  const old = before.map((rule) =>
    isOfOthers(rule)
      ? {
          action: 'reject' as const,
          operation: 'signEvmTypedData' as const,
          criteria: [
            {
              type: 'evmTypedDataVerifyingContract' as const,
              addresses: [token.verifyingContract as `0x${string}`],
              operator: 'not in' as const,
            },
          ],
        }
      : rule,
  )
  const added = rulesWithConsent(token, old)
  expect(new Set(added?.map((rule) => JSON.stringify(rule)))).toEqual(
    new Set(now.map((rule) => JSON.stringify(rule))),
  )
  expect(rulesWithConsent(token, now)).toBeUndefined()
})
