import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Writable } from 'node:stream'

let guard: Writable | undefined

/** The process gets a SIGTERM when this one is gone, also when this one was killed. */
export function endWithUs(child: ChildProcess): void {
  if (child.pid === undefined) return
  guard ??= startGuard()
  guard.write(`+${child.pid}\n`)
  child.once('exit', () => guard?.write(`-${child.pid}\n`))
}

function startGuard(): Writable {
  const started = spawn(process.execPath, [join(import.meta.dirname, 'guard.mjs')], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A Ctrl-C must not reach it before this process is gone.
    detached: true,
  })
  started.unref()
  const input = started.stdin as Writable & { unref?: () => void }
  input.unref?.()
  // Where the guard itself was killed, nothing is guarded.
  input.on('error', () => undefined)
  return input
}
