import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { spawnService } from '../../../testing/processes/spawn-service.ts'
import type { Connection } from '../connection.ts'
import { type DataDirectory, lockDataDirectory } from '../data-directory.ts'
import { createDatabase, type Database } from '../database.ts'
import { sql } from '../sql.ts'
import { StartupError } from '../startup-error.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { canEnter, findAccount } from './postgres-account.ts'
import { findPostgresHome, reachableBinaries } from './postgres-home.ts'
import { readPostmasterFile } from './postgres-leftover.ts'

const log = pino({ level: 'silent' })
const isRoot = process.getuid?.() === 0
let seed: string
let directory: string
let cleanUps: (() => Promise<unknown>)[]

beforeAll(async () => {
  seed = await makeDirectory()
  cleanUps = []
  const { stop } = await start({ path: seed })
  await stop()
})
afterAll(() => rm(seed, { recursive: true }))

beforeEach(async () => {
  cleanUps = []
  directory = await makeDirectory()
  cleanUps.push(() => rm(directory, { recursive: true }))
  // A copy costs a tenth of what initdb does.
  await promisify(execFile)('cp', ['-a', join(seed, 'postgres'), directory])
})
afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

/** As a fresh data directory is: others may pass through. */
async function makeDirectory(): Promise<string> {
  const path = await mkdtemp('/tmp/embedded-')
  await chmod(path, 0o711)
  return path
}

interface Running {
  postgres: EmbeddedPostgres
  db: Database
  dataDir: DataDirectory
  cluster: string
  stop(): Promise<void>
}

/** Without waiting for the disk, except where a server is going to be killed. */
async function start({ path = directory, isDurable = false } = {}): Promise<Running> {
  const dataDir = lockDataDirectory(path)
  const postgres = await startEmbeddedPostgres({ dataDir, log, isDurable })
  const { cluster } = await findPostgresHome(dataDir.path)
  const db = open(postgres.connection)
  let isRunning = true
  const stop = async () => {
    if (!isRunning) return
    isRunning = false
    await db.close()
    await postgres.stop()
    dataDir.release()
  }
  cleanUps.push(stop)
  return { postgres, db, dataDir, cluster, stop }
}

function open(connection: Connection): Database {
  return createDatabase({ connection, poolSize: 4, log })
}

async function writeNote(db: Database, text: string): Promise<void> {
  await db.run(sql`create table if not exists note (text text)`)
  await db.run(sql`insert into note values (${text})`)
}

const readNotes = (db: Database) => db.rows(sql`select text from note`)

const startTimeOf = (db: Database) => db.one(sql`select pg_postmaster_start_time()::text as time`)

/** A ping is no proof: a process of the killed server may serve an open connection for a moment longer. */
async function untilRestarted(db: Database, before: unknown): Promise<void> {
  await expect.poll(() => startTimeOf(db).catch(() => before), { interval: 20 }).not.toEqual(before)
}

