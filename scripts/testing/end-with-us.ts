import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Writable } from 'node:stream'

let guard: Writable | undefined

/** Sends the child a SIGTERM when this process is gone, even if this one was killed. */
export function endWithUs(child: ChildProcess): void {
  if (child.pid === undefined) return
  guard ??= startGuard()
  guard.write(`+${child.pid}\n`)
  child.once('exit', () => guard?.write(`-${child.pid}\n`))
}

function startGuard(): Writable {
  const started = spawn(process.execPath, [join(import.meta.dirname, 'guard.mjs')], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C must not reach it: it has to outlive this process.
    detached: true,
  })
  started.unref()
  const input = started.stdin as Writable & { unref?: () => void }
  input.unref?.()
  // If the guard itself was killed, nothing is guarded any more.
  input.on('error', () => undefined)
  return input
}
