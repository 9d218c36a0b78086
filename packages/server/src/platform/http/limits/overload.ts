import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { AppError } from '@agent-marketplace/contract'

/** So many reads, and so many writes, under way are never too many. */
const ALWAYS_ROOM = 100
/** A request may wait for those before it for as long as this. */
const WAIT_SECONDS = 0.5
/**
 * A burst is worked through, up to so many times the room. It is overload when there has been no room for so long, until
 * nothing was refused for so long.
 */
const BURST_FACTOR = 2
const BURST_MS = 500
const CALM_MS = 1_000
/** One that is under way for longer waits for something else, such as the chain: it takes no room. */
const YOUNG_MS = 2_000
const SLICE_MS = 100
const SLICES_PER_SECOND = 1_000 / SLICE_MS

/** Nothing was done for a request that is refused with this. */
export const overloaded = new AppError('UNAVAILABLE', {
  message: 'The service has more requests than it can handle. Nothing was done; try again.',
})

export interface Overload {
  /** For a request that has come: what to call when it is done, or undefined where it is to be refused. */
  enter(method: string): (() => void) | undefined
  refusedCount(): number
}

/** The requests that came in a tenth of a second and are still under way, and those that were done in it. */
interface Slice {
  number: number
  underWay: number
  done: number
}

interface Room {
  enter(): (() => void) | undefined
}

interface OverloadOptions {
  nowMs?: () => number
}

/**
 * Keeps what is let in quick, and refuses the rest at once. Reads and writes have rooms of their own: writes take longer,
 * and neither may push the other out.
 */
export function createOverload({ nowMs = () => performance.now() }: OverloadOptions = {}): Overload {
  const reads = createRoom(nowMs)
  const writes = createRoom(nowMs)
  let refused = 0
  return {
    enter(method) {
      const leave = (method === 'GET' || method === 'HEAD' ? reads : writes).enter()
      if (leave === undefined) refused += 1
      return leave
    },
    refusedCount: () => refused,
  }
}

/** There is room for as many young requests as are done in half a second, by what was done in the last one. */
function createRoom(nowMs: () => number): Room {
  const slices: Slice[] = []
  let underWay = 0
  let fullSinceMs: number | undefined
  let refusedAtMs = Number.NEGATIVE_INFINITY

  const sliceAt = (atMs: number): Slice => {
    const number = Math.floor(atMs / SLICE_MS)
    while (slices[0] && slices[0].number <= number - YOUNG_MS / SLICE_MS)
      underWay -= slices.shift()?.underWay ?? 0
    const last = slices.at(-1)
    if (last?.number === number) return last
    const slice = { number, underWay: 0, done: 0 }
    slices.push(slice)
    return slice
  }

  const roomAt = (number: number): number => {
    const doneInSecond = slices
      .filter((slice) => slice.number > number - SLICES_PER_SECOND)
      .reduce((sum, { done }) => sum + done, 0)
    return Math.max(ALWAYS_ROOM, doneInSecond * WAIT_SECONDS)
  }

  /** Where there is none. */
  const isRefused = (room: number, atMs: number): boolean => {
    fullSinceMs ??= atMs
    const isBurst = underWay < room * BURST_FACTOR && atMs - fullSinceMs < BURST_MS
    return !isBurst || atMs - refusedAtMs < CALM_MS
  }

  const leave = (entered: Slice): void => {
    sliceAt(nowMs()).done += 1
    if (!slices.includes(entered)) return
    entered.underWay -= 1
    underWay -= 1
  }

  return {
    enter() {
      const atMs = nowMs()
      const slice = sliceAt(atMs)
      // Most of the time there is room, and nothing to add up.
      const room = underWay < ALWAYS_ROOM ? ALWAYS_ROOM : roomAt(slice.number)
      if (underWay < room) fullSinceMs = undefined
      else if (isRefused(room, atMs)) {
        refusedAtMs = atMs
        return undefined
      }
      slice.underWay += 1
      underWay += 1
      return () => leave(slice)
    },
  }
}

export interface Judging {
  isRefused(request: IncomingMessage): boolean
  /** Its response begins: what is sent from now on, such as a stream, takes no room. */
  leave(request: IncomingMessage): void
}

/** Judges every request when it is read from its connection. */
export function judgeRequests(server: Server, overload: Overload): Judging {
  const refused = new WeakSet<IncomingMessage>()
  const inside = new WeakMap<IncomingMessage, () => void>()
  const leave = (request: IncomingMessage): void => {
    inside.get(request)?.()
    inside.delete(request)
  }
  const judge = (request: IncomingMessage, response: ServerResponse): void => {
    const leaveRoom = overload.enter(request.method ?? '')
    if (leaveRoom === undefined) return void refused.add(request)
    inside.set(request, leaveRoom)
    response.once('close', () => leave(request))
  }
  server.prependListener('request', judge)
  server.prependListener('checkExpectation', judge)
  return { isRefused: (request) => refused.has(request), leave }
}
