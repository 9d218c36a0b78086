import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@agent-marketplace/contract'

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

/** Waits for the work, but rejects as soon as the service stops, so that the caller gets a response. The work itself goes on. */
export async function untilStop<Result>(endOfWaits: AbortSignal, work: Promise<Result>): Promise<Result> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(stopping)
  if (endOfWaits.aborted) stop()
  endOfWaits.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    endOfWaits.removeEventListener('abort', stop)
  }
}

const stopping = new AppError('UNAVAILABLE', {
  message: 'The service is stopping, and the agent has not responded yet. Send the test job again.',
})
