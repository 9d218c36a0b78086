interface Ruling {
  domain: object
  primaryType: string
  message: Record<string, unknown>
}

/**
 * A Safe's owner signs one plain call of the escrow and nothing else: not a transfer, not a change of the Safe, not a
 * delegated call, on no other chain.
 */
export function checkRuling(
  { domain, primaryType, message }: Ruling,
  expected: { chainId: number; safe: string; escrow: string },
): void {
  const { chainId, verifyingContract } = domain as { chainId?: unknown; verifyingContract?: unknown }
  const isSame = (one: unknown, other: string) => String(one).toLowerCase() === other.toLowerCase()
  const isRuling =
    primaryType === 'SafeTx' &&
    Number(chainId) === expected.chainId &&
    isSame(verifyingContract, expected.safe) &&
    isSame(message.to, expected.escrow) &&
    Number(message.value) === 0 &&
    Number(message.operation) === 0 &&
    Number(message.gasPrice) === 0
  if (!isRuling) throw new Error('This is not a ruling for the escrow. Nothing was signed.')
}
