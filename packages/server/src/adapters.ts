import { join } from 'node:path'
import type { ChainClient } from '@agent-marketplace/chain'
import type { Config } from './config/config.ts'
import { type Closer, isAllEmbedded, type OpenedData, openData } from './data.ts'
import { openDatabases, openOwnWrites } from './databases.ts'
import type { AppDeps } from './house/outside.ts'
import { type Clock, wallClock } from './platform/clock/clock.ts'
import type { DataDirectory } from './platform/db/data-directory.ts'
import type { Database } from './platform/db/database.ts'
import { createMemoryRateLimiter } from './platform/http/limits/rate-limit.ts'
import { createRedisRateLimiter } from './platform/http/limits/rate-limit-redis.ts'
import type { Logs } from './platform/log/log.ts'
import { type EmbeddedChain, startEmbeddedChain } from './ports/chain/embedded.ts'
import type { ChainPort } from './ports/chain/port.ts'
import { connectRemoteChain } from './ports/chain/remote.ts'
import { createHttpEmbeddings } from './ports/embeddings/http.ts'
import { createSandboxKyc } from './ports/kyc/sandbox.ts'
import { createSumsubKyc } from './ports/kyc/sumsub.ts'
import { createInProcessPayments } from './ports/payments/in-process.ts'
import { createRemotePayments } from './ports/payments/remote.ts'
import { openFolderStorage } from './ports/storage/folder.ts'
import { openKuboStorage } from './ports/storage/kubo.ts'
import type { StoragePort } from './ports/storage/port.ts'
import { openS3Storage } from './ports/storage/s3.ts'
import { createCdpWallets } from './ports/wallets/cdp.ts'
import { createEmbeddedWallets } from './ports/wallets/embedded.ts'
import { createSealedKeyStore } from './ports/wallets/sealed-key-store.ts'
import { loadSandboxSecrets, type SandboxSecrets } from './sandbox-secrets.ts'
import { walletKeysOf } from './sealing/sealers.ts'

const webDirectory = join(import.meta.dirname, '../../web/dist')

export interface OpenOptions {
  reset?: () => void
  /** A new embedded chain begins so long ago; one that exists already keeps its own past. */
  chainStartSecondsAgo?: number
  /** Once it is aborted the start ends by throwing. */
  stopping?: AbortSignal
  /** What is being opened already. */
  data?: OpenedData
  embeddedChain?: Promise<EmbeddedChain> | undefined
}

/** Opens everything that is outside the app: the embedded parts in the sandbox, the configured ones wherever they are set. */
export async function openAdapters(
  config: Config,
  logs: Logs,
  closers: Closer[],
  options: OpenOptions = {},
): Promise<AppDeps> {
  const { log, accessLog } = logs
  const data = options.data ?? (await openData(config, log, closers))
  const { dataDir } = data
  const secrets = config.mode === 'sandbox' ? loadSandboxSecrets(dataDir.path) : undefined

  // Neither needs the other, and each waits for a process or a thread of its own.
  const [{ connection, db, searchDb, replicas, silences }, { chain, client, sandboxChain }] = await allOpened(
    [
      openDatabases(config, data, log, closers, options.stopping),
      openChain(config, dataDir, secrets, closers, options),
    ],
  )
  const clock = sandboxChain ? { now: sandboxChain.now } : wallClock
  const { kyc, sandboxKyc } = openKyc(config, secrets)
  const reset = isAllEmbedded(config) ? options.reset : undefined
  return {
    config: { ...config, ...sessionSecretsOf(config, secrets) },
    log,
    accessLog,
    connection,
    db,
    silences,
    searchDb,
    replicas,
    ownWrites: openOwnWrites(config, replicas, log, closers),
    wallClock,
    clock,
    limiter: config.redisUrl
      ? createRedisRateLimiter({ url: config.redisUrl, clock: wallClock, log })
      : createMemoryRateLimiter(wallClock),
    chain,
    kyc,
    payments: openPayments(config, { chain, client, clock, timeOfChain: sandboxChain?.now }),
    storage: await openStorage(config, dataDir),
    wallets: await openWallets(config, secrets, { chain, db }),
    embeddings: config.embeddings && createHttpEmbeddings(config.embeddings),
    webDirectory,
    // Its powers over keys, time and data exist only where nothing but a chain of its own is at stake.
    sandbox: sandboxChain && { chain: sandboxChain, kyc: sandboxKyc, reset },
  }
}

