// The first sandbox of an installation, made while the web page is being built: the service then begins with a copy of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** The build of the page takes 850 MB at its most, a sandbox that is being made 520. */
const BOTH_BYTES = 2 * 1024 ** 3
/** Several times what it takes on a slow machine. */
const LIMIT_MS = 90_000
/** Then it removes what it has begun. */
const ENDING_MS = 5_000

/**
 * Runs what is built beside the service for this, to its end or to its time limit. A start does without what could not be
 * prepared, so there is no outcome. Once the signal is aborted it ends, with its database.
 */
export async function prepareSandbox({
  nodePath,
  env,
  service,
  cwd,
  signal,
  say,
  availableBytes = memoryBytes(),
  sleep = wait,
}) {
  const program = join(dirname(service), 'prepare.mjs')
  // A service that runs from its sources takes no copies.
  if (!existsSync(program) || availableBytes < BOTH_BYTES) return
  const child = spawn(nodePath, [program], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  const ended = new AbortController()
  const limit = endOverdue(child, { say, sleep: (ms) => sleep(ms, undefined, { signal: ended.signal }) })
  await once(child, 'exit').catch(() => undefined)
  ended.abort()
  await limit.catch(() => undefined)
  signal.removeEventListener('abort', stop)
}

async function endOverdue(child, { say, sleep }) {
  await sleep(LIMIT_MS)
  say(`The sandbox was not prepared within ${LIMIT_MS / 1000} seconds, so the start makes it.`)
  child.kill('SIGTERM')
  await sleep(ENDING_MS)
  child.kill('SIGKILL')
}

/** What is available, in the container or on the machine. macOS counts as taken what it would give. */
const memoryBytes = () =>
  process.platform === 'darwin' ? totalmem() : (process.availableMemory?.() ?? totalmem())
