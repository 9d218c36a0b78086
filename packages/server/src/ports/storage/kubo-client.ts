import { AppError } from '@agent-marketplace/contract'
import type { ByteStream } from './port.ts'
import { readAtMost, streamResponse } from './response-stream.ts'

interface KuboClientOptions {
  url: string
  authorization?: string | undefined
  timeoutMs?: number
}

type Reply =
  | { ok: true; lines: unknown[] }
  /** Kubo's own message, for the caller to distinguish errors; it goes no further. */
  | { ok: false; status: number; message: string }

export interface KuboClient {
  /** A call that returns a few lines of JSON. */
  ask(command: string, query: Record<string, string>, file?: Blob): Promise<Reply>
  /** A call that returns bytes. Reading stops as soon as there are more than the limit. */
  read(command: string, query: Record<string, string>, maxBytes: number): Promise<Uint8Array | 'too large'>
  /** The same, piece by piece. */
  stream(command: string, query: Record<string, string>): ByteStream
}

const maxResponseBytes = 64 * 1024

/** Kubo's RPC over HTTP. Every call, with its whole response, ends within the timeout; of a stream, each piece comes within it. */
export function createKuboClient({ url, authorization, timeoutMs = 30_000 }: KuboClientOptions): KuboClient {
  const base = baseOf(url)
  type Query = Record<string, string>
  const request = (command: string, query: Query, { file, signal }: { file?: Blob; signal: AbortSignal }) =>
    fetch(`${base}/api/v0/${command}?${new URLSearchParams(query)}`, {
      method: 'POST',
      headers: authorization === undefined ? {} : { authorization },
      body: file === undefined ? null : formOf(file),
      // A redirect would carry the files and the credential to wherever it points.
      redirect: 'error',
      signal,
    })

  const ask = (command: string, query: Query, file?: Blob): Promise<Reply> =>
    reaching(command, async () => {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await request(command, query, { signal, ...(file && { file }) })
      const bytes = await readAtMost(response, maxResponseBytes)
      if (bytes === 'too large') throw unavailable(`${command}: a response without end`)
      const text = Buffer.from(bytes).toString()
      if (!response.ok) return { ok: false, status: response.status, message: text }
      return { ok: true, lines: text.split('\n').filter(Boolean).map(parseJson) }
    })

  return {
    ask,

    read: (command, query, maxBytes) =>
      reaching(command, async () => {
        const response = await request(command, query, { signal: AbortSignal.timeout(timeoutMs) })
        if (response.ok) return await readAtMost(response, maxBytes)
        await response.body?.cancel()
        throw unavailable(`${command}: ${response.status}`)
      }),

    stream: (command, query) =>
      streamResponse((signal) => request(command, query, { signal }), {
        timeoutMs,
        failure: (problem, cause) => unavailable(`${command}: ${problem}`, cause),
      }),
  }
}

async function reaching<T>(command: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof AppError ? error : unavailable(`${command} did not get through`, error)
  }
}

/** Errors of fetch quote the address, so it must hold no password. */
function baseOf(url: string): string {
  const { username, password, origin, pathname } = new URL(url)
  if (username !== '' || password !== '')
    throw new TypeError('Give the credential of the Kubo node apart from its address')
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** A file of this disk is sent piece by piece. */
function formOf(file: Blob): FormData {
  const form = new FormData()
  form.append('file', file, 'file')
  return form
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** What went wrong stays in `cause`, for the log; the credential is in none of it. */
export function unavailable(problem: string, cause?: unknown): AppError<'UNAVAILABLE'> {
  return new AppError('UNAVAILABLE', {
    message: 'The file storage is not available. Nothing was changed; try again later.',
    cause: new Error(`Kubo: ${problem}`, { cause }),
  })
}
