import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { BaseLogger } from 'pino'
import { type Connection, types } from './connection.ts'
import { explainFailure } from './errors.ts'
import { StartupError } from './startup-error.ts'

/** Any number that no other user of this database takes as an advisory lock. */
const lockKey = 7_203_114_905n

export const migrationsDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url))

/**
 * What waits for a lock on a table holds up everyone who comes after it. So a migration gives up soon, lets the others
 * pass, and tries again.
 */
const lockTimeoutMs = 1_000
const lockPauseMs = 500
const lockAttempts = 240
const turnPauseMs = 100

/** The first line of a file whose statements run one by one, outside a transaction, as `create index concurrently` must. */
const onlineMark = '-- online'

interface Migration {
  version: number
  name: string
  checksum: string
  text: string
}

type AppliedMigration = Omit<Migration, 'text'>

interface MigrateOptions {
  connection: Connection
  directory: string
  log: BaseLogger
  /** Once it is aborted no further migration begins, and this throws. */
  stopping?: AbortSignal | undefined
}

/** Brings the schema up to date. Processes that start together wait for each other; each migration runs once, in a transaction of its own. */
export async function migrate({ connection, directory, log, stopping }: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(directory)
  // A connection of its own: a migration may take longer than any statement of the service is allowed to.
  const client = new pg.Client({ ...connection, types, connectionTimeoutMillis: 10_000 })
  client.on('error', (error) => log.debug({ err: error }, 'migration connection lost'))
  try {
    await connect(client, connection)
    await takeTurn(client, stopping)
    await client.query(`create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
    const { rows } = await client.query<AppliedMigration>(
      'select version, name, checksum from schema_migrations order by version',
    )
    const pending = findPending(migrations, rows)
    const last = pending.at(-1)
    // Those before the last need not wait for the disk one by one: the last commit takes all of them there, in order.
    if (pending.length > 1) await client.query('set synchronous_commit = off')
    for (const migration of pending) {
      stopping?.throwIfAborted()
      if (migration === last) await client.query('reset synchronous_commit')
      await apply(client, migration)
      log.info({ migration: migration.name }, 'migration applied')
    }
  } catch (error) {
    throw explainFailure(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Resolves when no other process migrates. It looks again and again: a statement that waited would keep its view of the
 * database, and an index that the other one builds concurrently would wait for it to end.
 */
async function takeTurn(client: pg.Client, stopping?: AbortSignal): Promise<void> {
  const tryLock = async () =>
    (await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [lockKey]))
      .rows[0]
  while (!(await tryLock())?.isFree) await delay(turnPauseMs, undefined, { signal: stopping })
}

/** The first connection of a start: a wrong address fails with one clear line. */
async function connect(client: pg.Client, { connectionString }: Connection): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    const advice = connectionString === undefined ? '' : ' Check DATABASE_URL.'
    throw new StartupError(`Cannot start: no connection to the database (${reasonOf(error)}).${advice}`, {
      cause: error,
    })
  }
}

/** A host with several addresses fails with one error for each of them, and with no message of its own. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(files.map((file) => readMigration(directory, file)))
  for (const [index, { version, name }] of migrations.entries()) {
    if (version !== index + 1) throw new StartupError(`Migration ${name} should have number ${index + 1}.`)
  }
  return migrations
}

async function readMigration(directory: string, file: string): Promise<Migration> {
  const version = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]
  if (version === undefined)
    throw new StartupError(`Migration ${file} is not named like 0001_first_tables.sql.`)
  const text = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(text).digest('hex')
  return { version: Number(version), name: file.slice(0, -'.sql'.length), checksum, text }
}

function findPending(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  for (const [index, { name, checksum }] of applied.entries()) {
    const known = migrations[index]
    if (known === undefined) {
      throw new StartupError(
        `The database is newer than this program: it has migration ${name}. Start the newer program.`,
      )
    }
    if (known.name !== name || known.checksum !== checksum) {
      throw new StartupError(
        `Migration ${known.name} was changed after the database applied it as ${name}. Restore the file and add a new migration.`,
      )
    }
  }
  return migrations.slice(applied.length)
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const isOnline = migration.text.startsWith(`${onlineMark}\n`)
  try {
    // Each statement of an online migration can be repeated, because a process may die between two of them.
    for (const statement of isOnline ? statementsOf(migration.text) : []) {
      // What runs concurrently waits for open transactions, and nobody waits for it.
      await client.query(`set lock_timeout = ${/\bconcurrently\b/i.test(statement) ? 0 : lockTimeoutMs}`)
      await retryLocks(() => client.query(statement))
    }
    await retryLocks(() => applyWhole(client, migration, isOnline ? '' : migration.text))
  } catch (error) {
    if (explainFailure(error) !== error) throw error
    throw new StartupError(`Migration ${migration.name} failed: ${reasonOf(error)}`, { cause: error })
  }
}

/** Sent as one message: an empty database applies all migrations, and each part sent alone would cost a round trip. */
async function applyWhole(client: pg.Client, migration: Migration, text: string): Promise<void> {
  const { version, name, checksum } = migration
  const applied = [name, checksum].map((value) => client.escapeLiteral(value)).join(', ')
  try {
    await client.query(`
      begin;
      set local lock_timeout = ${lockTimeoutMs};
      ${text}
      ;
      insert into schema_migrations (version, name, checksum) values (${version}, ${applied});
      commit`)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** A statement ends with a semicolon at the end of a line, outside of `$$` bodies. */
const statementsOf = (text: string): string[] =>
  (text.match(/(?:\$(\w*)\$.*?\$\1\$|(?!;[ \t]*$).)+/gms) ?? []).filter((part) => /^\s*[^\s-]/m.test(part))

/** A lock that was not free, or a deadlock that this migration was chosen to end. */
const lockFailures = ['55P03', '40P01']

async function retryLocks(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && lockFailures.includes(error.code ?? '')
      if (!isLocked || attempt === lockAttempts) throw error
      await delay(lockPauseMs)
    }
  }
}
