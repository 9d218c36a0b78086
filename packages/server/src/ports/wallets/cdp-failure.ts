import { AppError } from '@agent-marketplace/contract'
import { overLimit } from './transfer-rules.ts'

/** What CDP said, without its texts: a response from a proxy may quote the request's credentials. */
export interface CdpRefusal {
  status: number
  type: string
  correlationId: string | undefined
}

/** The SDK does not export its error class, so it is known by its shape. A status of 0 means that no response came. */
export function refusalOf(error: unknown): CdpRefusal | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || !('errorType' in error)) return undefined
  const { statusCode, errorType } = error
  if (typeof statusCode !== 'number' || typeof errorType !== 'string') return undefined
  const correlationId = 'correlationId' in error ? plainWord(error.correlationId) : undefined
  return { status: statusCode, type: plainWord(errorType) ?? 'unreadable', correlationId }
}

/** A broken policy is the caller's; everything else means that the provider cannot be used right now. */
export function explainCdpFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const refusal = refusalOf(error)
  const problem = refusal
    ? `${refusal.status} ${refusal.type}, correlation id ${refusal.correlationId ?? 'none'}`
    : error instanceof Error
      ? error.name
      : 'unknown'
  const cause = new Error(`CDP: ${problem}`)
  if (refusal?.type === 'policy_violation') return overLimit(cause)
  return unavailable(cause)
}

export function unreadable(what: string): AppError<'UNAVAILABLE'> {
  return unavailable(new Error(`CDP: the response holds no ${what}`))
}

/** Waits for CDP no longer than this: the SDK itself has no timeout. What it still does afterwards is ignored. */
export async function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: expiry, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable(new Error(`CDP: silent for ${timeoutMs} ms`))), timeoutMs)
  try {
    return await Promise.race([work, expiry])
  } finally {
    clearTimeout(timer)
  }
}

function unavailable(cause: Error): AppError<'UNAVAILABLE'> {
  return new AppError('UNAVAILABLE', {
    message: 'The wallet provider is not available. Nothing was changed; try again later.',
    cause,
  })
}

function plainWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined
}
