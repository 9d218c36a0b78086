import type { BaseLogger } from 'pino'

/** The floor under the wake-up messages: retries come due and messages get lost without one. */
const pollIntervalMs = 2_000

export interface Worker {
  wake(): void
  /** Resolves when the jobs under way are done; no further one is begun. */
  stop(): Promise<void>
}

interface WorkerOptions {
  name: string
  concurrency: number
  /** Works on one job, calling back as soon as it has found one; false when there is none. */
  runNext: (onFound: () => void) => Promise<boolean>
  log: BaseLogger
}

/** Works through the jobs of one task: sleeps while there are none, and runs up to `concurrency` side by side. */
export function startWorker({ name, concurrency, runNext, log }: WorkerOptions): Worker {
  const lanes = new Set<Promise<void>>()
  let isStopped = false
  let wasWokenWhileBusy = false

  const runLane = async (): Promise<void> => {
    try {
      while (!isStopped) {
        // One job found means that there may be more: another lane looks for the next one.
        if (await runNext(wake)) continue
        if (!wasWokenWhileBusy) return
        wasWokenWhileBusy = false
      }
    } catch (error) {
      log.warn({ err: error, task: name }, 'queue not reached; trying again soon')
    }
  }

  const wake = (): void => {
    if (isStopped) return
    if (lanes.size >= concurrency) {
      wasWokenWhileBusy = true
      return
    }
    const lane = runLane().finally(() => lanes.delete(lane))
    lanes.add(lane)
  }

  const poll = setInterval(wake, pollIntervalMs)
  wake()
  return {
    wake,
    async stop() {
      isStopped = true
      clearInterval(poll)
      await Promise.all(lanes)
    },
  }
}
