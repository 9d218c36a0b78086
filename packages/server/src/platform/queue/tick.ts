import { setTimeout as delay } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import type { Database } from '../db/database.ts'
import { withLease } from './lease.ts'

/** How soon a tick that is running elsewhere is asked for again. */
const RETRY_MS = 20

export type TickHandler = (signal: AbortSignal) => Promise<void>

export interface Tick {
  start(): void
  /** Runs it once, now; where it is running already, right after that. */
  runNow(): Promise<void>
  /** Resolves when a tick that is under way is done. */
  stop(): Promise<void>
}

interface TickOptions {
  db: Database
  name: string
  seconds: number
  handler: TickHandler
  log: BaseLogger
  /** Runs the work when it is its turn among all ticks of this process. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

/** Something to look after every few seconds: at once after the start, and in one process at a time. A failed tick is followed by the next. */
export function createTick({ db, name, seconds, handler, log, inTurn }: TickOptions): Tick {
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> | undefined
  let isStopping = false

  const runUnlessRunning = (): Promise<boolean> => withLease({ db, name, work: handler })

  // One that is running may have looked before there was something to do.
  const runNow = async (): Promise<void> => {
    while (!(await runUnlessRunning())) await delay(RETRY_MS)
  }

  const runOnTime = (): void => {
    if (current !== undefined) return
    current = inTurn(async () => !isStopping && (await runUnlessRunning()))
      .then(
        () => undefined,
        (error: unknown) => log.error({ err: error, tick: name }, 'tick failed'),
      )
      .finally(() => {
        current = undefined
      })
  }

  return {
    runNow,
    start() {
      isStopping = false
      timer = setInterval(runOnTime, seconds * 1000)
      runOnTime()
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      await current
    },
  }
}