async function pidOf(cluster: string): Promise<number> {
  return (await readPostmasterFile(cluster))?.pid ?? expect.unreachable('no server')
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

describe('the embedded database', () => {
  test('keeps its data from one start to the next, and leaves no process or socket behind', async () => {
    const first = await start()
    await writeNote(first.db, 'kept')
    const pid = await pidOf(first.cluster)
    const socketDir = String(first.postgres.connection.host)
    expect((await stat(socketDir)).mode & 0o777).toBe(0o700)
    await first.stop()
    expect(isGone(pid)).toBe(true)
    expect(existsSync(socketDir)).toBe(false)

    const second = await start()
    expect(await readNotes(second.db)).toEqual([{ text: 'kept' }])
  })

  test('is durable, speaks UTF-8 and opens no port', async () => {
    const { db } = await start({ isDurable: true })
    expect(
      await db.one(sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('listen_addresses') as addresses, current_setting('server_encoding') as encoding,
        current_setting('timezone') as timezone, lower('ÄÖ') as lower`),
    ).toEqual({ fsync: 'on', commit: 'on', addresses: '', encoding: 'UTF8', timezone: 'UTC', lower: 'äö' })
  })

  test('two run beside each other on two directories', async () => {
    const [first, second] = await Promise.all([
      start({ path: join(directory, 'one') }),
      start({ path: join(directory, 'two') }),
    ])
    await writeNote(first.db, 'first')
    await writeNote(second.db, 'second')
    expect(await readNotes(first.db)).toEqual([{ text: 'first' }])
    expect(await readNotes(second.db)).toEqual([{ text: 'second' }])
  })

  test('comes back by itself after kill -9, twice', async () => {
    const { db, cluster } = await start({ isDurable: true })
    for (const text of ['before', 'between']) {
      await writeNote(db, text)
      const before = await startTimeOf(db)
      const underWay = db.run(sql`select pg_sleep(60)`).catch((error) => error.code)
      const isRunning = sql`select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`
      await expect.poll(() => db.run(isRunning), { interval: 5 }).toBe(1)
      process.kill(await pidOf(cluster), 'SIGKILL')
      expect(await underWay).toBe('UNAVAILABLE')
      await untilRestarted(db, before)
    }
    expect(await readNotes(db)).toEqual([{ text: 'before' }, { text: 'between' }])
  })

  test('can be stopped while it is dead', async () => {
    const running = await start()
    const pid = await pidOf(running.cluster)
    process.kill(pid, 'SIGKILL')
    await running.stop()
    expect(isGone(pid)).toBe(true)
    await start()
  })

  test('an interrupted initdb is simply made again', async () => {
    await rm(join(directory, 'postgres'), { recursive: true })
    const draft = join(directory, 'postgres.new-old')
    await mkdir(draft)
    await writeFile(join(draft, 'PG_VERSION'), '18\n')
    const { db } = await start()
    await db.ping()
    expect(existsSync(draft)).toBe(false)
  })

  test('a cluster that cannot start is one clear line', async () => {
    const { cluster, stop } = await start()
    await stop()
    await writeFile(join(cluster, 'PG_VERSION'), '9\n')
    const dataDir = lockDataDirectory(directory)
    const error = await startEmbeddedPostgres({ dataDir, log }).catch((thrown) => thrown)
    dataDir.release()
    expect(error).toBeInstanceOf(StartupError)
    expect(error.userMessage).toMatch(/^The embedded database did not start; see .*postgres\.log$/)
  })

  test('a stale process id that belongs to somebody else is neither obeyed nor harmed', async () => {
    const { cluster, stop } = await start()
    await stop()
    const { uid, gid } = await stat(cluster)
    const stranger = spawn('/bin/sleep', ['600'], { uid, gid, stdio: 'ignore' })
    cleanUps.push(async () => stranger.kill())
    await writeFile(
      join(cluster, 'postmaster.pid'),
      `${stranger.pid}\n${cluster}\n1700000000\n5432\n/nowhere\n\n0 0\nready\n`,
    )
    await chown(join(cluster, 'postmaster.pid'), uid, gid)
    const { db } = await start()
    await db.ping()
    expect(stranger.exitCode).toBeNull()
    expect(stranger.signalCode).toBeNull()
  })
})

describe('a service that was killed', () => {
  test('leaves its database to the next start, which stops it and goes on with its data', async () => {
    const killed = await spawnService(directory)
    const db = open(killed.connection ?? expect.unreachable('not started'))
    await writeNote(db, 'kept')
    await db.close()
    const { cluster } = await findPostgresHome(directory)
    const pid = await pidOf(cluster)
    await killed.end('SIGKILL')
    expect(isGone(pid)).toBe(false)

    const next = await start()
    expect(await pidOf(cluster)).not.toBe(pid)
    expect(existsSync(String(killed.connection?.host))).toBe(false)
    expect(await readNotes(next.db)).toEqual([{ text: 'kept' }])
  })

  test('starts again also when its database was killed with it', async () => {
    const killed = await spawnService(directory)
    const db = open(killed.connection ?? expect.unreachable('not started'))
    await writeNote(db, 'kept')
    await db.close()
    const { cluster } = await findPostgresHome(directory)
    process.kill(await pidOf(cluster), 'SIGKILL')
    await killed.end('SIGKILL')
    const next = await start()
    expect(await readNotes(next.db)).toEqual([{ text: 'kept' }])
  })

  test('ends cleanly on SIGTERM', async () => {
    const service = await spawnService(directory)
    const { cluster } = await findPostgresHome(directory)
    await service.end('SIGTERM')
    expect(service.process.exitCode).toBe(0)
    expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false)
  })
})

describe('a data directory in use', () => {
  test('is refused in one clear line, and the first service goes on', async () => {
    const { db } = await start()
    const second = await spawnService(directory)
    expect(second.connection).toBeUndefined()
    expect(second.refusal).toMatch(
      /^The data directory \S+ is in use by another running service \(process \d+\)\.$/,
    )
    expect(second.refusal).toContain(String(process.pid))
    expect(() => lockDataDirectory(directory)).toThrow(StartupError)
    await db.ping()
  })
})

describe('the account of the database', () => {
  if (!isRoot) {
    test('is our own when we are not root', async () => {
      const { cluster } = await start()
      expect((await stat(cluster)).uid).toBe(process.getuid?.())
    })
    return
  }

  test('is not root', async () => {
    const { cluster, db } = await start()
    expect((await stat(cluster)).uid).not.toBe(0)
    expect(dirname(cluster)).toBe(directory)
    await db.ping()
  })

  test('reaches a cluster outside when only root can enter the data directory', async () => {
    await chmod(directory, 0o700)
    const path = join(directory, 'inner')
    const first = await start({ path })
    cleanUps.splice(1, 0, () => rm(dirname(first.cluster), { recursive: true }))
    expect(first.cluster.startsWith(directory)).toBe(false)
    await writeNote(first.db, 'kept')
    await first.stop()
    const second = await start({ path })
    expect(second.cluster).toBe(first.cluster)
    expect(await readNotes(second.db)).toEqual([{ text: 'kept' }])
  })

  test('never starts empty in place of a cluster that is gone', async () => {
    await writeFile(join(directory, 'postgres-location'), '/var/lib/agent-marketplace/gone/postgres\n')
    await expect(findPostgresHome(directory)).rejects.toThrow(/is not at .*gone.* to start empty/)
  })

  test('gets a copy of programs that only root can reach', async () => {
    const account = (await findAccount(undefined)) ?? expect.unreachable('root needs an account')
    const version = `test-${process.pid}`
    const native = join(directory, 'package', 'native')
    await chmod(directory, 0o700)
    await mkdir(join(native, 'bin'), { recursive: true })
    await writeFile(join(native, '..', 'package.json'), JSON.stringify({ version }))
    await writeFile(join(native, 'bin', 'postgres'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const copies = await Promise.all([1, 2].map(() => reachableBinaries(join(native, 'bin'), account)))
    cleanUps.push(() => rm(dirname(copies[0] ?? ''), { recursive: true }))
    expect(copies[0]).toBe(copies[1])
    expect(await canEnter(copies[0] ?? '', account)).toBe(true)
    expect(await readFile(join(copies[0] ?? '', 'postgres'), 'utf8')).toContain('exit 0')
  })

  test('is the one who runs the service when that is not root', async () => {
    const account = (await findAccount(undefined)) ?? expect.unreachable('root needs an account')
    const { binaries } = await findPostgresHome(directory)
    await chown(directory, account.uid, account.gid)
    const service = await spawnService(directory, account)
    cleanUps.push(() => service.end('SIGTERM'))
    if (binaries.startsWith('/var/lib')) {
      expect(service.refusal).toMatch(/set DATABASE_URL/)
      return
    }
    const db = open(service.connection ?? expect.unreachable(service.refusal))
    await db.ping()
    await db.close()
    expect((await stat(join(directory, 'postgres'))).uid).toBe(account.uid)
  })
})
