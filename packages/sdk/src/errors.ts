import { type DetailsOf, type ErrorCode, errorRules } from '@agent-marketplace/contract'

/** What can go wrong on this side of the wire. */
const ownCodes = {
  /** No response came. Whether the service has done it is not known; repeating it with the same key is safe. */
  NETWORK_ERROR: { status: 0, retryable: true },
  /** The service asked to be paid otherwise than agreed. Nothing was signed. */
  UNEXPECTED_PAYMENT: { status: 0, retryable: false },
  /** The service asked to sign another text than a sign-in to itself. Nothing was signed. */
  UNEXPECTED_SIGN_IN: { status: 0, retryable: false },
  /** A response as the service never sends one: it leads elsewhere, or has no end. */
  UNEXPECTED_RESPONSE: { status: 0, retryable: false },
} as const

type OwnCode = keyof typeof ownCodes

/** Every code of the service, and those of the client. */
export type MarketplaceErrorCode = ErrorCode | OwnCode

type Details<Code extends MarketplaceErrorCode> = Code extends ErrorCode
  ? NonNullable<DetailsOf<Code>>
  : Record<string, unknown>

interface MarketplaceErrorOptions {
  message: string
  /** The HTTP status as it came; without it, the one that belongs to the code. */
  status?: number
  details?: Record<string, unknown>
  requestId?: string | undefined
  cause?: unknown
}

/**
 * The one error of the client.
 *
 * @example
 * try {
 *   await marketplace.createAgent(agent)
 * } catch (error) {
 *   if (!isMarketplaceError(error, 'AGENT_QUOTA_EXCEEDED')) throw error
 *   await marketplace.subscribe({ plan: 'AGENT_QUOTA', agentQuota: error.details.quota + 1 })
 * }
 */
export class MarketplaceError<Code extends MarketplaceErrorCode = MarketplaceErrorCode> extends Error {
  override readonly name = 'MarketplaceError'
  /** Stable, for programs. */
  readonly code: Code
  /** The HTTP status; 0 when no response came. */
  readonly status: number
  readonly details: Details<Code>
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined
  /** Whether the same call may succeed later. The client has already tried it more than once then. */
  readonly retryable: boolean

  constructor(code: Code, options: MarketplaceErrorOptions) {
    super(options.message, { cause: options.cause })
    const known = isOwnCode(code) ? ownCodes[code] : errorRules[code as ErrorCode]
    this.code = code
    this.status = options.status ?? known.status
    this.details = (options.details ?? {}) as Details<Code>
    this.requestId = options.requestId
    this.retryable = known.retryable
  }
}

function isOwnCode(code: MarketplaceErrorCode): code is OwnCode {
  return Object.hasOwn(ownCodes, code)
}

/** Whether it is an error of the marketplace and, if codes are given, one of these. */
export function isMarketplaceError<Code extends MarketplaceErrorCode = MarketplaceErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is MarketplaceError<Code> {
  if (!(error instanceof MarketplaceError)) return false
  return codes.length === 0 || codes.some((code) => code === error.code)
}
