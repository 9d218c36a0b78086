import type { BaseLogger } from 'pino'
import type { Database } from '../database.ts'
import type { Queryable } from '../queryable.ts'
import { type Sql, sql } from '../sql.ts'
import { archiveMonth } from './archive.ts'
import {
  addMonth,
  detach,
  dropPartition,
  listDetached,
  listMonthlyTables,
  listPartitions,
  listStrayMonths,
  type MonthlyTable,
  monthStart,
  type Partition,
} from './partitions.ts'

/** Whole months behind the present one that have a partition: two may fail to be made before a third is needed. */
const MONTHS_AHEAD = 3

/** Held while months are made, taken out or brought back: by one process at a time. */
export const MONTHS_LEASE = 'months'

/** How long the rows of a table are kept. */
export interface Retention {
  table: string
  /** A month that ended before it goes; undefined keeps all of them. */
  keptSince: () => Date | undefined
  /** A month with such a row stays. */
  neededWhile?: Sql | undefined
}

interface KeepMonths {
  db: Database
  retentions: readonly Retention[]
  now: Date
  /** Where months are written before they go; without it they just go. */
  archiveDirectory: string | undefined
  log: BaseLogger
  /** Aborted when somebody else may have begun with the same, or the process stops. */
  signal?: AbortSignal | undefined
}

/** What could not be done now; the next turn tries again. */
export interface MonthProblem {
  table: string
  error: unknown
}

/** Makes the partitions of coming months, and removes those whose time is over. One table that fails stops no other. */
export async function keepMonths({
  db,
  retentions,
  now,
  archiveDirectory: directory,
  log,
  signal,
}: KeepMonths): Promise<MonthProblem[]> {
  const problems: MonthProblem[] = []
  const attempt = (table: string, work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => void problems.push({ table, error }))

  async function archive(month: Partition & { parent: string }, directory: string): Promise<void> {
    log.info(await archiveMonth(db, month, { directory, signal }), 'month archived')
  }

  async function remove(table: string, partition: Partition): Promise<void> {
    signal?.throwIfAborted()
    if (directory !== undefined) {
      await detach(db, table, partition)
      return archive({ parent: table, ...partition }, directory)
    }
    await dropPartition(db, partition.name)
    log.info({ partition: partition.name }, 'month removed')
  }

  async function removeExpired(retention: Retention): Promise<void> {
    const { table } = retention
    for (const partition of await listExpired(db, retention)) await attempt(table, remove(table, partition))
  }

  for (const table of await listMonthlyTables(db)) {
    signal?.throwIfAborted()
    await attempt(table.name, addMissing(db, table, now))
    const retention = retentions.find((one) => one.table === table.name)
    if (retention) await attempt(table.name, removeExpired(retention))
    await attempt(table.name, analyzeDaily(db, table))
  }
  // What an earlier turn had taken out and could not write.
  if (directory !== undefined)
    for (const month of await listDetached(db)) {
      signal?.throwIfAborted()
      await attempt(month.parent, archive(month, directory))
    }
  // What was broken off is no problem of its table.
  signal?.throwIfAborted()
  return problems
}

/** PostgreSQL looks at each partition by itself, but never at all of them together, by which a query over months is planned. */
async function analyzeDaily(db: Database, { name }: MonthlyTable): Promise<void> {
  const { isDue } = await db.one<{ isDue: boolean }>(sql`
    select coalesce(last_analyze, '-infinity') < now() - interval '1 day' as is_due
    from pg_stat_user_tables where relid = ${name}::regclass`)
  if (isDue) await db.run(sql`analyze ${sql.ident(name)}`)
}

/** Months that were taken out of their tables and are not in a file yet. */
export async function listUnarchived(db: Queryable): Promise<string[]> {
  return (await listDetached(db)).map(({ name }) => name)
}

async function addMissing(db: Database, table: MonthlyTable, now: Date): Promise<void> {
  const partitions = await listPartitions(db, table.name)
  const isCovered = (time: Date) =>
    partitions.some(({ from, to }) => (from === null || from <= time) && time < to)
  const ahead = Array.from({ length: MONTHS_AHEAD + 1 }, (_, later) => monthStart(now, later))
  const wanted = new Map([...ahead, ...(await listStrayMonths(db, table))].map((time) => [+time, time]))
  for (const start of wanted.values()) if (!isCovered(start)) await addMonth(db, table, start)
}

/** The months whose time is over, and that nothing needs any more. */
export async function listExpired(
  db: Queryable,
  { table, keptSince, neededWhile }: Retention,
): Promise<Partition[]> {
  const since = keptSince()
  if (since === undefined) return []
  const expired: Partition[] = []
  for (const partition of await listPartitions(db, table)) {
    if (partition.to > since) continue
    const { isNeeded } = neededWhile
      ? await db.one<{ isNeeded: boolean }>(
          sql`select exists (select 1 from ${sql.ident(partition.name)} where ${neededWhile}) as is_needed`,
        )
      : { isNeeded: false }
    if (!isNeeded) expired.push(partition)
  }
  return expired
}

/** How many whole months behind the present one every table has a partition for. */
export async function countMonthsAhead(db: Queryable, now: Date): Promise<number> {
  const tables = await listMonthlyTables(db)
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const partitions = await listPartitions(db, name)
      const isCovered = (later: number) => {
        const time = monthStart(now, later)
        return partitions.some(({ from, to }) => (from === null || from <= time) && time < to)
      }
      let count = 0
      while (isCovered(count + 1)) count += 1
      return count
    }),
  )
  return Math.min(...counts)
}
