/** What a wallet signs to sign in, and what for. */
export interface SignIn {
  /** The host that asks. */
  domain: string
  walletAddress: string
  statement: string
  uri: string
  chainId: number
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

/** The EIP-4361 text that a wallet signs. It binds the signature to this site, chain, wallet, nonce and time. */
export function signInMessage(signIn: SignIn): string {
  return [
    `${signIn.domain} wants you to sign in with your Ethereum account:`,
    signIn.walletAddress,
    '',
    signIn.statement,
    '',
    `URI: ${signIn.uri}`,
    'Version: 1',
    `Chain ID: ${signIn.chainId}`,
    `Nonce: ${signIn.nonce}`,
    `Issued At: ${signIn.issuedAt.toISOString()}`,
    `Expiration Time: ${signIn.expiresAt.toISOString()}`,
  ].join('\n')
}
