import { isSameAddress } from '../addresses.ts'
import { MarketplaceError } from '../errors.ts'

/** What this client asked to sign in to. */
interface Expected {
  baseUrl: string
  address: `0x${string}`
  chainId: number
  nonce: string
  nowMs: number
}

/** The whole of an EIP-4361 message as the service writes it. Nothing may be hidden before, between or after its lines. */
const signInText = new RegExp(
  [
    '^(?<domain>[^\\s/]+) wants you to sign in with your Ethereum account:',
    '(?<address>0x[0-9a-fA-F]{40})',
    '',
    '[^\\n]+',
    '',
    'URI: (?<uri>\\S+)',
    'Version: 1',
    'Chain ID: (?<chainId>\\d+)',
    'Nonce: (?<nonce>[0-9a-zA-Z]{8,})',
    'Issued At: (?<issuedAt>\\S+)',
    'Expiration Time: (?<expiresAt>\\S+)$',
  ].join('\\n'),
)

/** A sign-in takes seconds. Clocks may differ by a quarter of an hour, and a text may live for an hour. */
const CLOCK_SKEW_MS = 15 * 60_000
const LONGEST_LIFE_MS = 60 * 60_000

/**
 * A signature over a sign-in text is as good as a password for the site that the text names. So the text must name the
 * site that this client talks to, this wallet, the service's chain, the nonce of this response, and the present.
 */
export function checkSignIn(message: string, expected: Expected): void {
  const parts = signInText.exec(message)?.groups
  const differences = parts ? differencesOf(parts, expected) : ['message']
  if (differences.length === 0) return
  throw new MarketplaceError('UNEXPECTED_SIGN_IN', {
    message: `The text that the service asks to sign is not a sign-in to it: ${differences.join(', ')}.`,
    details: { differences, message },
  })
}

function differencesOf(parts: Record<string, string | undefined>, expected: Expected): string[] {
  const { domain = '', address = '', uri = '', issuedAt = '', expiresAt = '' } = parts
  const own = new URL(expected.baseUrl)
  const issuedMs = Date.parse(issuedAt)
  const endsMs = Date.parse(expiresAt)
  const isPresent =
    issuedMs <= expected.nowMs + CLOCK_SKEW_MS &&
    endsMs >= expected.nowMs - CLOCK_SKEW_MS &&
    endsMs > issuedMs &&
    endsMs - issuedMs <= LONGEST_LIFE_MS
  return [
    !isSameSite(`${own.protocol}//${domain}`, own, domain) && 'domain',
    !isSameSite(uri, own) && 'uri',
    !isSameAddress(address, expected.address) && 'address',
    parts.chainId !== String(expected.chainId) && 'chainId',
    parts.nonce !== expected.nonce && 'nonce',
    !isPresent && 'time',
  ].filter((name) => name !== false)
}

/**
 * A machine reaches itself by several names, and by the port of a proxy that serves a page under development. Nothing may
 * stand before or after the name: people read `bank.example@market.example` as the bank.
 */
function isSameSite(named: string, own: URL, name?: string): boolean {
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (!url || url.protocol !== own.protocol || url.username !== '' || url.password !== '') return false
  if (name !== undefined && name !== url.host) return false
  return url.host === own.host || (isLoopback(url) && isLoopback(own))
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
