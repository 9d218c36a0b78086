import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PRIVATE_FOLDER, syncFolder } from '../../disk/private.ts'
import type { Database } from '../database.ts'
import type { Queryable } from '../queryable.ts'
import { type Sql, sql } from '../sql.ts'
import { readArchive, writeArchive } from './archive-file.ts'
import { dropPartition, type Partition } from './partitions.ts'

/** Pages of the table that one statement reads, about four megabytes, or counts: none takes long, however large a month is. */
const READ_PAGES = 500
const COUNTED_PAGES = 50_000

const DRAFT_ENDING = '.part'

export interface ArchivedMonth {
  partition: string
  file: string
  rows: number
  bytes: number
}

/**
 * Writes a month that was taken out of its table to a compressed file, reads it back, and drops it. Only what is deleted
 * takes rows from it meanwhile. Stopped at any point, it can be done again: the table goes only when the file is whole and
 * has its name. Two at once, which a paused process can lead to, write drafts of their own, and one of them fails.
 */
export async function archiveMonth(
  db: Database,
  { parent, name, from, to }: Partition & { parent: string },
  { directory, signal }: { directory: string; signal?: AbortSignal | undefined },
): Promise<ArchivedMonth> {
  const [columns, rows] = await Promise.all([listColumns(db, name), countRows(db, name)])
  if ((await mkdir(directory, { recursive: true, mode: PRIVATE_FOLDER })) !== undefined)
    await syncFolder(dirname(directory))
  await removeDrafts(directory, name)
  const bounds = { from: from?.toISOString() ?? null, to: to.toISOString() }
  const header = { format: 1, table: parent, partition: name, ...bounds, columns, rows } as const
  const draft = join(directory, `${name}.${randomUUID()}${DRAFT_ENDING}`)
  try {
    await writeArchive(draft, header, rowsOf(db, name, signal))
    await readArchive(draft, async () => async () => undefined)
    const file = await freeNameIn(directory, name)
    await dropPartition(db, name, async () => {
      signal?.throwIfAborted()
      await rename(draft, file)
      await syncFolder(directory)
    })
    return { partition: name, file, rows, bytes: (await stat(file)).size }
  } finally {
    // A disk that is full must not stay so.
    await rm(draft, { force: true })
  }
}

/** What was left by a process that died. */
async function removeDrafts(directory: string, name: string): Promise<void> {
  for (const file of await readdir(directory))
    if (file.startsWith(`${name}.`) && file.endsWith(DRAFT_ENDING)) await rm(join(directory, file))
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
  const taken = new Set(await readdir(directory))
  for (let number = 1; ; number += 1) {
    const file = `${name}${number === 1 ? '' : `.${number}`}.ndjson.gz`
    if (!taken.has(file)) return join(directory, file)
  }
}

/** Lines, many at a time. */
async function* rowsOf(db: Queryable, name: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  for (const range of await rangesOf(db, name, READ_PAGES)) {
    signal?.throwIfAborted()
    const rows = await db.rows<{ line: string }>(
      sql`select to_jsonb(archived)::text as line from ${sql.ident(name)} archived where ${range}`,
    )
    if (rows.length > 0) yield rows.map(({ line }) => `${line}\n`).join('')
  }
}
