import pg from 'pg'

/** Nonces are removed after five minutes: a copy of each is written in the same transaction, and stays. */
const keepCopies = `
  create table kept_nonces (nonce text primary key);
  create function keep_nonce() returns trigger language plpgsql as $$
    begin insert into kept_nonces values (new.nonce); return null; end $$;
  create trigger keep_nonce after insert on auth_nonces for each row execute function keep_nonce()`

export const keepNonces = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async (client) => void (await client.query(keepCopies)))

/** Those of the acknowledged nonces that the database does not have. */
export function findLostNonces(databaseUrl: string, acknowledged: ReadonlySet<string>): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ nonce: string }>(
      'select nonce from unnest($1::text[]) nonce where nonce not in (select nonce from kept_nonces)',
      [[...acknowledged]],
    )
    return rows.map(({ nonce }) => nonce)
  })
}

/** How often agents were looked up on the members that are standbys now. Only the service's reads of replicas do that. */
export async function countStandbyReads(memberUrls: readonly string[]): Promise<number> {
  const counts = await Promise.all(
    memberUrls.map((url) =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ reads: number }>(`
          select coalesce(seq_scan + idx_scan, 0)::int as reads
          from pg_stat_user_tables where relname = 'agents' and pg_is_in_recovery()`)
        return rows[0]?.reads ?? 0
      }),
    ),
  )
  return counts.reduce((total, count) => total + count, 0)
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
