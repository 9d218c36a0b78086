import { getTypesForEIP712Domain, type TypedDataDefinition } from 'viem'

export type JsonTypedData = {
  domain: Record<string, unknown>
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

/** Typed data as it travels in JSON and goes into `eth_signTypedData_v4`: the domain's type spelled out, big numbers as decimal strings. */
export const toJsonTypedData = ({
  domain,
  types,
  primaryType,
  message,
}: TypedDataDefinition): JsonTypedData => ({
  domain: { ...domain },
  types: { EIP712Domain: getTypesForEIP712Domain({ domain }), ...(types as JsonTypedData['types']) },
  primaryType,
  message: Object.fromEntries(
    Object.entries(message as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  ),
})
