import { setTimeout as delay } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import type { Database } from '../db/database.ts'
import { withLease } from './lease.ts'

/** How soon a tick that is running elsewhere is requested again. */
const RETRY_MS = 20

/** The signal is aborted when another process may run it now, or this one stops. What is left then is for the next tick. */
export type TickHandler = (signal: AbortSignal) => Promise<void>

export interface Tick {
  start(): void
  /** Runs it once, now; where it is running already, right after that. */
  runNow(): Promise<void>
  /** Resolves when a tick that is under way is done, or has left off. */
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
  let stopping = new AbortController()

  const runUnlessRunning = (...signals: AbortSignal[]): Promise<boolean> =>
    withLease({ db, name, work: (lost) => handler(AbortSignal.any([lost, ...signals])) })

  // One that is running may have looked before there was something to do.
  const runNow = async (): Promise<void> => {
    while (!(await runUnlessRunning())) await delay(RETRY_MS)
  }

  const runOnTime = (): void => {
    if (current !== undefined) return
    const { signal } = stopping
    current = inTurn(async () => !signal.aborted && (await runUnlessRunning(signal)))
      .then(
        () => undefined,
        (error: unknown) => {
          if (!signal.aborted || error !== signal.reason) log.error({ err: error, tick: name }, 'tick failed')
        },
      )
      .finally(() => {
        current = undefined
      })
  }

  return {
    runNow,
    start() {
      stopping = new AbortController()
      timer = setInterval(runOnTime, seconds * 1000)
      runOnTime()
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await current
    },
  }
}
