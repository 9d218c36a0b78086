import { isMarketplaceError, type MarketplaceErrorCode } from '@agent-marketplace/sdk'
import { isRejectedByUser, WalletError } from '../../session/wallet-error.ts'
import { UnreachableError } from './connection.ts'

/** An error as people read it: what happened, that nothing was lost, what to do. */
export interface PlainError {
  title: string
  advice: string
  requestId: string | undefined
  canRetry: boolean
}

type Words = Pick<PlainError, 'title' | 'advice'>

const wordsOfCode: Record<MarketplaceErrorCode, Words> = {
  VALIDATION_ERROR: {
    title: 'Some fields in the form are invalid.',
    advice: 'Correct it and send it again. Nothing was changed.',
  },
  PRICE_MISMATCH: {
    title: 'The price has changed since you signed.',
    advice: 'Nothing was charged. Load the new price and sign again.',
  },
  UNAUTHORIZED: {
    title: 'You are no longer signed in.',
    advice: 'Sign in again. What you did before is safe.',
  },
  PAYMENT_REQUIRED: {
    title: 'The payment was not accepted.',
    advice: 'Nothing was charged. Check your USDC balance and try again.',
  },
  BUDGET_EXCEEDED: {
    title: 'The API key has no budget left for this.',
    advice: 'Nothing was charged. Sign in with your wallet, or make a key with a higher budget.',
  },
  FORBIDDEN: {
    title: 'Your account may not do this.',
    advice: 'Nothing was changed. Sign in with another wallet if this is not the right one.',
  },
  KYC_REQUIRED: {
    title: 'Only verified sellers can do this.',
    advice: 'Finish verification first. It takes a few minutes.',
  },
  AGENT_QUOTA_EXCEEDED: {
    title: 'Your plan has no room for another agent.',
    advice: 'Nothing has changed. Raise your quota or pause another agent.',
  },
  NOT_FOUND: {
    title: 'There is nothing here.',
    advice: 'It may have been removed, or it belongs to another wallet.',
  },
  NOT_ACCEPTABLE: {
    title: 'The page and the service are out of sync.',
    advice: 'Nothing was changed. Reload the page.',
  },
  REQUEST_TIMEOUT: {
    title: 'The connection was too slow.',
    advice: 'Nothing was changed. Try again.',
  },
  HEADERS_TOO_LARGE: {
    title: 'That is too large to send.',
    advice: 'Nothing was changed. Clear this site’s cookies and try again.',
  },
  INVALID_STATE: {
    title: 'That is no longer possible.',
    advice: 'Something changed since this page was loaded. Nothing was done.',
  },
  IDEMPOTENCY_CONFLICT: {
    title: 'This was already sent with other content.',
    advice: 'Nothing was done twice. Reload the page and check before you try again.',
  },
  CONFLICT: {
    title: 'This conflicts with existing data.',
    advice: 'Nothing was changed. Reload the page and check again.',
  },
  PAYLOAD_TOO_LARGE: {
    title: 'That is too large to send.',
    advice: 'Nothing was stored. Shorten it, or attach it as a file.',
  },
  RANGE_NOT_SATISFIABLE: {
    title: 'The file has no such part.',
    advice: 'Download it again from the beginning.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'The service cannot read this kind of content.',
    advice: 'Nothing was stored.',
  },
  MISDIRECTED_REQUEST: {
    title: 'The service is not available at this address.',
    advice: 'Nothing was changed. Open it at its own address.',
  },
  INSUFFICIENT_BALANCE: {
    title: 'Your wallet does not hold enough USDC.',
    advice: 'Nothing was charged. Add funds and try again.',
  },
  RATE_LIMIT_EXCEEDED: {
    title: 'Too many requests.',
    advice: 'Nothing was lost. Wait a minute and try again.',
  },
  INTERNAL_ERROR: {
    title: 'Something failed on our side.',
    advice: 'Nothing was lost. Try again; if the error persists, report it with the request id.',
  },
  UNAVAILABLE: {
    title: 'A part of the service is not responding right now.',
    advice: 'Nothing was lost. Try again in a moment.',
  },
  NETWORK_ERROR: {
    title: 'The service cannot be reached right now.',
    advice: 'Try again once the page has reconnected: nothing is done twice.',
  },
  UNEXPECTED_SIGN_IN: {
    title: 'The service asked to sign something other than a sign-in.',
    advice: 'Nothing was signed. Check the address of this page.',
  },
  UNEXPECTED_RESPONSE: {
    title: 'The response did not come from the service.',
    advice:
      'It leads to another address or has no end. Check the address of this page, and your proxy if you have one.',
  },
  UNEXPECTED_PAYMENT: {
    title: 'The service asked for a different payment than you agreed to.',
    advice: 'Nothing was signed and nothing was paid.',
  },
}

/** Codes whose own message says more to the reader than the general words. */
const tellsMore: readonly MarketplaceErrorCode[] = [
  'VALIDATION_ERROR',
  'FORBIDDEN',
  'INVALID_STATE',
  'CONFLICT',
]

export function plainError(error: unknown): PlainError {
  if (isMarketplaceError(error)) {
    const words = wordsOfCode[error.code]
    return {
      title: tellsMore.includes(error.code) ? error.message : words.title,
      advice: words.advice,
      requestId: error.requestId,
      canRetry: error.retryable,
    }
  }
  if (isRejectedByUser(error)) {
    return { title: 'You did not sign.', advice: 'Nothing happened.', requestId: undefined, canRetry: true }
  }
  if (error instanceof WalletError) {
    return { title: error.message, advice: 'Nothing was signed.', requestId: undefined, canRetry: true }
  }
  if (error instanceof UnreachableError) {
    const { title } = wordsOfCode.NETWORK_ERROR
    const advice = 'Nothing was signed or sent. Try again once the page has reconnected.'
    return { title, advice, requestId: undefined, canRetry: true }
  }
  return {
    title: 'This page ran into a problem.',
    advice: 'Nothing was lost. Reload the page; what you have sent is safe with the service.',
    requestId: undefined,
    canRetry: true,
  }
}
