import {
  A2AError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { AppError } from '@agent-marketplace/contract'
import type { Log } from '../../platform/log/log.ts'

/** As an A2A error. Internal failures are logged, not returned. */
export function toA2aError(error: unknown, { log, requestId }: { log: Log; requestId: string }): A2AError {
  if (error instanceof A2AError) return error
  if (error instanceof AppError && error.status < 500) {
    const { message } = error
    if (error.code === 'NOT_FOUND') return new TaskNotFoundError(message)
    if (error.code === 'VALIDATION_ERROR') return new RequestMalformedError(message)
    return new UnsupportedOperationError({ message, metadata: { code: error.code } })
  }
  log.error({ err: error, requestId }, 'an A2A call failed')
  return new A2AError('The call failed. It can be repeated.')
}
