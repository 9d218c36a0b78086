import { type ErrorCode, errorCodes, errorRules } from './error-rules.ts'

/** What every error means and what to do about it. Apart from the rules, because a page does not carry them. */
const words: Record<ErrorCode, { meaning: string; fix: string }> = {
  VALIDATION_ERROR: {
    meaning: 'The request does not fit the documented shape.',
    fix: 'Read `details.issues`: each entry has the `path` of a field (a JSON pointer such as `/services/0/priceUSDC`, or the name of a header) and what is wrong with it.',
  },
  PRICE_MISMATCH: {
    meaning: 'The signed allowance is not the price that the service computes.',
    fix: 'Ask for a quote, sign the typed data that it returns, and send it unchanged.',
  },
  UNAUTHORIZED: {
    meaning: 'There is no valid credential on the request, or the signature does not verify.',
    fix: 'Sign in again: request a nonce, sign it, verify the signature.',
  },
  PAYMENT_REQUIRED: {
    meaning: 'The call is paid by x402 and carries no valid payment.',
    fix: 'Decode the PAYMENT-REQUIRED header, sign one of its offers and repeat the call with PAYMENT-SIGNATURE.',
  },
  BUDGET_EXCEEDED: {
    meaning: 'The API key has no budget left for this. Nothing was charged.',
    fix: '`details` has the `limit` that was reached with its `cap`, what is `spent`, `reserved` and `left` of it, what was `required`, and when it `resetsAt`. Wait for that, or use a key with more budget.',
  },
  FORBIDDEN: {
    meaning: 'The credential is valid but may not do this.',
    fix: 'Check the CSRF header for cookie sessions, the account status, and the role that the call needs.',
  },
  KYC_REQUIRED: {
    meaning: 'Only verified sellers may do this.',
    fix: 'Register as a seller, finish identity verification, and pay the verification fee where it is requested.',
  },
  AGENT_QUOTA_EXCEEDED: {
    meaning: 'The seller already runs as many agents as the plan allows.',
    fix: 'Subscribe to AGENT_QUOTA, or upgrade it. `details` has `current`, and `quota` with `quotaUntil`: the quota in force, and until when it is guaranteed.',
  },
  NOT_FOUND: {
    meaning: 'There is no such resource, or it is not yours to see.',
    fix: 'Check the path and the identifier.',
  },
  NOT_ACCEPTABLE: {
    meaning: 'None of the types in the Accept header is one that this call returns.',
    fix: 'Send `Accept: application/json`, one of the two media types of the forms, or no Accept header at all.',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request did not arrive completely in time.',
    fix: 'Send it again, headers and body without long pauses.',
  },
  INVALID_STATE: {
    meaning: 'The record is not in a state that allows this action.',
    fix: 'Read the record again. `details` has its `status` and the `allowed` ones.',
  },
  IDEMPOTENCY_CONFLICT: {
    meaning: 'This Idempotency-Key was already used with another request.',
    fix: 'Use a new key for a new request, or repeat the first request unchanged.',
  },
  CONFLICT: {
    meaning: 'The request contradicts something that is already stored.',
    fix: 'Read the stored record and decide again.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than the service reads.',
    fix: 'Send at most 100 kB, and files apart, each within the limit of its call.',
  },
  RANGE_NOT_SATISFIABLE: {
    meaning: 'The file has no such part.',
    fix: 'Ask for bytes below its size, which is in `Content-Range`, or for the whole file.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is not JSON.',
    fix: 'Send `Content-Type: application/json`, without content encoding.',
  },
  MISDIRECTED_REQUEST: {
    meaning:
      'The request names a Host that this service does not accept, or reached a process that serves no requests.',
    fix: 'Use the address in PUBLIC_URL, and send no requests to processes with ROLE=worker. A sandbox takes localhost, its own IP addresses, and what ALLOWED_HOSTS names.',
  },
  INSUFFICIENT_BALANCE: {
    meaning: 'The paying wallet does not hold enough USDC. Nothing was charged.',
    fix: 'Add funds and repeat the call. `details` has `available` and `required` in micro-units.',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: 'Too many requests in this window.',
    fix: 'Wait for the seconds in the Retry-After header.',
  },
  HEADERS_TOO_LARGE: {
    meaning: 'The request line and the headers are larger than the service reads.',
    fix: 'Send at most 16 kB of them, in at most 100 headers: shorten the query or the cookies.',
  },
  INTERNAL_ERROR: {
    meaning: 'Something failed on our side.',
    fix: 'Repeat the call with the same Idempotency-Key. If the error persists, report it with the request id.',
  },
  UNAVAILABLE: {
    meaning: 'A part that the call needs is not responding right now. Nothing was lost.',
    fix: 'Repeat the call with the same Idempotency-Key after the seconds in the Retry-After header.',
  },
}