/** The configured ones, else those that the sandbox made. */
export function sessionSecretsOf(
  { sessionSecret, previousSessionSecret }: Config,
  sandbox: SandboxSecrets | undefined,
): Pick<Config, 'sessionSecret' | 'previousSessionSecret'> {
  if (!sandbox) return { sessionSecret, previousSessionSecret }
  const made = sandbox.previous?.sessionSecret
  if (sessionSecret === '')
    return { sessionSecret: sandbox.sessionSecret, previousSessionSecret: previousSessionSecret ?? made }
  // A sandbox that began with a secret of its own opens what that one sealed.
  return { sessionSecret, previousSessionSecret: previousSessionSecret ?? made ?? sandbox.sessionSecret }
}

/** A failure is reported once all have ended: until then there may be something left to close. */
async function allOpened<Parts extends unknown[]>(
  opening: {
    [Index in keyof Parts]: Promise<Parts[Index]>
  },
): Promise<Parts> {
  await Promise.allSettled(opening)
  return Promise.all(opening) as Promise<Parts>
}

async function openChain(
  config: Config,
  dataDir: DataDirectory,
  secrets: SandboxSecrets | undefined,
  closers: Closer[],
  { embeddedChain, chainStartSecondsAgo: startSecondsAgo = 0 }: OpenOptions,
) {
  if (config.chain) return { ...(await connectRemoteChain(config.chain)), sandboxChain: undefined }
  const { chainSeed: seed } = sandboxOnly(secrets)
  const embedded = await (embeddedChain ??
    startEmbeddedChain({ dataDir: dataDir.path, seed, startSecondsAgo }))
  if (!embeddedChain) closers.push(() => embedded.close())
  return { chain: embedded.chain, client: embedded.client, sandboxChain: embedded.sandbox }
}

function openKyc(config: Config, secrets: SandboxSecrets | undefined) {
  if (config.sumsub)
    return { kyc: createSumsubKyc({ ...config.sumsub, clock: wallClock }), sandboxKyc: undefined }
  const { kycWebhookSecret: webhookSecret } = sandboxOnly(secrets)
  const sandboxKyc = createSandboxKyc({ publicUrl: config.publicUrl, webhookSecret, clock: wallClock })
  return { kyc: sandboxKyc, sandboxKyc }
}

function openPayments(
  config: Config,
  opened: { chain: ChainPort; client: ChainClient; clock: Clock; timeOfChain: (() => Date) | undefined },
) {
  const { chain, client, clock, timeOfChain } = opened
  const { facilitatorUrl: url, facilitatorToken: token } = config
  if (url) return createRemotePayments({ url, client, timeOfChain, token })
  return createInProcessPayments({ client, operator: chain.facts.operator, now: clock.now, timeOfChain })
}

function openStorage({ kubo, s3 }: Config, dataDir: DataDirectory): Promise<StoragePort> {
  const spoolFolder = join(dataDir.path, 'unfinished-files')
  if (s3) return openS3Storage({ ...s3, spoolFolder })
  if (!kubo) return openFolderStorage({ directory: join(dataDir.path, 'files') })
  const { url, authorization } = kubo
  return openKuboStorage({ url, spoolFolder, ...(authorization ? { authorization } : {}) })
}

function openWallets(
  config: Config,
  secrets: SandboxSecrets | undefined,
  { chain, db }: { chain: ChainPort; db: Database },
) {
  const { chainId, contracts, usdc } = chain.facts
  const token = { name: usdc.name, version: usdc.version, chainId, verifyingContract: contracts.usdc }
  if (config.cdp) return createCdpWallets({ ...config.cdp, token })
  const masterKeys = walletKeysOf(sandboxOnly(secrets))
  return createEmbeddedWallets({ masterKeys, store: createSealedKeyStore(db), token })
}

/** config.ts refuses production without the real part, so an embedded one is only ever asked for in the sandbox. */
function sandboxOnly(secrets: SandboxSecrets | undefined): SandboxSecrets {
  if (!secrets) throw new Error('an embedded part was requested outside the sandbox')
  return secrets
}
