// Writes old months of tables that grow with traffic to compressed files and removes them, or brings one back. It works
// beside a running service and on a stopped data directory; docs/operations.md says when to use it.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../src/config/config.ts'
import { readConfig } from '../src/config/read-config.ts'
import { type Closer, openData } from '../src/data.ts'
import { openDatabases } from '../src/databases.ts'
import { isPending } from '../src/features/webhooks/sending/delivery-store.ts'
import { createDatabase, type Database } from '../src/platform/db/database.ts'
import { archiveMonth } from '../src/platform/db/months/archive.ts'
import { listExpired, MONTHS_LEASE } from '../src/platform/db/months/keep-months.ts'
import { detach, listDetached, listMonthlyTables, monthStart } from '../src/platform/db/months/partitions.ts'
import { restoreMonth } from '../src/platform/db/months/restore.ts'
import { StartupError } from '../src/platform/db/startup-error.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createScrub } from '../src/platform/log/scrub.ts'
import { withLease } from '../src/platform/queue/lease.ts'
import { isFree, runningConnection } from './join-running.ts'

const usage = 'Say what to archive: --before 2026-01, or what to bring back: --restore FILE.'
const { values } = parseArgs({
  options: { before: { type: 'string' }, table: { type: 'string' }, restore: { type: 'string' } },
})

/** What comes back is checked by single statements, which take as long as a month is large. */
const STATEMENT_TIMEOUT_MS = 3_600_000

async function open(config: Config, closers: Closer[]): Promise<Database> {
  const { log } = createLog({ level: 'error', scrub: createScrub(config.secrets) })
  const isRunning = config.databaseUrl !== undefined || !isFree(config.dataDir)
  const connection = isRunning
    ? await runningConnection(config)
    : (await openDatabases(config, await openData(config, log, closers), log, closers)).connection
  const db = createDatabase({ connection, poolSize: 3, log, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  closers.push(() => db.close())
  return db
}

function readMonth(text: string): Date {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new StartupError(usage)
  return new Date(`${text}-01T00:00:00.000Z`)
}

interface ArchiveOptions {
  before: Date
  directory: string
  signal: AbortSignal
}

/** What ends before the month and is not needed, and what an earlier run has taken out and not written. */
async function archive(db: Database, { before, directory, signal }: ArchiveOptions): Promise<void> {
  // Deliveries are tried for days, so the month before may still be at work.
  if (before > monthStart(new Date(), -1)) throw new StartupError('This month and the one before it stay.')
  const tables = (await listMonthlyTables(db)).filter(({ name }) => (values.table ?? name) === name)
  if (tables.length === 0) throw new StartupError('There is no such table with months.')
  for (const { name: table } of tables) {
    const neededWhile = table === 'webhook_deliveries' ? isPending : undefined
    for (const partition of await listExpired(db, { table, keptSince: () => before, neededWhile }))
      await detach(db, table, partition)
  }
  const months = await listDetached(db)
  if (months.length === 0) console.log(`Nothing that can go ended before ${values.before}.`)
  for (const month of months) {
    const { partition, rows, bytes, file } = await archiveMonth(db, month, { directory, signal })
    console.log(`${partition}: ${rows} rows in ${bytes} bytes, ${file}`)
  }
}

async function restore(db: Database, file: string): Promise<void> {
  const { partition, rows, orphans } = await restoreMonth(db, file)
  console.log(`${partition}: ${rows} rows are back, ${orphans} belong to what was deleted since.`)
}

const closers: Closer[] = []
try {
  if ((values.before === undefined) === (values.restore === undefined)) throw new StartupError(usage)
  const before = values.before === undefined ? undefined : readMonth(values.before)
  const config = readConfig(process.env)
  const db = await open(config, closers)
  const directory = config.archiveDirectory ?? join(config.dataDir, 'archive')
  const wasFree = await withLease({
    db,
    name: MONTHS_LEASE,
    async work(signal) {
      if (before) await archive(db, { before, directory, signal })
      if (values.restore !== undefined) await restore(db, values.restore)
    },
  })
  if (!wasFree) throw new StartupError('A worker is busy with its months. Try again in a minute.')
} catch (error) {
  console.error(error instanceof StartupError ? error.userMessage : error)
  process.exitCode = 1
} finally {
  for (const close of closers.reverse()) await close()
}
