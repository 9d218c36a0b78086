import { CreatePolicyBodySchema } from '@coinbase/cdp-sdk'
import { expect, test } from 'vitest'
import { policyRulesOf, transferFields } from './cdp-policy.ts'
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

test('accepts one thing, and refuses every other operation of an EVM account by name', () => {
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
        types: { TransferWithAuthorization: transferFields },
        message: { to, value },
      },
    })
  expect(isAllowedTo(payee, '25000000')).toBe(true)
  expect(isAllowedTo(payee.toLowerCase(), '1')).toBe(true)
  expect(isAllowedTo(payee, '25000001')).toBe(false)
  expect(isAllowedTo(`0x${'66'.repeat(20)}`, '1')).toBe(false)
  expect(isAllowedTo(token.verifyingContract, '1')).toBe(false)
})
