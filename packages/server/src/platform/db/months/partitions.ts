import type { Database } from '../database.ts'
import type { Queryable } from '../queryable.ts'
import { sql } from '../sql.ts'
import type { Transaction } from '../transaction.ts'

/** What changes the partitions of a table waits this long for those who use it, and leaves it for another time. */
export const LOCK_TIMEOUT_MS = 1_000

/** A table in partitions by month, in UTC. */
export interface MonthlyTable {
  name: string
  /** The column that says which month a row belongs to. */
  key: string
}

export interface Partition {
  name: string
  /** Null: everything before `to`. */
  from: Date | null
  to: Date
}

/** The first moment of the month, or of one so many months later. */
export const monthStart = (time: Date, later = 0): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + later, 1))

const partitionNameOf = (table: string, start: Date): string =>
  `${table}_${start.toISOString().slice(0, 7).replace('-', '_')}`

const defaultOf = (table: string): string => `${table}_default`

/** All there are: the database itself knows them. */
export function listMonthlyTables(db: Queryable): Promise<MonthlyTable[]> {
  return db.rows(sql`
    select c.relname as name, a.attname as key
    from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
    where p.partstrat = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`)
}

/** In the order of time, without the default partition. */
export function listPartitions(db: Queryable, table: string): Promise<Partition[]> {
  const moment = (text: string) => sql`
    case when ${sql.ident(text)} like '%:%' then ${sql.ident(text)}::timestamptz
      else ${sql.ident(text)}::timestamp at time zone 'UTC' end`
  return db.rows(sql`
    select name, ${moment('starts')} as from, ${moment('ends')} as to from (
      select c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([^'']+)''\\)') as starts,
        substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)') as ends
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass(${table}) and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT') bounds
    order by 3`)
}

/** The months of rows that had no partition when they were written. */
export async function listStrayMonths(db: Queryable, { name, key }: MonthlyTable): Promise<Date[]> {
  const rows = await db.rows<{ month: Date }>(sql`
    select distinct date_trunc('month', to_timestamp(extract(epoch from ${sql.ident(key)})), 'UTC') as month
    from ${sql.ident(defaultOf(name))}`)
  return rows.map(({ month }) => month)
}

/** An empty table like the others of it, which belongs to none yet. */
export async function createLike(tx: Transaction, table: string, name: string): Promise<void> {
  await tx.run(sql`create table ${sql.ident(name)} (like ${sql.ident(table)} including all)`)
}

/** Makes the partition of a month, and moves what is waiting for it in the default partition. */
export function addMonth(db: Database, { name: table, key }: MonthlyTable, start: Date): Promise<void> {
  const name = partitionNameOf(table, start)
  const [month, rest, column] = [sql.ident(name), sql.ident(defaultOf(table)), sql.ident(key)]
  const end = monthStart(start, 1)
  return db.transaction(
    async (tx) => {
      await tx.run(sql`lock table ${rest} in access exclusive mode`)
      await createLike(tx, table, name)
      await tx.run(sql`
        with moved as (
          delete from ${rest} where ${column} >= ${sql.moment(start)} and ${column} < ${sql.moment(end)} returning *)
        insert into ${month} select * from moved`)
      await attach(tx, table, { name, from: start, to: end })
    },
    { lockTimeoutMs: LOCK_TIMEOUT_MS },
  )
}

export async function attach(tx: Transaction, table: string, { name, from, to }: Partition): Promise<void> {
  const start = from === null ? sql`minvalue` : sql.moment(from)
  await tx.run(sql`
    alter table ${sql.ident(table)} attach partition ${sql.ident(name)}
    for values from (${start}) to (${sql.moment(to)})`)
}

/** Takes the month out of its table; it is noted until it is archived. */
export function detach(db: Database, table: string, { name, from, to }: Partition): Promise<void> {
  return db.transaction(
    async (tx) => {
      await tx.run(sql`alter table ${sql.ident(table)} detach partition ${sql.ident(name)}`)
      await tx.run(sql`
        insert into detached_months (name, parent, starts_at, ends_at) values (${name}, ${table}, ${from}, ${to})`)
    },
    { lockTimeoutMs: LOCK_TIMEOUT_MS },
  )
}

export function listDetached(db: Queryable): Promise<(Partition & { parent: string })[]> {
  return db.rows(sql`
    select name, parent, starts_at as from, ends_at as to from detached_months order by parent, ends_at`)
}

/** With its rows, whether it belongs to a table or not. When all locks are held, `beforeCommit` can still prevent it. */
export function dropPartition(db: Database, name: string, beforeCommit?: () => Promise<void>): Promise<void> {
  return db.transaction(
    async (tx) => {
      await tx.run(sql`drop table ${sql.ident(name)}`)
      await tx.run(sql`delete from detached_months where name = ${name}`)
      await beforeCommit?.()
    },
    { lockTimeoutMs: LOCK_TIMEOUT_MS },
  )
}
