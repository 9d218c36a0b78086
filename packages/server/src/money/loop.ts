import type { BaseLogger } from 'pino'

export interface Loop {
  start(): void
  /** There may be work: the next turn begins at once, or right after the one that is under way. */
  wake(): void
  /** Resolves when the turn that is under way is done. */
  stop(): Promise<void>
}

/** So many failed turns in a row are more than a bad moment. */
const STUCK_AFTER = 10

interface LoopOptions {
  name: string
  pollMs: number
  log: BaseLogger
  /** True when there may be more to do at once. */
  turn: () => Promise<boolean>
  /** Called once when it fails again and again; once more only after it has worked in between. */
  onStuck: (error: unknown) => void | Promise<void>
}

/** Turns without end: at once while there is work, else when woken or when the pause is over. A failed turn only pauses. */
export function createLoop({ name, pollMs, log, turn, onStuck }: LoopOptions): Loop {
  let isRunning = false
  let isWoken = false
  let failures = 0
  let endPause = () => {}
  let done: Promise<void> | undefined

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const succeed = (hasMore: boolean): boolean => {
    failures = 0
    return hasMore
  }

  const fail = async (error: unknown): Promise<boolean> => {
    if (!isRunning) return false
    failures += 1
    log.error({ err: error, loop: name }, 'a turn of the money engine failed')
    if (failures === STUCK_AFTER) await onStuck(error)
    return false
  }

  const run = async (): Promise<void> => {
    while (isRunning) {
      isWoken = false
      const hasMore = await turn().then(succeed, fail)
      if (isRunning && !hasMore && !isWoken) await pause()
    }
  }

  return {
    start() {
      isRunning = true
      done ??= run()
    },
    wake() {
      isWoken = true
      endPause()
    },
    async stop() {
      isRunning = false
      endPause()
      await done
      done = undefined
    },
  }
}
