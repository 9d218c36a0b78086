/** Limits of the HTTP surface that callers must know; `GET /api/config` and the docs show them. */
export const rateLimitsPerMinute = {
  /** request-nonce and verify-signature, per client address and wallet named in the body. */
  auth: 10,
  /** Agent search. */
  search: 200,
  /** Everything else under /api. */
  api: 100,
} as const

export type RateClass = keyof typeof rateLimitsPerMinute | 'none'

/** All auth calls of one client address together, whatever wallets they name. */
export const AUTH_FLOOD_LIMIT_PER_MINUTE = 100
export const RATE_WINDOW_SECONDS = 60

export const NONCE_LIFETIME_SECONDS = 5 * 60
export const SESSION_LIFETIME_SECONDS = 24 * 3600
export const IDEMPOTENCY_KEY_LIFETIME_SECONDS = 24 * 3600
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255

export const MAX_JSON_DEPTH = 32
