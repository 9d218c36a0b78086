import type { IncomingMessage } from 'node:http'
import { leaveRoom } from '../http/limits/room.ts'
import {
  createGuardedRequest,
  explainFailure,
  type GuardedRequestOptions,
  type OutgoingMessage,
} from './guarded-request.ts'

export type GuardedCall = (message: OutgoingMessage) => Promise<CallResult>

/** A response with as much of its text as was to be read, or why there is none. */
export type CallResult =
  | { kind: 'response'; status: number; text: string; end: 'WHOLE' | 'TOO_LARGE' | 'CUT_OFF' }
  | { kind: 'failure'; why: string }

export interface GuardedCallOptions extends GuardedRequestOptions {
  /** For everything: the name, the connection, the response and its text. */
  timeoutMs: number
  /** How much of the text is read; 0 reads nothing of it. */
  readLimitBytes: (response: { status: number; addresses: readonly string[] }) => number
}

/** A guarded request whose response is text. A slow or endless one ends with the limits. */
export function createGuardedCall({
  timeoutMs,
  readLimitBytes,
  ...options
}: GuardedCallOptions): GuardedCall {
  const request = createGuardedRequest(options)
  return async (message) => {
    leaveRoom()
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const { response, addresses } = await request(message, signal)
      const status = response.statusCode ?? 0
      const limit = readLimitBytes({ status, addresses })
      const read = limit === 0 ? ({ text: '', end: 'WHOLE' } as const) : await readText(response, limit)
      response.destroy()
      return { kind: 'response', status, ...read }
    } catch (error) {
      const why = signal.aborted ? `No response within ${timeoutMs / 1000} s.` : explainFailure(error)
      return { kind: 'failure', why }
    }
  }
}

/** The status has been heard; what goes wrong with the rest of the response does not change it. */
async function readText(
  response: IncomingMessage,
  limitBytes: number,
): Promise<{ text: string; end: 'WHOLE' | 'TOO_LARGE' | 'CUT_OFF' }> {
  const chunks: Buffer[] = []
  let size = 0
  const read = () => Buffer.concat(chunks).subarray(0, limitBytes).toString('utf8')
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limitBytes) return { text: read(), end: 'TOO_LARGE' }
    }
  } catch {
    return { text: read(), end: 'CUT_OFF' }
  }
  return { text: read(), end: 'WHOLE' }
}

/** Text of strangers in one line, for an owner to read. */
export function excerptOf(text: string, maxCharacters: number): string {
  return text
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
}
