import type { CreatePolicyBody } from '@coinbase/cdp-sdk'
import type { TokenDomain, WalletLimits } from './port.ts'

export type CdpRules = CreatePolicyBody['rules']

const maxUint256 = 2n ** 256n - 1n

const transferFields = [
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
 * What an agent's account may do at CDP: sign a transfer of the token, up to the limit, and nothing else. CDP's texts
 * disagree on whether an operation that no rule names is refused, so every other operation is refused by name. No two
 * rules fit the same request, so their order does not matter.
 */
export function policyRulesOf(token: TokenDomain, { perTxLimitMicro = maxUint256 }: WalletLimits): CdpRules {
  const contract = token.verifyingContract as `0x${string}`
  const onToken = {
    type: 'evmTypedDataVerifyingContract' as const,
    addresses: [contract],
    operator: 'in' as const,
  }
  const anyEthValue = { type: 'ethValue' as const, ethValue: '0', operator: '>=' as const }
  return [
    {
      action: 'accept',
      operation: 'signEvmTypedData',
      criteria: [onToken, whereValue('TransferWithAuthorization', transferFields, '<=', perTxLimitMicro)],
    },
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [onToken, whereValue('TransferWithAuthorization', transferFields, '>', perTxLimitMicro)],
    },
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [onToken, whereValue('ReceiveWithAuthorization', transferFields, '>=', 0n)],
    },
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [onToken, whereValue('Permit', permitFields, '>=', 0n)],
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

function whereValue(
  primaryType: string,
  fields: { name: string; type: string }[],
  operator: '<=' | '>' | '>=',
  bound: bigint,
) {
  return {
    type: 'evmTypedDataField' as const,
    types: { types: { [primaryType]: fields }, primaryType },
    conditions: [{ path: 'value', operator, value: String(bound) }],
  }
}
