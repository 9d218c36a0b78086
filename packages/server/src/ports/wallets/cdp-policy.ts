import { checksumAddress } from '@agent-marketplace/chain'
import type { CreatePolicyBody } from '@coinbase/cdp-sdk'
import type { TokenDomain, WalletLimits } from './port.ts'

export type CdpRules = CreatePolicyBody['rules']

const maxUint256 = 2n ** 256n - 1n

export const transferFields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

const permitFields = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]

/**
 * What an agent's account may do at CDP: sign a transfer of the token, up to the limit and to its payees, and nothing
 * else. So an attacker who takes over this service can send an agent's money to its owner, and nowhere else. CDP's texts disagree
 * on whether an operation that no rule names is refused, so every other operation is refused by name. No request fits both
 * an accepting and a rejecting rule, so their order does not matter.
 */
export function policyRulesOf(
  token: TokenDomain,
  { perTxLimitMicro = maxUint256, payees }: WalletLimits,
): CdpRules {
  const contract = token.verifyingContract as `0x${string}`
  const onToken = {
    type: 'evmTypedDataVerifyingContract' as const,
    addresses: [contract],
    operator: 'in' as const,
  }
  const upTo = (operator: '<=' | '>') => ({ path: 'value', operator, value: String(perTxLimitMicro) })
  const anyEthValue = { type: 'ethValue' as const, ethValue: '0', operator: '>=' as const }
  return [
    {
      action: 'accept',
      operation: 'signEvmTypedData',
      criteria: [onToken, whereTransfer(upTo('<='), ...(payees ? [paidTo('in', payees)] : []))],
    },
    ...(payees
      ? [
          {
            action: 'reject' as const,
            operation: 'signEvmTypedData' as const,
            criteria: [onToken, whereTransfer(paidTo('not in', payees))],
          },
        ]
      : []),
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [onToken, whereTransfer(upTo('>'))],
    },
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [onToken, where('ReceiveWithAuthorization', transferFields, [anyValue])],
    },
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [onToken, where('Permit', permitFields, [anyValue])],
    },
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [{ ...onToken, operator: 'not in' }],
    },
    { action: 'reject', operation: 'signEvmHash' },
    { action: 'reject', operation: 'signEvmMessage', criteria: [{ type: 'evmMessage', match: '(?s).*' }] },
    { action: 'reject', operation: 'signEvmTransaction', criteria: [anyEthValue] },
    { action: 'reject', operation: 'sendEvmTransaction', criteria: [anyEthValue] },
    { action: 'reject', operation: 'prepareUserOperation', criteria: [anyEthValue] },
    { action: 'reject', operation: 'sendUserOperation', criteria: [anyEthValue] },
  ]
}

type Condition =
  | { path: string; operator: '<=' | '>' | '>='; value: string }
  | { path: string; operator: 'in' | 'not in'; addresses: `0x${string}`[] }

const anyValue: Condition = { path: 'value', operator: '>=', value: '0' }

const paidTo = (operator: 'in' | 'not in', payees: readonly string[]): Condition => ({
  path: 'to',
  operator,
  addresses: payees.map((payee) => checksumAddress(payee)),
})

const whereTransfer = (...conditions: Condition[]) =>
  where('TransferWithAuthorization', transferFields, conditions)

function where(primaryType: string, fields: { name: string; type: string }[], conditions: Condition[]) {
  return {
    type: 'evmTypedDataField' as const,
    types: { types: { [primaryType]: fields }, primaryType },
    conditions,
  }
}
