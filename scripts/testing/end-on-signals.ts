/** A long run that is interrupted ends what it has started, and only then itself. A second signal changes nothing. */
export function endOnSignals(end: () => Promise<void> | void): void {
  let isEnding = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, async () => {
      if (isEnding) return
      isEnding = true
      // What the run was doing fails now, because its database goes.
      process.on('uncaughtException', () => undefined)
      try {
        await end()
      } finally {
        process.exit(130)
      }
    })
}