/**
 * Every error the service can return: its HTTP status, what it means and what to do about it.
 * The HTTP layer, the OpenAPI documents and the error page are all made from this table.
 */
export const errorTable = Object.fromEntries(
  errorCodes.map((code) => [code, { ...errorRules[code], ...words[code] }]),
) as Record<ErrorCode, { status: number; retryable: boolean; meaning: string; fix: string }>

/** One field that is wrong, and why. */
export interface Issue {
  /** A JSON pointer such as `/services/0/priceUSDC`; empty for the whole. A header goes by its name. */
  path: string
  message: string
}

/** What `details` holds for the codes that promise something; the others may add free keys. */
export interface ErrorDetails {
  VALIDATION_ERROR: { issues: Issue[] }
  /** `quotaUntil`: until when that quota is guaranteed; null on the free tier, and while a renewal is under way. */
  AGENT_QUOTA_EXCEEDED: { current: number; quota: number; quotaUntil: string | null }
  INVALID_STATE: { status: string; allowed: string[] }
  INSUFFICIENT_BALANCE: { available: string; required: string }
  RATE_LIMIT_EXCEEDED: { retryAfterSeconds: number }
  /** Amounts in micro-units. `resetsAt` is null for a limit that never resets. */
  BUDGET_EXCEEDED: {
    limit: 'PER_JOB' | 'DAY' | 'MONTH' | 'TOTAL'
    cap: string
    spent: string
    reserved: string
    left: string
    required: string
    resetsAt: string | null
  }
}

export type DetailsOf<Code extends ErrorCode> = Code extends keyof ErrorDetails
  ? ErrorDetails[Code] & Record<string, unknown>
  : Record<string, unknown> | undefined

interface AppErrorOptions<Code extends ErrorCode> {
  message?: string
  details?: DetailsOf<Code>
  /** Fields of the body beside `error`, where another protocol reads it as well. */
  beside?: Record<string, unknown>
  cause?: unknown
}

/** The one error type: what it says is fit for the caller to read, `cause` never leaves the process. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError'
  readonly code: Code
  readonly status: number
  readonly details: Record<string, unknown>
  readonly beside: Record<string, unknown>

  constructor(code: Code, options: AppErrorOptions<Code> = {}) {
    super(options.message ?? errorTable[code].meaning, { cause: options.cause })
    this.code = code
    this.status = errorTable[code].status
    this.details = options.details ?? {}
    this.beside = options.beside ?? {}
  }
}

/** A VALIDATION_ERROR from its first issue; `whole` names what an issue without a path is about. */
export function invalidInput(issues: Issue[], whole = 'The body'): AppError<'VALIDATION_ERROR'> {
  const [first] = issues
  const place = first?.path.replace(/^\//, '').replaceAll('/', '.') || whole
  const message = first && `${place} ${first.message}.`
  return new AppError('VALIDATION_ERROR', { ...(message && { message }), details: { issues } })
}

/**
 * A VALIDATION_ERROR about one field, for checks that a schema cannot express: `/permission/account`, or
 * `permission.account`, or the name of a header. The caller reads a JSON pointer for the first two.
 */
export function invalidField(path: string, message: string): AppError<'VALIDATION_ERROR'> {
  const pointer = /^[a-z]/.test(path) ? `/${path.replaceAll('.', '/')}` : path
  return invalidInput([{ path: pointer, message }])
}
