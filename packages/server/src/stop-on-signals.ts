import type { Log } from './platform/log/log.ts'

const STOP_LIMIT_MS = 10_000
const SAME_SIGNAL_MS = 1_000

/**
 * The first signal finishes what is under way; a second one, or ten seconds, ends the process at once. One Ctrl-C arrives
 * several times: from the terminal, and from every process in between that passes it on. Those count as one.
 */
export function stopOnSignals(signals: readonly NodeJS.Signals[], log: Log, end: () => Promise<void>): void {
  let stoppingSinceMs: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSinceMs = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await end()
    process.exit(0)
  }
  for (const signal of signals) process.on(signal, () => void stop(signal))
}
