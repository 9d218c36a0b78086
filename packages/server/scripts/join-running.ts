// How scripts join a service that is running: its database, and its chain at PUBLIC_URL/rpc.
import { addresses } from '@agent-marketplace/chain'
import { roleKeyOf } from '@agent-marketplace/chain/devnet'
import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import { pino } from 'pino'
import type { ChainConfig, Config } from '../src/config/config.ts'
import type { Closer } from '../src/data.ts'
import type { InvariantDeps } from '../src/money/audit/invariant.ts'
import type { Connection } from '../src/platform/db/connection.ts'
import { lockDataDirectory } from '../src/platform/db/data-directory.ts'
import { createDatabase } from '../src/platform/db/database.ts'
import { findPostgresHome } from '../src/platform/db/embedded/postgres-home.ts'
import { readPostmasterFile } from '../src/platform/db/embedded/postgres-leftover.ts'
import { StartupError } from '../src/platform/db/startup-error.ts'
import { connectRemoteChain, type RemoteChain } from '../src/ports/chain/remote.ts'
import { loadSandboxSecrets } from '../src/sandbox-secrets.ts'

/** The database and the chain of the service that runs, or of the settings. */
export async function joinRunning(config: Config, closers: Closer[]): Promise<InvariantDeps> {
  const { chain } = config.chain ? await connectRemoteChain(config.chain) : await joinSandboxChain(config)
  const connection = await runningConnection(config)
  const db = createDatabase({ connection, poolSize: 2, log: pino({ level: 'error' }) })
  closers.push(() => db.close())
  return { db, chain }
}

/** The database alone. */
export const runningConnection = async (config: Config): Promise<Connection> =>
  config.databaseUrl ? { connectionString: config.databaseUrl } : runningDatabase(config)

/** The sandbox serves its chain at its own address, known only to the process that started it. */
async function joinSandboxChain(config: Config): Promise<RemoteChain> {
  const chain = runningChain(config)
  try {
    return await connectRemoteChain(chain)
  } catch (error) {
    throw new StartupError(
      `A service runs on ${config.dataDir}, and its chain is not at ${chain.rpcUrl}. Set the PORT or PUBLIC_URL that the service was started with.`,
      { cause: error },
    )
  }
}

/** Whether no service runs on this data directory. */
export function isFree(dataDir: string): boolean {
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
    chainId: DEVNET_CHAIN_ID,
    escrowAddress: addresses[DEVNET_CHAIN_ID].escrow,
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
