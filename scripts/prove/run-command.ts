import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command, Ended } from './goal.ts'

/** Runs a command to its end, or to the end of its time; its processes go with it. */
export async function runCommand({ line, minutesAtMost }: Command, root: string): Promise<Ended> {
  const child = spawn(line, {
    cwd: root,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LONG_RUN: 'proof', NO_COLOR: '1' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const stop = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }
  const timer = setTimeout(stop, minutesAtMost * 60_000)
  const interrupt = (): void => {
    stop()
    process.exit(130)
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    // Without a code it was ended by a signal: its time was over.
    const [exitCode] = await once(child, 'close')
    return { exitCode, output }
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}
