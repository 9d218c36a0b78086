import { createHmac } from 'node:crypto'
import { AppError } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'

const DEFAULT_TIMEOUT_MS = 5_000

export interface SumsubCredentials {
  url: string
  appToken: string
  secretKey: string
}

interface SumsubResponse {
  ok: boolean
  status: number
  /** Undefined when the response is no JSON. */
  body: unknown
}

export interface SumsubClient {
  send(method: 'GET' | 'POST', path: string, body?: object): Promise<SumsubResponse>
}

/** Requests as Sumsub wants them: each is signed with its time, method, path and bytes. */
export function createSumsubClient(
  options: SumsubCredentials & { clock: Clock; timeoutMs?: number },
): SumsubClient {
  const { url, appToken, secretKey, clock, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  return {
    async send(method, path, body) {
      const payload = body === undefined ? '' : JSON.stringify(body)
      const seconds = String(Math.floor(clock.now().getTime() / 1000))
      const signature = createHmac('sha256', secretKey)
        .update(seconds + method + path + payload)
        .digest('hex')
      try {
        const response = await fetch(new URL(path, url), {
          method,
          headers: {
            Accept: 'application/json',
            'Content-Type': 'application/json',
            'X-App-Token': appToken,
            'X-App-Access-Ts': seconds,
            'X-App-Access-Sig': signature,
          },
          body: body === undefined ? undefined : payload,
          // A redirect would carry the token to wherever it points.
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        })
        return { ok: response.ok, status: response.status, body: parseJson(await response.text()) }
      } catch (cause) {
        throw unavailable(`${method} did not get through`, cause)
      }
    },
  }
}

/** What went wrong stays in `cause`, for the log; it names no secret and nothing about the applicant. */
export function unavailable(problem: string, cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', {
    message: 'The identity verification provider is not available. Nothing was changed; try again later.',
    cause: new Error(`Sumsub: ${problem}`, { cause }),
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
