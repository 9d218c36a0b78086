import { AppError, type ErrorCode, errorTable } from '@agent-marketplace/contract'

/** Thrown by a handler whose work may succeed when it is tried again later. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError'
  readonly code = 'RETRYABLE'
}

/** The one question that the queue asks of an error. Whatever does not say yes is kept as a dead letter at once. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof AppError) {
    const code: ErrorCode = error.code
    return errorTable[code].retryable
  }
  return error instanceof RetryableError
}
