import pg from 'pg'
import { pino } from 'pino'
import {
  startThrowAwayPostgres,
  type ThrowAwayPostgres,
} from '../packages/server/scripts/throw-away-postgres.ts'
import type { Connection } from '../packages/server/src/platform/db/connection.ts'
import { migrate, migrationsDirectory } from '../packages/server/src/platform/db/migrate.ts'

const log = pino({ level: 'warn' })

/** So many owners there are at least, in every market. */
export const OWNER_COUNT = 1000
/** Sellers of so many agents, and buyers: a tenth as many. */
export const ownersOf = (agents: number): number => Math.max(OWNER_COUNT, Math.round(agents / 10))

export interface BenchDatabase {
  connection: Connection
  /** Adds agents until there are so many. */
  growTo(size: number): Promise<void>
  /** Wallets of agents, spread over all of them. */
  wallets(count: number): Promise<string[]>
  close(): Promise<void>
}

/** A throw-away cluster with the real schema and made-up agents: twelve types, forty skills and a few hundred words, all skewed. */
export async function openBenchDatabase(
  start: () => Promise<ThrowAwayPostgres> = () => startThrowAwayPostgres('agents-bench', { isDurable: true }),
): Promise<BenchDatabase> {
  const { connection, close } = await start()
  await migrate({ connection, directory: migrationsDirectory, log }).catch(async (error) => {
    await close()
    throw error
  })
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(generator)
  let size = 0
  let ownerCount = 0
  const addOwners = async (wanted: number): Promise<void> => {
    if (wanted <= ownerCount) return
    const added = `from generate_series(${ownerCount}, ${wanted - 1}) n`
    await client.query(`
      insert into owners (id, wallet_address, created_at)
      select ${ownerIdIn('n')}, '0xbe' || lpad(to_hex(n), 38, '0'), now() ${added};
      insert into sessions (id, owner_id, created_at, expires_at)
      select 'session of ' || ${ownerIdIn('n')}, ${ownerIdIn('n')}, now(), now() + interval '1 day' ${added}`)
    ownerCount = wanted
  }
  await addOwners(OWNER_COUNT)

  return {
    connection,
    async growTo(wanted) {
      await addOwners(ownersOf(wanted))
      const { rows } = await client.query(`select indexname, indexdef from pg_indexes
        where schemaname = 'public' and tablename in ('agents', 'agent_listings') and indexdef not like 'CREATE UNIQUE%'`)
      // Building an index once is much cheaper than growing it row by row.
      for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
      await client.query('select setseed(0.5)')
      for (; size < wanted; size += 50_000) {
        const last = Math.min(size + 50_000, wanted)
        await client.query('select bench_agents($1, $2, $3)', [size + 1, last, ownerCount])
        if (wanted > 100_000) console.error(`${last} of ${wanted} agents`)
      }
      size = wanted
      for (const { indexname, indexdef } of rows) {
        if (wanted > 100_000) console.error(`Building ${indexname}`)
        await client.query(indexdef)
      }
      // As autovacuum does in time.
      await client.query('vacuum analyze agents, agent_listings, agent_counts, agent_term_counts')
    },
    async wallets(count) {
      const step = Math.max(1, Math.floor(size / count))
      return Array.from({ length: count }, (_, index) => walletOf(1 + ((index * step * 7) % size)))
    },
    async close() {
      await client.end()
      await close()
    },
  }
}

/** Of the owner with this number, in SQL. */
export const ownerIdIn = (number: string) => `'cowner' || lpad((${number})::text, 19, '0')`
export const ownerIdOf = (index: number) => `cowner${String(index % OWNER_COUNT).padStart(19, '0')}`
export const agentIdOf = (index: number) => `c${String(index).padStart(24, '0')}`
export const walletOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

const generator = `
create function bench_words(count integer) returns text language sql volatile as $$
  select string_agg('word' || floor(power(random(), 3) * 400)::integer, ' ') from generate_series(1, count) $$;
create function bench_agents(first integer, last integer, owners integer) returns void language sql volatile as $$
  insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key,
    hourly_rate_micro, skills, skill_keys, services, lowest_price_micro, x402_enabled, owner_active, approval_status,
    rating_sum, review_count, total_jobs, total_earned_micro, on_chain_agent_id, created_at, score, deliverable_count, delivered_count,
    timed_count, on_time_count, disputable_count, dispute_count, delivery_samples, delivery_seconds, response_samples, response_seconds)
  select 'c' || lpad(n::text, 24, '0'), ${ownerIdIn('n % owners')}, '0x' || lpad(to_hex(n), 40, '0'), 'wallet-' || n,
    'Agent ' || bench_words(1 + n % 2) || ' ' || n, 'Every day ' || bench_words(14 + n % 5), type, type, price, skills, skills,
    jsonb_build_array(jsonb_build_object('id', 'c' || lpad((n + 500000000)::text, 24, '0'), 'name', 'Service ' || bench_words(1),
      'priceMicro', price::text, 'deliveryHours', 24, 'x402Enabled', n % 3 = 0)),
    price, n % 3 = 0, true, case when n % 50 = 0 then 'PENDING' else 'APPROVED' end,
    rating_sum, review_count, review_count + floor(random() * 60 + n * 0)::integer, floor(random() * 1e9)::bigint, n, '2025-01-01'::timestamptz + n * interval '17 seconds',
    1 + random() * random() * 3.5, review_count, review_count - floor(power(random(), 3) * review_count)::integer,
    review_count, review_count - floor(power(random(), 2) * review_count)::integer, review_count, floor(power(random(), 3) * review_count / 2)::integer,
    review_count, random() * 400000, review_count, random() * 100000
  from (
    select n, 'type' || floor(power(random(), 2) * 12 + n * 0)::integer as type,
      floor(1e6 + random() * 5e8 + n * 0)::bigint as price,
      array['skill' || floor(power(random(), 2) * 20 + n * 0)::integer, 'skill' || (20 + floor(random() * 20 + n * 0)::integer)] as skills,
      review_count, floor(review_count * (2 + random() * 3))::integer as rating_sum
    from (select n, floor(random() * 40 + n * 0)::integer as review_count from generate_series(first, last) n) counted
  ) made $$;`
