import type { IncomingMessage, Server } from 'node:http'
import { AppError } from '@agent-marketplace/contract'

/** So many requests under way are never too many. */
const ALWAYS_ROOM = 200
/** A request may wait for those before it for as long as this. */
const WAIT_SECONDS = 0.5
/** A burst is worked through. It is overload when there has been no room for so long, until nothing was refused for so long. */
const BURST_MS = 500
const CALM_MS = 1_000
/** One that is under way for longer waits for something else, such as the chain, or is a stream: it takes no room. */
const YOUNG_MS = 2_000
const SLICE_MS = 100
const SLICES_PER_SECOND = 1_000 / SLICE_MS

/** Nothing was done for a request that is refused with this. */
export const overloaded = new AppError('UNAVAILABLE', {
  message: 'The service has more requests than it can handle. Nothing was done; try again.',
})

export interface Overload {
  /** For a request that has come: what to call when it is done, or undefined where it is to be refused. */
  enter(): (() => void) | undefined
  refusedCount(): number
}

/** The requests that came in a tenth of a second and are still under way, and those that were done in it. */
interface Slice {
  number: number
  underWay: number
  done: number
}

/**
 * Keeps what is let in quick: there is room for as many young requests as the service does in half a second, by what it
 * did in the last one. What comes when there is no room is refused at once, in the order of arrival and whatever it is, so
 * reads and writes keep their shares.
 */
export function createOverload({ nowMs = () => performance.now() }: { nowMs?: () => number } = {}): Overload {
  const slices: Slice[] = []
  let underWay = 0
  let fullSinceMs: number | undefined
  let refusedAtMs = Number.NEGATIVE_INFINITY
  let refused = 0

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

  const hasRoom = (number: number): boolean => {
    if (underWay < ALWAYS_ROOM) return true
    const doneInSecond = slices
      .filter((slice) => slice.number > number - SLICES_PER_SECOND)
      .reduce((sum, { done }) => sum + done, 0)
    return underWay < doneInSecond * WAIT_SECONDS
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
      if (hasRoom(slice.number)) fullSinceMs = undefined
      else {
        fullSinceMs ??= atMs
        if (atMs - fullSinceMs >= BURST_MS || atMs - refusedAtMs < CALM_MS) {
          refusedAtMs = atMs
          refused += 1
          return undefined
        }
      }
      slice.underWay += 1
      underWay += 1
      return () => leave(slice)
    },
    refusedCount: () => refused,
  }
}

/** Judges every request when it is read from its connection. Returns whether one is to be refused. */
export function judgeRequests(server: Server, overload: Overload): (request: IncomingMessage) => boolean {
  const refused = new WeakSet<IncomingMessage>()
  server.prependListener('request', (request, response) => {
    const leave = overload.enter()
    if (leave) response.once('close', leave)
    else refused.add(request)
  })
  return (request) => refused.has(request)
}
