type End = () => Promise<void> | void

const ends: End[] = []

/**
 * A long run that is interrupted ends what it has started, the latest first, and only then itself. A second signal changes
 * nothing.
 */
export function endOnSignals(end: End): void {
  if (ends.length === 0) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, endAll)
  ends.push(end)
}

async function endAll(): Promise<void> {
  const waiting = ends.splice(0)
  if (waiting.length === 0) return
  // What the run was doing fails now, because its database goes.
  process.on('uncaughtException', () => undefined)
  try {
    for (const end of waiting.reverse()) await end()
  } finally {
    process.exit(130)
  }
}
