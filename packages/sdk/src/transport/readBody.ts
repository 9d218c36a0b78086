import type { Core } from '../core.ts'
import { MarketplaceError } from '../errors.ts'
import { untilSilent } from '../events/untilSilent.ts'

/** Several times the largest file that the service takes. */
const MAX_BYTES = 64 * 1024 * 1024

interface WithBody {
  body: ReadableStream<Uint8Array> | null
}

/** The whole body. One without end is left before it fills the memory. */
export async function readBody({ body }: WithBody): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done || value === undefined) break
    pieces.push(value)
    size += value.length
    if (size <= MAX_BYTES) continue
    await reader?.cancel().catch(() => {})
    throw tooLarge()
  }
  const whole = new Uint8Array(size)
  let end = 0
  for (const piece of pieces) {
    whole.set(piece, end)
    end += piece.length
  }
  return whole
}

/** The body of a response that is handed out before it is read: it may take its time, and not fall silent. */
export function whileItComes({ timeoutMs }: Core, { body }: Response): WithBody {
  return { body: body && untilSilent(body, timeoutMs) }
}

/** The text of a response. One that gives its length ends there, and needs no watching piece by piece. */
export async function readResponseText(response: Response): Promise<string> {
  const { headers } = response
  const length = headers.has('content-encoding') ? null : headers.get('content-length')
  if (length === null) return readText(response)
  if (Number(length) > MAX_BYTES) throw tooLarge()
  return response.text()
}

export async function readText(response: WithBody): Promise<string> {
  return new TextDecoder().decode(await readBody(response))
}

const tooLarge = () =>
  new MarketplaceError('UNEXPECTED_RESPONSE', { message: `The response is larger than ${MAX_BYTES} bytes.` })
