import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Unanswered } from './limits/pipelining.ts'

/** What requests under way may take. With the notice before and what is closed after, a stop takes less than ten seconds. */
const LIMIT_MS = 5_000

export interface DrainOptions {
  /** For how long new requests are still served, so that a balancer sees `/health/ready` return 503 and sends no more. */
  noticeMs?: number
  pause?: (durationMs: number) => Promise<unknown>
}

export interface Drain {
  /** True from the first moment of a stop. */
  hasBegun(): boolean
  /** True where its connection is to end with the response: a stop has begun, and nothing further has come on it. */
  endsConnection(request: IncomingMessage): boolean
  /** Aborted once nothing may be waited for any more: a request then returns what there is, and what comes does not wait. */
  endOfWaits: AbortSignal
  /** Counts the requests under way. Before the server listens. */
  watch(server: Server, unanswered: Pick<Unanswered, 'heldCount' | 'lastOf'>): void
  /** Resolves when every request has its response, or the time for that is over. Returns whether all have it. */
  run(server: Server): Promise<boolean>
}

/** How a server stops: it gives notice, ends what its requests wait for, and closes when all of them have their responses. */
export function createDrain({ noticeMs = 0, pause = pauseFor }: DrainOptions = {}): Drain {
  const waits = new AbortController()
  const unused = new Set<Socket>()
  let hasBegun = false
  let underWay = 0
  let lastOf: Unanswered['lastOf'] = () => undefined

  return {
    hasBegun: () => hasBegun,
    endsConnection: (request) => hasBegun && lastOf(request.socket)?.request === request,
    endOfWaits: waits.signal,

    watch(server, unanswered) {
      lastOf = unanswered.lastOf
      const closeIdle = server.closeIdleConnections.bind(server)
      // Node takes a connection for idle once its response is written, and would cut what is not sent yet.
      server.closeIdleConnections = () => {
        if (underWay === 0 && unanswered.heldCount() === 0) closeIdle()
      }
      const begin = (request: IncomingMessage, response: ServerResponse): void => {
        underWay += 1
        unused.delete(request.socket)
        response.once('close', () => {
          underWay -= 1
          // One whose head was sent before the stop leaves a connection that stays open.
          if (!server.listening) server.closeIdleConnections()
        })
      }
      server.on('connection', (socket) => {
        unused.add(socket)
        socket.once('close', () => unused.delete(socket))
      })
      server.prependListener('request', begin)
      server.prependListener('checkExpectation', begin)
    },

    async run(server) {
      hasBegun = true
      const unusedBefore = [...unused]
      if (noticeMs > 0) await pause(noticeMs)
      // What has arrived by now is read first: then it is under way, and its connection is not idle.
      await nextTurn()
      waits.abort()
      // Browsers open connections ahead of need, and Node does not take one for idle that was never used.
      for (const socket of unusedBefore) if (socket.bytesRead === 0) socket.destroy()
      const closed = new Promise<boolean>((resolve) => server.close(() => resolve(true)))
      const isDone = await Promise.race([closed, pause(LIMIT_MS).then(() => false)])
      if (!isDone) server.closeAllConnections()
      await closed
      return isDone
    },
  }
}

const pauseFor = (durationMs: number): Promise<void> => delay(durationMs, undefined, { ref: false })
