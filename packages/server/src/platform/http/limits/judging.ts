import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { AppError } from '@agent-marketplace/contract'
import { isRead, type Leave, type Overload } from './overload.ts'
import { holdRoom } from './room.ts'

/**
 * What is under way comes first. A hire needs a dozen steps of the database, and each of them would wait for a turn of the
 * event loop that is full of reads and of refusals, which cost as much.
 */
const READS_PER_TURN = 32
const REFUSALS_PER_TURN = 32

/** Nothing was done for a request that is refused with this. */
export const overloaded = new AppError('UNAVAILABLE', {
  message: 'The service has more requests than it can handle. Nothing was done; try again.',
})

export interface Judging {
  /** Rejects where the request is refused. Resolves when it is its turn; undefined where that is now. */
  turnOf(request: IncomingMessage): Promise<void> | undefined
  /** Its body is read now: the time until it is there is its caller's. */
  awaitBody(request: IncomingMessage): void
  /** Nothing but waiting or sending is left of it, such as a stream: it takes no room. */
  leave(request: IncomingMessage): void
  refusedCount(): number
}

/** Judges every request when it is read from its connection. Calls from inside are part of one that was let in. */
export function judgeRequests(server: Server, overload: Overload): Judging {
  const refused = new WeakSet<IncomingMessage>()
  const inside = new WeakMap<IncomingMessage, Leave>()
  const waiting = new WeakSet<IncomingMessage>()
  const bodyMs = new WeakMap<IncomingMessage, number>()
  let refusedCount = 0
  const leave = (request: IncomingMessage): void => {
    inside.get(request)?.({ bodyMs: bodyMs.get(request) ?? 0, isDone: !waiting.has(request) })
    inside.delete(request)
  }
  const judge = (request: IncomingMessage, response: ServerResponse): void => {
    const leaveRoom = overload.enter(request.method ?? '')
    if (leaveRoom === undefined) return void refused.add(request)
    inside.set(request, leaveRoom)
    holdRoom(() => leave(request))
    response.once('close', () => leave(request))
  }
  server.prependListener('request', judge)
  server.prependListener('checkExpectation', judge)
  const readTurn = createTurns(READS_PER_TURN)
  const refusalTurn = createTurns(REFUSALS_PER_TURN)
  const refuse = async (): Promise<void> => {
    refusedCount += 1
    await refusalTurn()
    throw overloaded
  }
  const begin = async (request: IncomingMessage, turn: Promise<void>): Promise<void> => {
    waiting.add(request)
    await turn
    waiting.delete(request)
  }
  return {
    turnOf(request) {
      if (refused.has(request)) return refuse()
      if (!inside.has(request) || !isRead(request.method)) return undefined
      const turn = readTurn(() => !inside.has(request))
      return turn && begin(request, turn)
    },
    awaitBody(request) {
      if (request.complete) return
      const sinceMs = performance.now()
      request.once('end', () => bodyMs.set(request, performance.now() - sinceMs))
    },
    leave,
    refusedCount: () => refusedCount,
  }
}

interface Waiter extends PromiseWithResolvers<void> {
  hasGone: () => boolean
}

/**
 * Lets so many begin in each turn of the event loop, the first of them at once, and the others in their order. One that has
 * gone meanwhile takes nobody's place.
 */
function createTurns(perTurn: number): (hasGone?: () => boolean) => Promise<void> | undefined {
  const waiters: Waiter[] = []
  let begun = 0
  const nextTurn = (): void => {
    begun = 0
    while (begun < perTurn) {
      const waiter = waiters.shift()
      if (waiter === undefined) break
      if (waiter.hasGone()) waiter.reject(overloaded)
      else {
        begun += 1
        waiter.resolve()
      }
    }
    if (begun > 0) setImmediate(nextTurn)
  }
  return (hasGone = () => false) => {
    if (begun < perTurn) {
      if (begun === 0) setImmediate(nextTurn)
      begun += 1
      return undefined
    }
    const waiter = { ...Promise.withResolvers<void>(), hasGone }
    waiters.push(waiter)
    return waiter.promise
  }
}
