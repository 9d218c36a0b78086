import { decodeBase64Json } from '../base64.ts'
import { MarketplaceError } from '../errors.ts'

/** One way to pay that an x402 challenge offers. It is sent back as it came. */
export interface X402Offer {
  scheme: string
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}

export interface X402Challenge {
  resource: unknown
  extensions: unknown
  accepts: X402Offer[]
}

/** Reads a PAYMENT-REQUIRED header of x402 version 2, and keeps the offers that an EIP-3009 signature can pay. */
export function readChallenge(header: string | null): X402Challenge {
  const challenge = decode(header)
  if (challenge.x402Version !== 2 || !Array.isArray(challenge.accepts)) throw unreadable()
  const { resource, extensions, accepts } = challenge
  return { resource, extensions, accepts: accepts.filter(isExactOffer) }
}

function decode(header: string | null): Record<string, unknown> {
  try {
    return Object(decodeBase64Json(header ?? ''))
  } catch (cause) {
    throw unreadable(cause)
  }
}

function unreadable(cause?: unknown): MarketplaceError {
  return new MarketplaceError('UNEXPECTED_PAYMENT', {
    message: 'The response asks for a payment, but not by x402 version 2.',
    cause,
  })
}

const texts = ['scheme', 'network', 'amount', 'asset', 'payTo'] as const

function isExactOffer(value: unknown): value is X402Offer {
  const offer: Partial<X402Offer> = Object(value)
  const { extra, maxTimeoutSeconds } = offer
  return (
    texts.every((name) => typeof offer[name] === 'string') &&
    offer.scheme === 'exact' &&
    /^[0-9]{1,78}$/.test(offer.amount ?? '') &&
    typeof maxTimeoutSeconds === 'number' &&
    typeof extra?.name === 'string' &&
    typeof extra.version === 'string'
  )
}
