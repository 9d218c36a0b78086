// Audits the books against the chain. Prints the rows that break a rule and exits 1 if there are any.
// It works beside a running service (its database, and its chain at PUBLIC_URL/rpc) and on a stopped data directory.
import { addresses } from '@agent-marketplace/chain'
import { roleKeyOf } from '@agent-marketplace/chain/devnet'
import { pino } from 'pino'
import { type Closer, openAdapters } from '../src/adapters.ts'
import { type ChainConfig, type Config, readConfig } from '../src/config.ts'
import { allInvariants } from '../src/invariants.ts'
import type { InvariantDeps } from '../src/money/invariant.ts'
import { checkInvariants } from '../src/money/invariants.ts'
import type { Connection } from '../src/platform/db/connection.ts'
import { lockDataDirectory } from '../src/platform/db/data-directory.ts'
import { createDatabase } from '../src/platform/db/database.ts'
import { findPostgresHome } from '../src/platform/db/postgres-home.ts'
import { readPostmasterFile } from '../src/platform/db/postgres-leftover.ts'
import { StartupError } from '../src/platform/db/startup-error.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createScrub } from '../src/platform/log/scrub.ts'
import { connectRemoteChain } from '../src/ports/chain/remote.ts'
import { loadSandboxSecrets } from '../src/sandbox-secrets.ts'

const ROWS_SHOWN = 50

/** Opens what the service would open itself, or joins the one that runs. */
async function open(config: Config, closers: Closer[]): Promise<InvariantDeps> {
  const needsDirectory = config.databaseUrl === undefined || config.chain === undefined
  if (needsDirectory && isFree(config.dataDir)) {
    return openAdapters(config, createLog({ level: 'error', scrub: createScrub(config.secrets) }), closers)
  }
  const { chain } = await connectRemoteChain(config.chain ?? runningChain(config))
  const connection: Connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : await runningDatabase(config)
  const db = createDatabase({ connection, poolSize: 2, log: pino({ level: 'error' }) })
  closers.push(() => db.close())
  return { db, chain }
}

function isFree(dataDir: string): boolean {
  try {
    lockDataDirectory(dataDir).release()
    return true
  } catch (error) {
    if (error instanceof StartupError) return false
    throw error
  }
}

function runningChain({ publicUrl, dataDir }: Config): ChainConfig {
  const { chainSeed } = loadSandboxSecrets(dataDir)
  return {
    rpcUrl: new URL('/rpc', publicUrl).href,
    chainId: 31337,
    escrowAddress: addresses[31337].escrow,
    escrowStartBlock: 0,
    operatorPrivateKey: roleKeyOf(`0x${chainSeed}`, 'operator'),
    spenderPrivateKey: roleKeyOf(`0x${chainSeed}`, 'spender'),
  }
}

async function runningDatabase({ dataDir }: Config): Promise<Connection> {
  const { cluster } = await findPostgresHome(dataDir)
  const server = await readPostmasterFile(cluster)
  if (server === undefined) throw new StartupError(`The database in ${dataDir} is not running.`)
  return { host: server.socketDir, port: 5432, user: 'postgres', database: 'postgres' }
}

const asText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value

const closers: Closer[] = []
try {
  const deps = await open(readConfig(process.env), closers)
  const breaches = await checkInvariants(deps, allInvariants)
  for (const { invariant, message, rows } of breaches) {
    console.error(`${invariant} is broken: ${message} (${rows.length} rows)`)
    for (const row of rows.slice(0, ROWS_SHOWN)) console.error(`  ${JSON.stringify(row, asText)}`)
  }
  if (breaches.length === 0) console.log(`${allInvariants.length} rules hold.`)
  process.exitCode = breaches.length === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof StartupError ? error.userMessage : error)
  process.exitCode = 2
} finally {
  for (const close of closers.reverse()) await close()
}
