import { AppError } from '@agent-marketplace/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseJsonBody } from './json-body.ts'

/** What is read into memory is there within this time. */
export const BODY_TIMEOUT_MS = 30_000

/** As Node does it for requests of all kinds, which here must be as long as the largest file takes. */
export function limitBodyTime(
  { server }: FastifyInstance,
  raw: FastifyRequest['raw'],
  response: FastifyReply['raw'],
  timeoutMs = BODY_TIMEOUT_MS,
): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
  if (raw.complete || (length === '0' && encoding === undefined)) return
  const error = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const timer = setTimeout(() => server.emit('clientError', error(), raw.socket), timeoutMs)
  const clear = () => clearTimeout(timer)
  raw.once('end', clear)
  // A request that is refused may have a body that nobody reads to its end.
  response.once('finish', clear).once('close', clear)
}

export interface Parsed {
  value?: unknown
  error?: AppError
}

/** A body that cannot be read is refused only after its call was counted. */
export function tryParse(rawBody: Buffer | undefined): Parsed {
  if (!rawBody || rawBody.length === 0) return {}
  try {
    return { value: parseJsonBody(rawBody) }
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}
