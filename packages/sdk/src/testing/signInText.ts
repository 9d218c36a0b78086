/** A sign-in text as the service writes it, for servers that tests make up. */
export function signInText(site: {
  url: string
  address: string
  nonce: string
  chainId?: number
  issuedAt?: string
  expiresAt?: string
}): string {
  const { host, origin } = new URL(site.url)
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    site.address,
    '',
    'Sign in to the Agent Marketplace. This costs nothing and moves no funds.',
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${site.chainId ?? 31337}`,
    `Nonce: ${site.nonce}`,
    `Issued At: ${site.issuedAt ?? '2026-11-15T09:00:00.000Z'}`,
    `Expiration Time: ${site.expiresAt ?? '2026-11-15T09:05:00.000Z'}`,
  ].join('\n')
}
