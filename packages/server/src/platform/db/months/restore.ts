import type { Database } from '../database.ts'
import type { Queryable } from '../queryable.ts'
import { sql } from '../sql.ts'
import type { Transaction } from '../transaction.ts'
import { listColumns } from './archive.ts'
import { readArchive } from './archive-file.ts'
import { attach, createLike, LOCK_TIMEOUT_MS, listMonthlyTables, type Partition } from './partitions.ts'

export interface RestoredMonth {
  partition: string
  rows: number
  /** Rows that belong to something that was deleted since. */
  orphans: number
}

/** Brings a month back from its archive, all of it or nothing. */
export function restoreMonth(db: Database, file: string): Promise<RestoredMonth> {
  return db.transaction((tx) => restoreIn(tx, file), { lockTimeoutMs: LOCK_TIMEOUT_MS })
}

async function restoreIn(tx: Transaction, file: string): Promise<RestoredMonth> {
  const header = await readArchive(file, async ({ table, partition, columns }) => {
    await createLike(tx, table, partition)
    // Columns that have gone since are left out; new ones get their defaults.
    const known = await listColumns(tx, partition)
    const kept = columns.filter((column) => known.includes(column))
    return (rows) => insertRows(tx, partition, kept, rows)
  })
  const { table, partition: name } = header
  const orphans = await removeOrphans(tx, table, name)
  const from = header.from === null ? null : new Date(header.from)
  await attachFilled(tx, table, { name, from, to: new Date(header.to) })
  return { partition: name, rows: header.rows - orphans, orphans }
}

/** The bound is checked before, so that the lock on the other partitions is not held while the rows are read. */
async function attachFilled(tx: Transaction, table: string, partition: Partition): Promise<void> {
  const key = (await listMonthlyTables(tx)).find(({ name }) => name === table)?.key
  if (key === undefined) throw new Error(`There is no table ${table} with months.`)
  const [month, column] = [sql.ident(partition.name), sql.ident(key)]
  const start = partition.from ? sql`${column} >= ${sql.moment(partition.from)} and` : sql``
  await tx.run(sql`
    alter table ${month} add constraint bounds check (${column} is not null and ${start} ${column} < ${sql.moment(partition.to)})`)
  await attach(tx, table, partition)
  await tx.run(sql`alter table ${month} drop constraint bounds`)
}

async function insertRows(
  tx: Queryable,
  partition: string,
  columns: readonly string[],
  rows: readonly string[],
): Promise<void> {
  const [month, names] = [sql.ident(partition), sql.join(columns.map(sql.ident), sql`, `)]
  await tx.run(sql`
    insert into ${month} (${names})
    select ${names} from jsonb_populate_recordset(null::${month}, ${`[${rows.join(',')}]`}::jsonb)`)
}

/** What was deleted since would have taken these rows with it. */
async function removeOrphans(tx: Queryable, table: string, partition: string): Promise<number> {
  const keys = await tx.rows<{ column: string; target: string; targetColumn: string }>(sql`
    select own.attname as column, c.confrelid::regclass::text as target, other.attname as target_column
    from pg_constraint c
    join pg_attribute own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
    join pg_attribute other on other.attrelid = c.confrelid and other.attnum = c.confkey[1]
    where c.conrelid = to_regclass(${table}) and c.contype = 'f'`)
  let removed = 0
  for (const { column, target, targetColumn } of keys)
    removed += await tx.run(sql`
      delete from ${sql.ident(partition)} gone where ${sql.ident(column)} is not null and not exists (
        select 1 from ${sql.ident(target)} kept where kept.${sql.ident(targetColumn)} = gone.${sql.ident(column)})`)
  return removed
}
