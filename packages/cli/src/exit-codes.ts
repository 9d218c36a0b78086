import { isMarketplaceError, type MarketplaceError } from '@agent-marketplace/sdk'

/** How a command ends, for scripts. The README lists them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command was written wrongly, or its input does not fit. Nothing was done. */
  usage: 2,
  /** Nobody is signed in, or the password is missing or wrong. */
  signIn: 3,
  /** The wallet or a budget does not allow the payment, or it costs more than was agreed to. */
  payment: 4,
  /** The marketplace did not respond, or is busy: try again later. */
  unreachable: 5,
  /** Stopped by Ctrl-C, as shells report it. */
  interrupted: 130,
} as const

export type Outcome = keyof typeof exitCodes

/** A command that ends early, with words for the person who gave it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly outcome: Outcome

  constructor(outcome: Outcome, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.outcome = outcome
  }
}

const byCode: Partial<Record<MarketplaceError['code'], Outcome>> = {
  VALIDATION_ERROR: 'usage',
  UNAUTHORIZED: 'signIn',
  UNEXPECTED_SIGN_IN: 'signIn',
  INSUFFICIENT_BALANCE: 'payment',
  UNEXPECTED_PAYMENT: 'payment',
  NETWORK_ERROR: 'unreachable',
  UNEXPECTED_RESPONSE: 'unreachable',
}

const PAYMENT_REQUIRED = 402

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof CommandError) return error.outcome
  if (!isMarketplaceError(error)) return 'failed'
  if (error.status === PAYMENT_REQUIRED) return 'payment'
  return byCode[error.code] ?? (error.retryable ? 'unreachable' : 'failed')
}
