import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, type ErrorCode, rateLimitsPerMinute } from '@agent-marketplace/contract'
import type { Clock } from '../clock/clock.ts'
import { toEnvelope } from './error-envelope.ts'
import type { ClientAddressOf } from './limits/client-address.ts'
import type { Unanswered } from './limits/pipelining.ts'
import { type RateLimiter, rateHeadersOf } from './limits/rate-limit.ts'
import type { Metrics } from './measuring/metrics.ts'
import type { RequestIdOf } from './request-id.ts'

export interface ClientErrorDeps {
  clock: Clock
  limiter: RateLimiter
  metrics: Metrics
  clientAddressOf: ClientAddressOf
  requestIdOf: RequestIdOf
  unanswered: Unanswered
  securityHeaders: Readonly<Record<string, string>>
}

const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const codesOf: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  [TIMED_OUT]: 'REQUEST_TIMEOUT',
}

/**
 * Responds to what is not an HTTP request, or not a complete one. The parser has given up by then, and there is nothing to
 * send through but the bare connection, which ends with the response. If complete requests came before on the connection,
 * only their responses are sent, because the client would take an error for one of them, or for a part of one.
 */
export function createClientErrorHandler(deps: ClientErrorDeps) {
  const ending = new WeakSet<Socket>()
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const last = deps.unanswered.lastOf(socket)
    // While other requests wait to begin, the rest of a head is not read, so its client may have sent it in time.
    if (last?.request.complete && error.code === TIMED_OUT && deps.unanswered.countOf(socket) > 1) return
    if (last?.request.complete) {
      if (!ending.has(socket)) last.response.once('close', () => socket.end())
      ending.add(socket)
      return
    }
    if (last && (last.response.headersSent || deps.unanswered.countOf(socket) > 1)) {
      socket.destroy()
      return
    }
    const refusal = refusalOf(error)
    deps.metrics.countRefusal(refusal.code)
    socket.end(responseTo(deps, refusal, socket))
  }
}

function refusalOf(error: Error & { code?: string }): AppError {
  const code = codesOf[error.code ?? '']
  if (code) return new AppError(code, { cause: error })
  const message = 'The request is not HTTP/1.1 as it should be.'
  const details = { issues: [{ path: '', message }] }
  return new AppError('VALIDATION_ERROR', { message, details, cause: error })
}

function responseTo(deps: ClientErrorDeps, refusal: AppError, socket: Socket): string {
  const requestId = deps.requestIdOf(undefined)
  const body = JSON.stringify(toEnvelope(refusal, { requestId, now: deps.clock.now() }))
  const caller = deps.clientAddressOf({ socket, headers: {} })
  const headers = {
    'x-request-id': requestId,
    ...deps.securityHeaders,
    ...rateHeadersOf(deps.limiter.peek(`api:${caller}`, rateLimitsPerMinute.api)),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`
}
