import type pg from 'pg'

const DUE = 'a queue of what is due, empty where its task keeps up'
const NOTED = 'noted for the audit, which has seen all of it'
const RARE = 'what only a fault or a person makes, a few rows'

/** Tables without rows at any size, each with the reason. */
const empty: Readonly<Record<string, string>> = {
  agent_embeddings: 'only where a service for embeddings is configured',
  agent_scores_due: DUE,
  agent_search_due: DUE,
  earning_days_due: DUE,
  spending_days_due: DUE,
  spending_minutes: 'no made-up buyer pays more than a thousand times in a day',
  expected_content: 'uploads that are under way',
  audit_changes: NOTED,
  unfolded_postings: NOTED,
  audit_breaches: RARE,
  chain_rereads: RARE,
  set_aside_jobs: RARE,
  search_languages: 'a row for each language of names; those of made-up agents have none',
  detached_months: 'months between detaching and archiving',
  chain_cursors: 'one row for each chain, made at the start of the service',
  chain_signers: 'one row for each key of the service, made with its first transaction',
}

/** Fails where a table has no rows and no reason for it, or rows in spite of one: a new table is filled or named here. */
export async function checkEveryTable(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`)
  const wrong: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ isFilled: boolean }>(
      `select exists (select from ${client.escapeIdentifier(name)}) as "isFilled"`,
    )
    if (rows[0]?.isFilled === name in empty)
      wrong.push(name in empty ? `${name} has rows` : `${name} has no rows`)
  }
  for (const name of Object.keys(empty))
    if (!tables.some((table) => table.name === name)) wrong.push(`there is no table ${name}`)
  if (wrong.length > 0) throw new Error(`The market is not filled as it should be: ${wrong.join(', ')}.`)
}
