import { chown, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import type { Connection } from '../connection.ts'
import type { DataDirectory } from '../data-directory.ts'
import { StartupError } from '../startup-error.ts'
import { initialiseCluster, replaceCluster } from './postgres-cluster.ts'
import { existingCluster, findPostgresHome, removeOutside } from './postgres-home.ts'
import { stopLeftover } from './postgres-leftover.ts'
import { type PostgresServer, startServer, stopServer } from './postgres-server.ts'

/** A socket address has about 100 bytes, so the directory is short and does not lie in the data directory. */
const socketDirPrefix = '/tmp/postgres-'
const startAttempts = 5
const startAttemptDelayMs = 200
const restartDelayMs = { first: 100, most: 2_000 } as const

export interface EmbeddedPostgres {
  readonly connection: Connection
  /** Where its files are. */
  readonly cluster: string
  stop(): Promise<void>
}

interface EmbeddedPostgresOptions {
  /** The lock on the directory is what makes this process the only master of the cluster in it. */
  dataDir: DataDirectory
  log: BaseLogger
  /** False for a throw-away cluster that need not survive a crash. */
  isDurable?: boolean
  /** Called as soon as a process of PostgreSQL is at work. */
  onSpawn?: () => void
}

/**
 * A PostgreSQL server of our own: made on first use, started with the service and started again whenever it dies,
 * reachable through a unix socket that only its account and root can open.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, isDurable = true, onSpawn } = options
  const home = await findPostgresHome(dataDir.path)
  await initialiseCluster(home, isDurable, onSpawn)

  const socketDir = await mkdtemp(socketDirPrefix)
  if (home.account !== undefined) await chown(socketDir, home.account.uid, home.account.gid)
  const logFile = join(dataDir.path, 'postgres.log')
  const start = () => startServer({ home, socketDir, logFile, isDurable, onSpawn })

  const startFirst = async () => {
    await endFormer(home.cluster, log)
    return start()
  }
  let server = await tryRepeatedly(startFirst).catch(async (error) => {
    await rm(socketDir, { recursive: true })
    throw new StartupError(`The embedded database did not start; see ${logFile}`, { cause: error })
  })
  const stopping = new AbortController()
  const { signal } = stopping
  const keepRunning = async () => {
    while (!signal.aborted) {
      await server.exited
      if (signal.aborted) return
      log.error('the database ended unexpectedly and is started again')
      server = (await restart({ start, log, signal })) ?? server
    }
    await stopServer(server)
  }
  const supervision = keepRunning()

  return {
    connection: { host: socketDir, port: 5432, user: 'postgres', database: 'postgres' },
    cluster: home.cluster,
    async stop() {
      stopping.abort()
      await stopServer(server)
      await supervision
      await rm(socketDir, { recursive: true, force: true })
    },
  }
}

/** The next start in this directory finds a copy of the given backup; what was there is gone. */
export async function beginWithBackup(
  { path }: DataDirectory,
  backup: string,
  log: BaseLogger,
): Promise<void> {
  const home = await findPostgresHome(path)
  await endFormer(home.cluster, log)
  await replaceCluster(home, backup)
}

/** For a data directory that goes: what a killed process has left of its database is ended, and goes too. */
export async function discardDatabase({ path }: DataDirectory, log: BaseLogger): Promise<void> {
  const cluster = await existingCluster(path)
  if (cluster === undefined) return
  await endFormer(cluster, log)
  await removeOutside(cluster)
}

async function endFormer(cluster: string, log: BaseLogger): Promise<void> {
  const leftSocketDir = await stopLeftover(cluster, log)
  const folder = leftSocketDir && resolve(leftSocketDir)
  if (folder?.startsWith(socketDirPrefix)) await rm(folder, { recursive: true, force: true })
}

/**
 * What a killed service left behind may still be moving: backends that hold the memory of their server for a moment,
 * or a server that it had begun to start with its last breath.
 */
async function tryRepeatedly(start: () => Promise<PostgresServer>): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (attempt === startAttempts) throw error
      await delay(startAttemptDelayMs)
    }
  }
}

interface RestartOptions {
  start: () => Promise<PostgresServer>
  log: BaseLogger
  signal: AbortSignal
}

/** Tries until the server is up, for the disk may be full for an hour. */
async function restart({ start, log, signal }: RestartOptions): Promise<PostgresServer | undefined> {
  for (
    let waitMs: number = restartDelayMs.first;
    !signal.aborted;
    waitMs = Math.min(waitMs * 2, restartDelayMs.most)
  ) {
    try {
      const server = await start()
      log.info('the database is back')
      return server
    } catch (error) {
      log.error({ err: error }, 'the database could not be started')
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}
