import { isZeroAddress } from '@agent-marketplace/contract'

/** The EIP-4361 text that a wallet signs. It binds the signature to this site, chain, wallet, nonce and time. */
export function signInMessage(input: {
  publicUrl: URL
  walletAddress: string
  chainId: number
  nonce: string
  issuedAt: Date
  expiresAt: Date
}): string {
  return [
    `${input.publicUrl.host} wants you to sign in with your Ethereum account:`,
    input.walletAddress,
    '',
    'Sign in to the Agent Marketplace. This costs nothing and moves no funds.',
    '',
    `URI: ${input.publicUrl.origin}`,
    'Version: 1',
    `Chain ID: ${input.chainId}`,
    `Nonce: ${input.nonce}`,
    `Issued At: ${input.issuedAt.toISOString()}`,
    `Expiration Time: ${input.expiresAt.toISOString()}`,
  ].join('\n')
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/
const hexPattern = /^0x(?:[0-9a-fA-F]{2})+$/

/**
 * Strings that could never verify are refused before anything is looked up. Nobody has the zero address, yet a signature
 * that recovers to no key at all looks like one of its own.
 */
export function couldVerify(attempt: { walletAddress: string; signature: string }): boolean {
  const { walletAddress } = attempt
  return (
    addressPattern.test(walletAddress) && !isZeroAddress(walletAddress) && hexPattern.test(attempt.signature)
  )
}
