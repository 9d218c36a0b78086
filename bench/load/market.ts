import { rmSync } from 'node:fs'
import pg from 'pg'
import {
  endServices,
  freePort,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../../e2e/service/service-process.ts'
import { createTokens } from '../../packages/server/src/features/sessions/tokens.ts'
import { wallClock } from '../../packages/server/src/platform/clock/clock.ts'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import { agentIdOf, OWNER_COUNT, openBenchDatabase, ownerIdOf } from '../agents-seed.ts'
import { benchSecret } from '../measuring/sample.ts'

export interface Market {
  service: ServiceProcess
  agents: number
  wallets: readonly string[]
  /** Of sessions of different owners. */
  tokens: readonly string[]
  close(): Promise<void>
}

export const urlOf = ({ host, port, user, database }: Connection): string =>
  `postgresql:///${database}?host=${host}&port=${port}&user=${user}`

/** The service as it is started, on a database with so many agents and jobs. Limits are off. */
export async function openMarket({ agents, jobs }: { agents: number; jobs: number }): Promise<Market> {
  const directory = temporaryDirectory()
  const database = await openBenchDatabase()
  const close = async () => {
    await endServices()
    await database.close()
    rmSync(directory.path, { recursive: true, force: true })
  }
  endOnSignals(close)
  try {
    await database.growTo(agents)
    await addJobs(database.connection, { jobs, agents })
    return {
      service: await startOn(urlOf(database.connection), `${directory.path}/data`),
      agents,
      wallets: await database.wallets(Math.min(agents, 500)),
      tokens: await tokensOf(200),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export const startOn = async (databaseUrl: string, dataDir: string): Promise<ServiceProcess> =>
  startService({
    dataDir,
    port: await freePort(),
    environment: {
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: benchSecret,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    },
  })

/**
 * Jobs of the past, with the indexes that they have in use. Without triggers, as if they had been there for long: otherwise
 * the audit would be busy with all of them while the service is measured.
 */
async function addJobs(connection: Connection, { jobs, agents }: { jobs: number; agents: number }) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('set session_replication_role = replica')
  const BATCH = 100_000
  for (let first = 1; first <= jobs; first += BATCH)
    await client.query(
      `insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
         category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, status,
         decided_status, fund_by, ended_at)
       select 'cjob' || lpad(n::text, 21, '0'), agents.id, client.id, agents.owner_id, client.wallet_address,
         seller.wallet_address, agents.wallet_address, 'Reconcile month ' || n, 'Match the transfers with the invoices.',
         'finance', '{}', 'X402', 5000000, 0, 5000000, false, false, timestamptz '2025-06-01' + n * interval '20 seconds',
         'CANCELLED', 'CANCELLED', timestamptz '2026-06-01', timestamptz '2026-06-01'
       from generate_series($1::int, $2::int) n
       join agents on agents.id = 'c' || lpad((1 + n::bigint * 7 % $3)::text, 24, '0')
       join owners client on client.id = 'cowner' || lpad(((n + 1) % ${OWNER_COUNT})::text, 19, '0')
       join owners seller on seller.id = agents.owner_id`,
      [first, Math.min(first + BATCH - 1, jobs), agents],
    )
  // The made-up agents have ratings without reviews, which would be as many breaches of a rule.
  await client.query('update agents set rating_sum = 0, review_count = 0')
  await client.query('truncate audit_changes, unfolded_postings')
  await client.query('vacuum analyze agents, jobs')
  await client.end()
}

export async function tokensOf(count: number): Promise<string[]> {
  const tokens = createTokens({ secret: benchSecret, clock: wallClock })
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + 4 * 3_600_000)
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const ownerId = ownerIdOf(index)
      return tokens.sign({ sessionId: `session of ${ownerId}`, ownerId, issuedAt, expiresAt })
    }),
  )
}

export { agentIdOf }
