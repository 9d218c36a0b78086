import { access, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database.ts'
import type { Queryable } from '../queryable.ts'
import { type Sql, sql } from '../sql.ts'
import { readArchive, writeArchive } from './archive-file.ts'
import { dropPartition, type Partition } from './partitions.ts'

/** Pages of the table that one statement reads, about four megabytes, or counts: none takes long, however large a month is. */
const READ_PAGES = 500
const COUNTED_PAGES = 50_000

export interface ArchivedMonth {
  partition: string
  file: string
  rows: number
  bytes: number
}

/**
 * Writes a month that was taken out of its table to a compressed file, reads it back, and drops it. Nobody changes it
 * meanwhile. Stopped at any point, it can be done again: the table goes only when the file is whole.
 */
export async function archiveMonth(
  db: Database,
  { parent, name, from, to }: Partition & { parent: string },
  directory: string,
): Promise<ArchivedMonth> {
  const [columns, rows] = await Promise.all([listColumns(db, name), countRows(db, name)])
  await mkdir(directory, { recursive: true })
  const file = await freeNameIn(directory, name)
  const bounds = { from: from?.toISOString() ?? null, to: to.toISOString() }
  const header = { format: 1, table: parent, partition: name, ...bounds, columns, rows } as const
  await writeArchive(`${file}.part`, header, rowsOf(db, name))
  await readArchive(`${file}.part`, async () => async () => undefined)
  await rename(`${file}.part`, file)
  await dropPartition(db, name)
  return { partition: name, file, rows, bytes: (await stat(file)).size }
}

/** Conditions that cover the whole table, some pages each. */
async function rangesOf(db: Queryable, name: string, width: number): Promise<Sql[]> {
  const { pages } = await db.one<{ pages: number }>(sql`
    select (pg_relation_size(to_regclass(${name})) / current_setting('block_size')::bigint)::int as pages`)
  return Array.from({ length: Math.ceil(pages / width) }, (_, index) => {
    const [first, end] = [`(${index * width},0)`, `(${(index + 1) * width},0)`]
    return sql`ctid >= ${first}::tid and ctid < ${end}::tid`
  })
}

async function countRows(db: Queryable, name: string): Promise<number> {
  let rows = 0
  for (const range of await rangesOf(db, name, COUNTED_PAGES)) {
    const { count } = await db.one<{ count: bigint }>(
      sql`select count(*) from ${sql.ident(name)} where ${range}`,
    )
    rows += Number(count)
  }
  return rows
}

export async function listColumns(db: Queryable, name: string): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${name}) and attnum > 0 and not attisdropped order by attnum`)
  return rows.map((row) => row.name)
}

/** An archive is never overwritten: a month that came back and goes again gets a file beside the first. */
async function freeNameIn(directory: string, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const file = join(directory, `${name}${number === 1 ? '' : `.${number}`}.ndjson.gz`)
    const isTaken = await access(file).then(
      () => true,
      () => false,
    )
    if (!isTaken) return file
  }
}

/** Lines, many at a time. */
async function* rowsOf(db: Queryable, name: string): AsyncGenerator<string> {
  for (const range of await rangesOf(db, name, READ_PAGES)) {
    const rows = await db.rows<{ line: string }>(
      sql`select to_jsonb(archived)::text as line from ${sql.ident(name)} archived where ${range}`,
    )
    if (rows.length > 0) yield rows.map(({ line }) => `${line}\n`).join('')
  }
}
