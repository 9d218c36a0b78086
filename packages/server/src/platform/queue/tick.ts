import type { BaseLogger } from 'pino'
import type { Database } from '../db/database.ts'
import { withLease } from './lease.ts'

export type TickHandler = (signal: AbortSignal) => Promise<void>

export interface Tick {
  start(): void
  /** Runs it once, now, unless it is running somewhere. */
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
}

/** Something to look after every few seconds: at once after the start, and in one process at a time. A failed tick is followed by the next. */
export function createTick({ db, name, seconds, handler, log }: TickOptions): Tick {
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> | undefined

  const runNow = async (): Promise<void> => {
    await withLease({ db, name, work: handler })
  }

  const runOnTime = (): void => {
    if (current !== undefined) return
    current = runNow()
      .catch((error) => log.error({ err: error, tick: name }, 'tick failed'))
      .finally(() => {
        current = undefined
      })
  }

  return {
    runNow,
    start() {
      timer = setInterval(runOnTime, seconds * 1000)
      runOnTime()
    },
    async stop() {
      clearInterval(timer)
      await current
    },
  }
}
