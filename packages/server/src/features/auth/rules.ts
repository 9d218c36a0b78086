import { isZeroAddress } from '@agent-marketplace/contract'

export const SIGN_IN_STATEMENT = 'Sign in to the Agent Marketplace. This costs nothing and moves no funds.'

/** 22 of 62 characters are 131 random bits. */
export const NONCE_RANDOM_LENGTH = 22
const MAX_HOST_LENGTH = 40

/**
 * A client may sign the nonce alone, so the nonce itself names its purpose and its site, within the letters and digits
 * that EIP-4361 allows.
 */
export function nonceFor(publicUrl: URL, random: string): string {
  const host = publicUrl.host.replace(/[^0-9a-zA-Z]/g, '').slice(0, MAX_HOST_LENGTH)
  return `AgentMarketplaceSignIn${host}${random}`
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
