import { type ErrorCode, errorRules } from '@agent-marketplace/contract'
import { MarketplaceError } from '../errors.ts'

/** The error in a response. One that is not the service's own (a proxy's page) is identified by its status alone. */
export function readError(response: Pick<Response, 'status' | 'headers'>, text: string): MarketplaceError {
  const { status, headers } = response
  const body = readEnvelope(text)
  const code = body && isErrorCode(body.code) ? body.code : codeOf(status)
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  return new MarketplaceError(code, {
    message: body?.message ?? `The service returned ${status}.`,
    status,
    details: {
      ...body?.details,
      ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
    },
    requestId: headers.get('x-request-id') ?? undefined,
  })
}

interface ErrorBody {
  code: string
  message: string
  details: Record<string, unknown>
}

function readEnvelope(text: string): ErrorBody | undefined {
  const { error } = (readJson(text) ?? {}) as { error?: Partial<ErrorBody> }
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') return undefined
  return { code: error.code, message: error.message, details: error.details ?? {} }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorRules, code)

function codeOf(status: number): ErrorCode {
  if (status === 502 || status === 504) return 'UNAVAILABLE'
  const known = Object.entries(errorRules).find(([, row]) => row.status === status)
  if (known && isErrorCode(known[0])) return known[0]
  return status >= 500 ? 'INTERNAL_ERROR' : 'VALIDATION_ERROR'
}
