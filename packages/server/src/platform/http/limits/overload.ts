/** So many under way are never too many, unless the service is slow; then so few. A write takes longer than a read. */
const ALWAYS_ROOM = { reads: 100, writes: 50 } as const
const ROOM_WHEN_SLOW = 10
/** It is slow when even the quickest request of the last half second took longer than this. */
const SLOW_MS = 500
const SLOW_SLICES = 5
/** A request may wait for those before it for as long as this. */
const WAIT_SECONDS = 0.25
/**
 * A burst is worked through, up to so many times the room. It is overload when there has been no room for so long, until
 * nothing was refused for so long.
 */
const BURST_FACTOR = 2
const BURST_MS = 500
const CALM_MS = 1_000
const SLICE_MS = 100
const SLICES_PER_SECOND = 1_000 / SLICE_MS
/**
 * One that is under way for longer waits for something else, such as an agent: it takes no room. While requests are
 * refused, everything takes longer, and only one that is older still is such a one.
 */
const YOUNG_SLICES = 40
const YOUNG_SLICES_IN_OVERLOAD = 100

interface Left {
  /** False for one that went before anything was done for it. */
  isDone?: boolean
}

/** For a request that takes no room any more. */
export type Leave = (left?: Left) => void

export interface Overload {
  /** For a request that has come: what to call when it is done, or undefined where it is to be refused. */
  enter(method: string): Leave | undefined
}

/** The requests that came in a tenth of a second and are still under way, and those that were done in it. */
interface Slice {
  number: number
  underWay: number
  done: number
  quickestMs: number
}

interface Room {
  enter(): Leave | undefined
}

interface OverloadOptions {
  nowMs?: () => number
}

/**
 * Keeps what is let in quick, and refuses the rest at once. Reads and writes have rooms of their own: writes take longer,
 * and neither may push the other out.
 */
export function createOverload({ nowMs = () => performance.now() }: OverloadOptions = {}): Overload {
  const reads = createRoom(nowMs, ALWAYS_ROOM.reads)
  const writes = createRoom(nowMs, ALWAYS_ROOM.writes)
  return { enter: (method) => (isRead(method) ? reads : writes).enter() }
}

export const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'

/** There is room for as many young requests as are done in a quarter of a second, by what was done in the last second. */
function createRoom(nowMs: () => number, alwaysRoom: number): Room {
  const slices: Slice[] = []
  let underWay = 0
  let fullSinceMs: number | undefined
  let refusedAtMs = Number.NEGATIVE_INFINITY
  let isSlow = false

  const sliceAt = (atMs: number): Slice => {
    const number = Math.floor(atMs / SLICE_MS)
    const kept = atMs - refusedAtMs < CALM_MS ? YOUNG_SLICES_IN_OVERLOAD : YOUNG_SLICES
    while (slices[0] && slices[0].number <= number - kept) underWay -= slices.shift()?.underWay ?? 0
    const last = slices.at(-1)
    if (last?.number === number) return last
    const slice = { number, underWay: 0, done: 0, quickestMs: Number.POSITIVE_INFINITY }
    slices.push(slice)
    return slice
  }

  const since = (number: number): Slice[] => slices.filter((slice) => slice.number > number)

  /** Once slow it stays so while requests are refused: they are what made it quick. */
  const judgeSpeed = (number: number, atMs: number): void => {
    const quickestMs = Math.min(...since(number - SLOW_SLICES).map((slice) => slice.quickestMs))
    if (Number.isFinite(quickestMs) && quickestMs > SLOW_MS) isSlow = true
    else if (atMs - refusedAtMs >= CALM_MS) isSlow = false
  }

  const roomAt = (number: number): number => {
    const doneInSecond = since(number - SLICES_PER_SECOND).reduce((sum, { done }) => sum + done, 0)
    return Math.max(isSlow ? ROOM_WHEN_SLOW : alwaysRoom, doneInSecond * WAIT_SECONDS)
  }

  /** Where there is none. */
  const isRefused = (room: number, atMs: number): boolean => {
    fullSinceMs ??= atMs
    const isBurst = underWay < room * BURST_FACTOR && atMs - fullSinceMs < BURST_MS
    return !isBurst || atMs - refusedAtMs < CALM_MS
  }

  const leave = (entered: Slice, enteredAtMs: number, { isDone = true }: Left): void => {
    const atMs = nowMs()
    const slice = sliceAt(atMs)
    if (isDone) {
      slice.done += 1
      slice.quickestMs = Math.min(slice.quickestMs, atMs - enteredAtMs)
    }
    if (!slices.includes(entered)) return
    entered.underWay -= 1
    underWay -= 1
  }

  return {
    enter() {
      const atMs = nowMs()
      const slice = sliceAt(atMs)
      // Most of the time there is room, and nothing to add up.
      if (underWay >= ROOM_WHEN_SLOW) judgeSpeed(slice.number, atMs)
      const room = underWay < ROOM_WHEN_SLOW ? ROOM_WHEN_SLOW : roomAt(slice.number)
      if (underWay < room) fullSinceMs = undefined
      else if (isRefused(room, atMs)) {
        refusedAtMs = atMs
        return undefined
      }
      slice.underWay += 1
      underWay += 1
      return (left = {}) => leave(slice, atMs, left)
    },
  }
}
