type End = () => Promise<void> | void

const ends: End[] = []
let isListening = false
let isEnding = false

/**
 * A long run that is interrupted ends what it has started, the latest first, and only then itself. A second signal changes
 * nothing, and an end that fails keeps no other from its own.
 */
export function endOnSignals(end: End): void {
  ends.push(end)
  if (isListening) return
  isListening = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, endAll)
}

async function endAll(): Promise<void> {
  if (isEnding) return
  isEnding = true
  // What the run was doing fails now, because its database goes.
  process.on('uncaughtException', () => undefined)
  for (let end = ends.pop(); end; end = ends.pop()) {
    try {
      await end()
    } catch (error) {
      console.error(error)
    }
  }
  process.exit(130)
}
