import pg from 'pg'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'

const LARGEST = 10

export interface Storage {
  /** Of all tables with their indexes. */
  bytes: number
  /** The largest first. */
  tables: { name: string; bytes: number; indexBytes: number }[]
}

/** What the tables and their indexes take on disk; partitions count for their table. */
export async function measureStorage(connection: Connection): Promise<Storage> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows: tables } = await client.query<Storage['tables'][number]>(`
      select coalesce(pg_partition_root(oid)::text, relname) as name,
        sum(pg_total_relation_size(oid))::float8 as bytes, sum(pg_indexes_size(oid))::float8 as "indexBytes"
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' group by 1 order by 2 desc`)
    return { bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0), tables }
  } finally {
    await client.end()
  }
}

const MB = 1024 ** 2
const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(2).padStart(10)

/** For each agent, which has one job: all of it, and the largest tables. */
export function formatStorage(measured: readonly { size: number; storage: Storage }[]): string {
  const blocks = measured.map(({ size, storage: { bytes, tables } }) =>
    [
      `${size} agents and as many jobs: ${Math.round(bytes / MB)} MB, ${(bytes / size / 1024).toFixed(2)} kB for each`,
      `${'kB for each'.padEnd(28)}${'all'.padStart(10)}${'indexes'.padStart(10)}`,
      ...tables
        .slice(0, LARGEST)
        .map(
          ({ name, bytes: all, indexBytes }) =>
            `${name.padEnd(28)}${kilobytes(all / size)}${kilobytes(indexBytes / size)}`,
        ),
    ].join('\n'),
  )
  return blocks.join('\n\n')
}
