// The first sandbox of an installation, made while the web page is being built: the service then begins with a copy of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'

/** The build of the page takes 850 MB at its most, a sandbox that is being made 520. */
const BOTH_BYTES = 2 * 1024 ** 3

/**
 * Runs to its end what is built beside the service for this. A start does without what could not be prepared, so there is no
 * outcome. Once the signal is aborted it ends, with its database.
 */
export async function prepareSandbox({ nodePath, env, service, cwd, signal }) {
  const program = join(dirname(service), 'prepare.mjs')
  // A service that runs from its sources takes no copies.
  if (!existsSync(program) || memoryBytes() < BOTH_BYTES) return
  const child = spawn(nodePath, [program], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  await once(child, 'exit').catch(() => undefined)
  signal.removeEventListener('abort', stop)
}

/** What is available, in the container or on the machine. macOS counts as taken what it would give. */
const memoryBytes = () =>
  process.platform === 'darwin' ? totalmem() : (process.availableMemory?.() ?? totalmem())
