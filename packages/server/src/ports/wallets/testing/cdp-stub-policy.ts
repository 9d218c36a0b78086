import { isDeepStrictEqual } from 'node:util'
import type { CreatePolicyBody } from '@coinbase/cdp-sdk'

type Rule = CreatePolicyBody['rules'][number]

export interface TypedDataBody {
  domain: { verifyingContract?: string }
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

export type SigningRequest =
  | { operation: 'signEvmHash'; hash: `0x${string}` }
  | { operation: 'signEvmMessage'; message: string }
  | { operation: 'signEvmTypedData'; typedData: TypedDataBody }

/**
 * The first rule that fits decides. Among CDP's two accounts of what happens otherwise this takes the riskier one for
 * the wallet: an operation that some rule names is refused, one that none names is allowed.
 */
export function isAllowed(rules: readonly Rule[], request: SigningRequest): boolean {
  const named = rules.filter((rule) => rule.operation === request.operation)
  const deciding = named.find((rule) => fits(rule, request))
  return deciding === undefined ? named.length === 0 : deciding.action === 'accept'
}

function fits(rule: Rule, request: SigningRequest): boolean {
  if (rule.operation === 'signEvmHash') return true
  if (rule.operation === 'signEvmMessage' && request.operation === 'signEvmMessage') {
    return rule.criteria.every(({ match }) =>
      new RegExp(match.replace('(?s)', ''), 's').test(request.message),
    )
  }
  if (rule.operation === 'signEvmTypedData' && request.operation === 'signEvmTypedData') {
    return rule.criteria.every((criterion) => typedDataFits(criterion, request.typedData))
  }
  throw new Error(`the stub does not judge ${rule.operation}`)
}

type TypedDataCriterion = Extract<Rule, { operation: 'signEvmTypedData' }>['criteria'][number]

function typedDataFits(
  criterion: TypedDataCriterion,
  { domain, types, primaryType, message }: TypedDataBody,
) {
  if (criterion.type === 'evmTypedDataVerifyingContract') {
    return isListed(criterion.addresses, domain.verifyingContract) === (criterion.operator === 'in')
  }
  if (criterion.types.primaryType !== primaryType) return false
  if (!isDeepStrictEqual(criterion.types.types[primaryType], types[primaryType])) return false
  return criterion.conditions.every((condition) => {
    const value = message[condition.path]
    if ('match' in condition) return new RegExp(condition.match).test(String(value))
    if ('addresses' in condition)
      return isListed(condition.addresses, value) === (condition.operator === 'in')
    return compare(BigInt(String(value)), condition.operator, BigInt(condition.value))
  })
}

function isListed(addresses: readonly string[], address: unknown): boolean {
  return addresses.some((listed) => listed.toLowerCase() === String(address).toLowerCase())
}

function compare(left: bigint, operator: string, right: bigint): boolean {
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
    default:
      return left === right
  }
}
