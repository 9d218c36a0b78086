import { AppError, errorTable } from '@agent-marketplace/contract'

/** The one error body: it satisfies the envelopes of both forms at once. */
export interface ErrorEnvelope {
  error: {
    code: string
    message: string
    details: Record<string, unknown>
    statusCode: number
    timestamp: string
    requestId: string
  }
}

export function toEnvelope(error: AppError, context: { requestId: string; now: Date }): ErrorEnvelope {
  return {
    ...error.beside,
    error: {
      code: error.code,
      message: error.message,
      details: error.details,
      statusCode: error.status,
      timestamp: context.now.toISOString(),
      requestId: context.requestId,
    },
  }
}

/** What the framework itself refuses, in our words. Anything that we did not foresee is a 500 without its text. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('UNSUPPORTED_MEDIA_TYPE', { cause: error })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('PAYLOAD_TOO_LARGE', { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const message = 'The request could not be read.'
    return new AppError('VALIDATION_ERROR', {
      message,
      cause: error,
      details: { issues: [{ path: '', message }] },
    })
  }
  return new AppError('INTERNAL_ERROR', { cause: error })
}

/** Seconds after which a caller should try again, for the codes where that helps. */
export function retryAfterSeconds(error: AppError): number | undefined {
  if (!errorTable[error.code].retryable) return undefined
  const { retryAfterSeconds: given } = error.details
  if (typeof given === 'number') return given
  return error.code === 'UNAVAILABLE' ? 2 : undefined
}
