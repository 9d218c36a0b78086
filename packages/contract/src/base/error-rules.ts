/** Every error the service can return: its HTTP status, and whether the same call may succeed later. */
export const errorRules = {
  VALIDATION_ERROR: { status: 400, retryable: false },
  PRICE_MISMATCH: { status: 400, retryable: false },
  UNAUTHORIZED: { status: 401, retryable: false },
  PAYMENT_REQUIRED: { status: 402, retryable: false },
  BUDGET_EXCEEDED: { status: 402, retryable: false },
  FORBIDDEN: { status: 403, retryable: false },
  KYC_REQUIRED: { status: 403, retryable: false },
  AGENT_QUOTA_EXCEEDED: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  NOT_ACCEPTABLE: { status: 406, retryable: false },
  REQUEST_TIMEOUT: { status: 408, retryable: true },
  INVALID_STATE: { status: 409, retryable: false },
  IDEMPOTENCY_CONFLICT: { status: 409, retryable: false },
  CONFLICT: { status: 409, retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  RANGE_NOT_SATISFIABLE: { status: 416, retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  MISDIRECTED_REQUEST: { status: 421, retryable: false },
  INSUFFICIENT_BALANCE: { status: 422, retryable: false },
  RATE_LIMIT_EXCEEDED: { status: 429, retryable: true },
  HEADERS_TOO_LARGE: { status: 431, retryable: false },
  INTERNAL_ERROR: { status: 500, retryable: true },
  UNAVAILABLE: { status: 503, retryable: true },
} as const

export type ErrorCode = keyof typeof errorRules

export const errorCodes = Object.keys(errorRules) as ErrorCode[]
