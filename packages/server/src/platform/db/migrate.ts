import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { BaseLogger } from 'pino'
import { type Connection, types } from './connection.ts'
import { explainFailure } from './errors.ts'
import { StartupError } from './startup-error.ts'

/** Any number that no other user of this database takes as an advisory lock. */
const lockKey = 7_203_114_905n

export const migrationsDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url))

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
}

/** Brings the schema up to date. Processes that start together wait for each other; each migration runs once, in a transaction of its own. */
export async function migrate({ connection, directory, log }: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(directory)
  // A connection of its own: a migration may take longer than any statement of the service is allowed to.
  const client = new pg.Client({ ...connection, types, connectionTimeoutMillis: 10_000 })
  client.on('error', (error) => log.debug({ err: error }, 'migration connection lost'))
  try {
    await connect(client, connection)
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(`create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
    const { rows } = await client.query<AppliedMigration>(
      'select version, name, checksum from schema_migrations order by version',
    )
    for (const migration of findPending(migrations, rows)) {
      await apply(client, migration)
      log.info({ migration: migration.name }, 'migration applied')
    }
  } catch (error) {
    throw explainFailure(error)
  } finally {
    await client.end().catch(() => undefined)
  }
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

async function apply(client: pg.Client, { version, name, checksum, text }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(text)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    if (explainFailure(error) !== error) throw error
    throw new StartupError(`Migration ${name} failed: ${reasonOf(error)}`, { cause: error })
  }
}
