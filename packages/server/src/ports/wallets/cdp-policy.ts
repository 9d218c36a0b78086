import { checksumAddress } from '@agent-marketplace/chain'
import { authorizationFields } from '@agent-marketplace/contract'
import type { CreatePolicyBody } from '@coinbase/cdp-sdk'
import { registryOf } from './consent.ts'
import type { TokenDomain, WalletLimits } from './port.ts'

export type CdpRules = CreatePolicyBody['rules']

const maxUint256 = 2n ** 256n - 1n

const permitFields = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]

const consentFields = [
  { name: 'agentId', type: 'uint256' },
  { name: 'newWallet', type: 'address' },
  { name: 'owner', type: 'address' },
  { name: 'deadline', type: 'uint256' },
]

/**
 * What an agent's account may do at CDP: sign a transfer of the token, up to the limit and to its payees, agree to be
 * named in the identity registry, and nothing else. So an attacker who takes over this service can send an agent's money to its owner, and nowhere else. CDP's texts disagree
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
      criteria: [onToken, where('ReceiveWithAuthorization', authorizationFields, [anyValue])],
    },
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [onToken, where('Permit', permitFields, [anyValue])],
    },
    ...consentRules(token),
    { action: 'reject', operation: 'signEvmHash' },
    { action: 'reject', operation: 'signEvmMessage', criteria: [{ type: 'evmMessage', match: '(?s).*' }] },
    { action: 'reject', operation: 'signEvmTransaction', criteria: [anyEthValue] },
    { action: 'reject', operation: 'sendEvmTransaction', criteria: [anyEthValue] },
    { action: 'reject', operation: 'prepareUserOperation', criteria: [anyEthValue] },
    { action: 'reject', operation: 'sendUserOperation', criteria: [anyEthValue] },
  ]
}

/** The registry's consent, and no typed data of any other contract than the token and the registry. */
function consentRules({ verifyingContract, chainId }: TokenDomain): CdpRules {
  const registry = registryOf({ chainId })
  const of = (operator: 'in' | 'not in', ...addresses: `0x${string}`[]) => ({
    type: 'evmTypedDataVerifyingContract' as const,
    addresses,
    operator,
  })
  const anyAgent: Condition = { path: 'agentId', operator: '>=', value: '0' }
  return [
    {
      action: 'accept',
      operation: 'signEvmTypedData',
      criteria: [of('in', registry), where('AgentWalletSet', consentFields, [anyAgent])],
    },
    {
      action: 'reject',
      operation: 'signEvmTypedData',
      criteria: [of('not in', verifyingContract as `0x${string}`, registry)],
    },
  ]
}

/**
 * The rules of an account from before it could agree to be named, with that added; its limits stay as they are.
 * Undefined where they allow it already.
 */
export function rulesWithConsent(token: TokenDomain, rules: CdpRules): CdpRules | undefined {
  const isOfOthers = (rule: CdpRules[number]) =>
    rule.operation === 'signEvmTypedData' &&
    rule.action === 'reject' &&
    rule.criteria.some(
      (criterion) => criterion.type === 'evmTypedDataVerifyingContract' && criterion.operator === 'not in',
    )
  const registry = registryOf(token).toLowerCase()
  if (rules.some((rule) => isOfOthers(rule) && JSON.stringify(rule).toLowerCase().includes(registry)))
    return undefined
  return [...rules.filter((rule) => !isOfOthers(rule)), ...consentRules(token)]
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
  where('TransferWithAuthorization', authorizationFields, conditions)

function where(
  primaryType: string,
  fields: readonly { name: string; type: string }[],
  conditions: Condition[],
) {
  return {
    type: 'evmTypedDataField' as const,
    types: { types: { [primaryType]: [...fields] }, primaryType },
    conditions,
  }
}
