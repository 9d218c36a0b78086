import { Readable } from 'node:stream'
import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from '@a2a-js/sdk'
import type { FastifyReply } from 'fastify'

const HEARTBEAT_MS = 15_000
const HEARTBEAT = ': still here\n\n'

/**
 * Sends events as they arrive, with heartbeats in between. It awaits the first event before it sends anything, so that what
 * fails at once gets a response of its own.
 */
export async function sendStream(
  reply: FastifyReply,
  events: AsyncGenerator<unknown, void, undefined>,
  errorOf: (error: unknown) => unknown,
): Promise<FastifyReply> {
  const first = await events.next()
  const { 'Content-Type': type, ...headers } = SSE_HEADERS
  return reply
    .headers(headers)
    .type(type)
    .send(Readable.from(lines(first, events, errorOf)))
}

async function* lines(
  first: IteratorResult<unknown>,
  events: AsyncGenerator<unknown, void, undefined>,
  errorOf: (error: unknown) => unknown,
): AsyncGenerator<string, void, undefined> {
  try {
    let next = first
    while (!next.done) {
      yield formatSSEEvent(next.value)
      const coming = events.next()
      for (;;) {
        const come = await withinHeartbeat(coming)
        if (come) {
          next = come
          break
        }
        yield HEARTBEAT
      }
    }
  } catch (error) {
    yield formatSSEErrorEvent(errorOf(error))
  } finally {
    await events.return()
  }
}

/** Undefined when it takes longer than a heartbeat. */
async function withinHeartbeat<T>(coming: Promise<T>): Promise<T | undefined> {
  const beat = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => beat.resolve(undefined), HEARTBEAT_MS)
  try {
    return await Promise.race([coming, beat.promise])
  } finally {
    clearTimeout(timer)
  }
}
