import { DEVNET_CHAIN_ID, usdcAddresses } from '@agent-marketplace/contract'
import type { SignableData } from '@agent-marketplace/sdk'

/** The marketplace says what it is paid in, but caps are in USDC: so here it does not have the last word. */
export function isUsdc({ chainId, verifyingContract }: SignableData['domain']): boolean {
  if (chainId === DEVNET_CHAIN_ID) return true
  const known: Record<number, string | undefined> = usdcAddresses
  return known[chainId]?.toLowerCase() === verifyingContract.toLowerCase()
}
