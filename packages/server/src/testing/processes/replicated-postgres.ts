import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { Connection } from '../../platform/db/connection.ts'
import { lockDataDirectory } from '../../platform/db/data-directory.ts'
import { createDatabase, type Database } from '../../platform/db/database.ts'
import { startEmbeddedPostgres } from '../../platform/db/embedded/embedded-postgres.ts'
import { sql } from '../../platform/db/sql.ts'
import { PATIENCE_MS } from '../patience.ts'
import { dataHome } from './data-home.ts'
import { makeStandby } from './make-standby.ts'

const log = pino({ level: 'silent' })

export interface Standby {
  connection: Connection
  /** It goes on receiving the log, and shows nothing new. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

export interface ReplicatedPostgres {
  primary: { db: Database; connection: Connection }
  standby: Standby
  close(): Promise<void>
}

/** A primary and a streaming standby, both begun as copies of the stopped cluster that the test run has prepared. */
export async function startReplicatedPostgres(preparedCluster: string): Promise<ReplicatedPostgres> {
  const directory = await mkdtemp(join(dataHome(), 'replicated-'))
  await chmod(directory, 0o711)

  const start = async (name: string, follows?: Connection) => {
    const path = join(directory, name)
    await mkdir(path)
    await chmod(path, 0o711)
    const cluster = join(path, 'postgres')
    await promisify(execFile)('cp', ['-pR', preparedCluster, cluster])
    if (follows) await makeStandby(cluster, follows)
    const dataDir = lockDataDirectory(path)
    const postgres = await startEmbeddedPostgres({ dataDir, log, isDurable: false })
    const stop = async () => {
      await postgres.stop()
      dataDir.release()
    }
    return { connection: postgres.connection, stop }
  }

  const primary = await start('primary')
  const standby = await start('standby', primary.connection)
  const db = openDatabase(primary.connection)
  const standbyDb = openDatabase(standby.connection)
  const untilPaused = (isPaused: boolean) =>
    expect
      .poll(() =>
        standbyDb.one(sql`select pg_is_wal_replay_paused() as is_paused,
        pg_get_wal_replay_pause_state() = 'paused' as has_stopped`),
      )
      .toEqual({ isPaused, hasStopped: isPaused })
  let isRunning = true
  const stopStandby = async () => {
    if (!isRunning) return
    isRunning = false
    await standbyDb.close()
    await standby.stop()
  }

  return {
    primary: { db, connection: primary.connection },
    standby: {
      connection: standby.connection,
      async pause() {
        await standbyDb.run(sql`select pg_wal_replay_pause()`)
        await untilPaused(true)
      },
      async resume() {
        await standbyDb.run(sql`select pg_wal_replay_resume()`)
        await untilPaused(false)
      },
      stop: stopStandby,
    },
    async close() {
      await stopStandby()
      await db.close()
      await primary.stop()
      await rm(directory, { recursive: true })
    },
  }
}

const openDatabase = (connection: Connection): Database =>
  createDatabase({
    connection,
    poolSize: 25,
    log,
    connectTimeoutMs: PATIENCE_MS,
    statementTimeoutMs: PATIENCE_MS,
  })
