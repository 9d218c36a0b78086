import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isRead, type Leave, type Overload } from './overload.ts'
import { overloaded } from './overloaded.ts'
import { holdRoom } from './room.ts'
import { createTurns } from './turns.ts'

/**
 * What is under way comes first. A hire needs a dozen steps of the database, and each of them would wait for a turn of the
 * event loop that is full of reads and of refusals, which cost as much.
 */
const READS_PER_TURN = 32
const REFUSALS_PER_TURN = 32
/** Each takes memory while it waits for its turn. Where there are more, a connection is closed instead. */
const MOST_WAITING_REFUSALS = 2_000

export interface Judging {
  /** Rejects where the request is refused. Resolves when it is its turn; undefined where that is now. */
  turnOf(request: IncomingMessage): Promise<void> | undefined
  /** Its body is read now. Until that is there it takes no room, and then it is judged once more. */
  awaitBody(request: IncomingMessage): void
  /** Rejects where there was no room for it when its body had come. */
  refusalOf(request: IncomingMessage): Promise<never> | undefined
  /** For a request that is never refused: it takes no room from others, and how long it takes is not counted. */
  exempt(request: IncomingMessage): void
  /**
   * Nothing but waiting or sending is left of it, so it takes no room. The time of a request that a rate limit refused does
   * not count: it is short, however slow the service is.
   */
  leave(request: IncomingMessage, left?: { isRefused?: boolean }): void
  refusedCount(): number
}

/** Judges every request when it is read from its connection. Calls from inside are part of one that was let in. */
export function judgeRequests(server: Server, overload: Overload): Judging {
  const refused = new WeakSet<IncomingMessage>()
  const inside = new WeakMap<IncomingMessage, Leave>()
  const waiting = new WeakSet<IncomingMessage>()
  const awaited = new WeakSet<IncomingMessage>()
  let refusedCount = 0
  const enter = (request: IncomingMessage): void => {
    const leaveRoom = overload.enter(request.method ?? '')
    if (leaveRoom) inside.set(request, leaveRoom)
    else refused.add(request)
  }
  const leave = (request: IncomingMessage, isDone: boolean): void => {
    inside.get(request)?.({ isDone })
    inside.delete(request)
  }
  const end = (request: IncomingMessage, { isRefused = false } = {}): void => {
    awaited.delete(request)
    leave(request, !waiting.has(request) && !isRefused)
  }
  const judge = (request: IncomingMessage, response: ServerResponse): void => {
    enter(request)
    if (refused.has(request)) return
    holdRoom(() => end(request))
    response.once('close', () => end(request))
  }
  server.prependListener('request', judge)
  server.prependListener('checkExpectation', judge)
  const readTurn = createTurns(READS_PER_TURN)
  const refusalTurn = createTurns(REFUSALS_PER_TURN)
  const refuse = async ({ socket }: IncomingMessage): Promise<never> => {
    refusedCount += 1
    if (refusalTurn.waitingCount() >= MOST_WAITING_REFUSALS) socket.destroy()
    if (!socket.destroyed) await refusalTurn.take(() => socket.destroyed)
    throw overloaded
  }
  const begin = async (request: IncomingMessage, turn: Promise<void>): Promise<void> => {
    waiting.add(request)
    await turn
    waiting.delete(request)
  }
  return {
    exempt: (request) => leave(request, false),
    turnOf(request) {
      if (refused.has(request)) return refuse(request)
      if (!inside.has(request) || !isRead(request.method)) return undefined
      const turn = readTurn.take(() => !inside.has(request))
      return turn && begin(request, turn)
    },
    awaitBody(request) {
      if (request.complete || isRead(request.method)) return
      // Most bodies come with their heads, and are read by then.
      setImmediate(() => {
        if (request.complete || !inside.has(request)) return
        awaited.add(request)
        leave(request, false)
        // Before it is parsed and checked.
        request.prependOnceListener('end', () => {
          if (awaited.delete(request)) enter(request)
        })
      })
    },
    refusalOf: (request) => (refused.has(request) ? refuse(request) : undefined),
    leave: end,
    refusedCount: () => refusedCount,
  }
}
