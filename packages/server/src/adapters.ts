import type { AppDeps } from './app.ts'
import type { Config } from './config.ts'
import { wallClock } from './platform/clock/clock.ts'
import type { Connection } from './platform/db/connection.ts'
import { type DataDirectory, lockDataDirectory } from './platform/db/data-directory.ts'
import { createDatabase } from './platform/db/database.ts'
import { startEmbeddedPostgres } from './platform/db/embedded-postgres.ts'
import { migrate, migrationsDirectory } from './platform/db/migrate.ts'
import { createMemoryRateLimiter } from './platform/http/rate-limit.ts'
import { createRedisRateLimiter } from './platform/http/rate-limit-redis.ts'
import type { Log, Logs } from './platform/log/log.ts'
import { startEmbeddedChain } from './ports/chain/embedded.ts'
import { connectRemoteChain } from './ports/chain/remote.ts'
import { createSandboxKyc } from './ports/kyc/sandbox.ts'
import { createSumsubKyc } from './ports/kyc/sumsub.ts'
import { loadSandboxSecrets, type SandboxSecrets } from './sandbox-secrets.ts'

/** Something that was opened and must be closed again, in the opposite order. */
export type Closer = () => Promise<void> | void

/** Opens everything that is outside the app: the embedded parts in the sandbox, the configured ones wherever they are set. */
export async function openAdapters(config: Config, logs: Logs, closers: Closer[]): Promise<AppDeps> {
  const { log, accessLog } = logs
  const dataDir = lockDataDirectory(config.dataDir)
  closers.push(() => dataDir.release())
  const secrets = config.mode === 'sandbox' ? loadSandboxSecrets(dataDir.path) : undefined

  const connection = await openConnection(config, dataDir, log, closers)
  await migrate({ connection, directory: migrationsDirectory, log })
  const db = createDatabase({ connection, poolSize: config.databasePoolSize, log })
  closers.push(() => db.close())

  const { chain, sandboxChain } = await openChain(config, dataDir, secrets, closers)
  const { kyc, sandboxKyc } = openKyc(config, secrets)
  return {
    config: { ...config, sessionSecret: config.sessionSecret || (secrets?.sessionSecret ?? '') },
    log,
    accessLog,
    connection,
    db,
    wallClock,
    clock: sandboxChain ? { now: sandboxChain.now } : wallClock,
    limiter: config.redisUrl
      ? createRedisRateLimiter({ url: config.redisUrl, clock: wallClock, log })
      : createMemoryRateLimiter(wallClock),
    chain,
    kyc,
    sandbox: config.mode === 'sandbox' ? { chain: sandboxChain, kyc: sandboxKyc } : undefined,
  }
}

async function openConnection(
  config: Config,
  dataDir: DataDirectory,
  log: Log,
  closers: Closer[],
): Promise<Connection> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  closers.push(() => postgres.stop())
  return postgres.connection
}

async function openChain(
  config: Config,
  dataDir: DataDirectory,
  secrets: SandboxSecrets | undefined,
  closers: Closer[],
) {
  if (config.chain) return { chain: (await connectRemoteChain(config.chain)).chain, sandboxChain: undefined }
  const embedded = await startEmbeddedChain({ dataDir: dataDir.path, seed: sandboxOnly(secrets).chainSeed })
  closers.push(() => embedded.close())
  return { chain: embedded.chain, sandboxChain: embedded.sandbox }
}

function openKyc(config: Config, secrets: SandboxSecrets | undefined) {
  if (config.sumsub)
    return { kyc: createSumsubKyc({ ...config.sumsub, clock: wallClock }), sandboxKyc: undefined }
  const { kycWebhookSecret: webhookSecret } = sandboxOnly(secrets)
  const sandboxKyc = createSandboxKyc({ publicUrl: config.publicUrl, webhookSecret, clock: wallClock })
  return { kyc: sandboxKyc, sandboxKyc }
}

/** config.ts refuses production without the real part, so an embedded one is only ever asked for in the sandbox. */
function sandboxOnly(secrets: SandboxSecrets | undefined): SandboxSecrets {
  if (!secrets) throw new Error('an embedded part was asked for outside the sandbox')
  return secrets
}
