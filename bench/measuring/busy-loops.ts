import { spawn } from 'node:child_process'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'

/** Keeps so many cores busy with nothing, as other work on the machine would; returns what ends it. */
export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  const end = () => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
  endOnSignals(end)
  return end
}
