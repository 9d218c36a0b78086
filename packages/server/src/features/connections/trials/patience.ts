import { setTimeout as delay } from 'node:timers/promises'

const LOOKS = 10
const PAUSE_MS = 1_000
/** No further poll begins after this. */
const PATIENCE_MS = 30_000

/** Polls for as long as a caller waits for a test job. */
export type LookUntil = <Found>(
  found: Found,
  isDone: (found: Found) => boolean,
  look: () => Promise<Found>,
) => Promise<Found>

export function createPatience(endOfWaits: AbortSignal, pauseMs = PAUSE_MS): LookUntil {
  const pause = () => delay(pauseMs, undefined, { signal: endOfWaits }).catch(() => undefined)
  return async (found, isDone, look) => {
    let last = found
    const startedMs = performance.now()
    const mayLook = () => !endOfWaits.aborted && performance.now() - startedMs < PATIENCE_MS
    for (let looks = 0; looks < LOOKS && !isDone(last) && mayLook(); looks += 1) {
      await pause()
      last = await look()
    }
    return last
  }
}
