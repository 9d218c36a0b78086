import type { ByteStream } from './port.ts'

interface Options {
  /** The request, and then each piece of its response, come within this time; how long the reader takes does not count. */
  timeoutMs: number
  /** What is thrown where the response fails. */
  failure: (problem: string, cause?: unknown) => Error
}

/** The body of a good response, piece by piece. Leaving it early ends the response. */
export async function* streamResponse(
  request: (signal: AbortSignal) => Promise<Response>,
  { timeoutMs, failure }: Options,
): ByteStream & AsyncGenerator<Uint8Array, void> {
  const ending = new AbortController()
  const inTime = async <T>(step: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => ending.abort(new Error('timeout')), timeoutMs)
    try {
      return await step
    } catch (error) {
      throw failure('it did not get through', error)
    } finally {
      clearTimeout(timer)
    }
  }
  try {
    const response = await inTime(request(ending.signal))
    if (!response.ok) throw failure(String(response.status))
    const reader = response.body?.getReader()
    while (reader) {
      const { done, value } = await inTime(reader.read())
      if (done) return
      yield value
    }
  } finally {
    ending.abort()
  }
}

/** The whole body, unless it is larger. */
export async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array | 'too large'> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the rest of the response.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) return 'too large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
