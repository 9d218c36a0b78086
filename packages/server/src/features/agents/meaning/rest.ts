import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'

interface RestOptions {
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
  /** For the log: the new state. */
  failing: string
  working: string
  firstSeconds: number
  mostSeconds: number
}

/** Pauses calls after a failure, twice as long after each further one. The log has the first failure and the recovery. */
export function createRest({ clock, log, failing, working, firstSeconds, mostSeconds }: RestOptions) {
  let failures = 0
  let untilMs = 0
  const nowMs = () => clock.now().getTime()
  const isResting = () => nowMs() < untilMs

  return {
    isResting,
    /** Since the last success. */
    isFailing: () => failures > 0,
    failed(error: unknown): void {
      // Calls that were under way together fail together: that is one failure.
      if (isResting()) return
      failures += 1
      untilMs = nowMs() + 1000 * Math.min(mostSeconds, firstSeconds * 2 ** (failures - 1))
      if (failures === 1) log.warn({ err: error }, failing)
    },
    succeeded(): void {
      if (failures > 0) log.info(working)
      failures = 0
      untilMs = 0
    },
  }
}

export type Rest = ReturnType<typeof createRest>
