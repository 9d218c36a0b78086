import pg from 'pg'
import type { Cluster } from '../../failover/cluster/cluster.ts'
import type { Machine } from '../../failover/cluster/machines.ts'
import { waitFor } from '../../failover/wait.ts'

const REPLAY_LIMIT_MS = 60_000

/** Every table with its rows and a digest of what is in them. */
export type Content = Record<string, string>

export async function withClient<T>(
  { databaseUrl }: Cluster,
  { host, ports }: Machine,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(databaseUrl)
  url.host = `${host}:${ports.postgres}`
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 5_000 })
  // Its server may be killed.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readContent(client: pg.Client): Promise<Content> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`)
  const content: Content = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ found: string }>(`
      select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '-') as found
      from ${name} t`)
    content[name] = rows[0]?.found ?? ''
  }
  return content
}

/** The moment as PostgreSQL writes it, and what is in the tables. Nobody may write meanwhile. */
export const noteMoment = (cluster: Cluster): Promise<{ moment: string; content: Content }> =>
  onPrimary(cluster, async (client) => {
    const { rows } = await client.query<{ now: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as now`,
    )
    return { moment: rows[0]?.now ?? '', content: await readContent(client) }
  })

export async function onPrimary<T>(cluster: Cluster, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient(cluster, await cluster.postgres.primary(), work)
}

/** What is in the members that should not, or the other way round, once they have replayed what the primary has. */
export async function compareMembers(cluster: Cluster, expected?: Content): Promise<string[]> {
  const primary = await cluster.postgres.primary()
  const [end, wanted] = await withClient(cluster, primary, async (client) => {
    const { rows } = await client.query<{ end: string }>('select pg_current_wal_lsn()::text as end')
    return [rows[0]?.end, expected ?? (await readContent(client))]
  })
  const problems: string[] = []
  for (const machine of cluster.machines.all)
    await withClient(cluster, machine, async (client) => {
      if (machine !== primary) await untilReplayed(client, machine, end)
      problems.push(...differences(machine, wanted, await readContent(client)))
    })
  return problems
}

/** How often a member could not archive a segment. */
export async function countArchiveFailures(cluster: Cluster): Promise<number> {
  let failures = 0
  for (const machine of cluster.machines.all)
    failures += await withClient(cluster, machine, async (client) => {
      const { rows } = await client.query('select failed_count::int as count from pg_stat_archiver')
      return rows[0].count
    })
  return failures
}

async function untilReplayed(client: pg.Client, { name }: Machine, end: string | undefined): Promise<void> {
  await waitFor(`${name} to replay the log`, REPLAY_LIMIT_MS, async () => {
    const { rows } = await client.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_done', [end])
    return rows[0].is_done
  })
}

function differences({ name }: Machine, wanted: Content, found: Content): string[] {
  return [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
    .filter((table) => wanted[table] !== found[table])
    .map((table) => `${table} of ${name} has ${found[table]}, not ${wanted[table]}`)
}
