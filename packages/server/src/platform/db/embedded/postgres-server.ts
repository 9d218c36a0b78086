import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresHome } from './postgres-home.ts'
import { readPostmasterFile } from './postgres-leftover.ts'
import { spawnOptions } from './postgres-tool.ts'

/** Crash recovery replays at most max_wal_size, which takes seconds; a minute means that something is wrong. */
const readyTimeoutMs = 60_000
const readyPollMs = 10
const fastStopTimeoutMs = 10_000
const logSizeLimit = 5_000_000

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  // The narrow rows and indexes that search walks over stay in memory up to some 300,000 agents. Only what was used is resident.
  shared_buffers: '256MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and crashes are logged; failed statements are not, because their values are private.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  // After a crash every file is synced before recovery begins: one call for all took a tenth of the time of one for each.
  ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
} as const

/** A throw-away cluster may lose everything, so it need not wait for the disk. */
const throwAwaySettings = {
  max_connections: '300',
  deadlock_timeout: '100ms',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  // Most databases of a test run are gone before their tables would be worth it.
  autovacuum: 'off',
} as const

export interface PostgresServer {
  readonly process: ChildProcess
  readonly exited: Promise<void>
}

interface ServerOptions {
  home: PostgresHome
  socketDir: string
  logFile: string
  isDurable: boolean
  onSpawn?: () => void
}

/** Resolves when the server responds. Rejects with the end of its log when it does not come up. */
export async function startServer({
  home,
  socketDir,
  logFile,
  isDurable,
  onSpawn,
}: ServerOptions): Promise<PostgresServer> {
  const given = { ...settings, ...(isDurable ? {} : throwAwaySettings), unix_socket_directories: socketDir }
  const args = [
    '-D',
    home.cluster,
    ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const log = await openLog(logFile)
  const child = spawn(join(home.binaries, 'postgres'), args, {
    ...spawnOptions(home.account),
    stdio: ['ignore', log.fd, log.fd],
    // Ctrl-C reaches the whole group: the service wants to finish its requests before the database goes.
    detached: true,
  })
  onSpawn?.()
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  await log.close()

  let hasExited = false
  void exited.then(() => {
    hasExited = true
  })
  const deadline = performance.now() + readyTimeoutMs
  while (!(await isReady(home.cluster, child.pid))) {
    if (hasExited) throw new Error(`PostgreSQL did not start: ${await lastLines(logFile)}`)
    if (performance.now() > deadline) {
      child.kill('SIGQUIT')
      throw new Error(
        `PostgreSQL was not ready within ${readyTimeoutMs / 1000} s: ${await lastLines(logFile)}`,
      )
    }
    await delay(readyPollMs)
  }
  return { process: child, exited }
}

/** A fast stop ends open transactions and writes a checkpoint; a server that hangs is cut off and recovers at its next start. */
export async function stopServer({ process: child, exited }: PostgresServer): Promise<void> {
  child.kill('SIGINT')
  const cutOff = setTimeout(() => child.kill('SIGQUIT'), fastStopTimeoutMs)
  await exited
  clearTimeout(cutOff)
}

async function isReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const file = await readPostmasterFile(cluster)
  return file !== undefined && file.pid === pid && file.status === 'ready'
}

/** The log of earlier starts is kept until it is large. */
async function openLog(path: string): Promise<FileHandle> {
  const log = await open(path, 'a', 0o600)
  const { size } = await log.stat()
  if (size > logSizeLimit) await log.truncate()
  return log
}

async function lastLines(logFile: string): Promise<string> {
  return (await readFile(logFile, 'utf8')).trim().split('\n').slice(-3).join(' | ')
}
