import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DestinationStream, pino } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { readConfig } from '../../config/read-config.ts'
import type { AppDeps } from '../../house/outside.ts'
import type { ChaosChain } from '../../money/testing/chaos-chain.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Connection } from '../../platform/db/connection.ts'
import type { Database } from '../../platform/db/database.ts'
import { noOwnWrites } from '../../platform/db/replicas/own-writes.ts'
import { createMemoryRateLimiter } from '../../platform/http/limits/rate-limit.ts'
import type { EmbeddedChain } from '../../ports/chain/embedded.ts'
import { createHttpEmbeddings } from '../../ports/embeddings/http.ts'
import { createSandboxKyc } from '../../ports/kyc/sandbox.ts'
import { createInProcessPayments } from '../../ports/payments/in-process.ts'
import { openFolderStorage } from '../../ports/storage/folder.ts'
import { createEmbeddedWallets } from '../../ports/wallets/embedded.ts'
import { createSealedKeyStore } from '../../ports/wallets/sealed-key-store.ts'

/** The wallet of the one admin. */
export const adminWallet = privateKeyToAccount(`0x${'ad'.repeat(32)}`)

/** What a test may set otherwise than the service does by itself. */
export interface PartOverrides
  extends Pick<AppDeps, 'moneyOptions' | 'settlementWaitMs' | 'streamLimits' | 'webhookTimeoutMs'> {
  /** Settings, by the names of the environment. Rate limits are off unless a test turns them on. */
  environment?: Record<string, string>
  /** Replaces parts of the outside; gets those that the world has opened. */
  ports?: (own: AppDeps) => Partial<AppDeps>
}

interface OpenedParts {
  database: { db: Database; connection: Connection }
  chain: ChaosChain | EmbeddedChain
  wallClock: Clock
  /** Deadlines and periods: the chain's time, as in a sandbox, unless another clock is given. */
  clock?: Clock | undefined
}

/** What `adapters.ts` opens for a sandbox, for tests: on this database, this chain and a folder that goes away with it. */
export async function openWorldParts({ database, chain, wallClock, clock: given }: OpenedParts) {
  const { db, connection } = database
  const filesDirectory = await mkdtemp(join(tmpdir(), 'test-files-'))
  const alarms: string[] = []
  const timeOfChain = timeOf(chain)
  const clock = given ?? { now: timeOfChain }
  const { facts } = chain.chain
  const kyc = createSandboxKyc({ publicUrl, webhookSecret: 'test webhook secret', clock: wallClock })
  const own: Omit<AppDeps, 'config' | 'limiter' | 'embeddings'> = {
    log: pino({ level: 'error', messageKey: 'msg' }, alarmsOf(alarms)),
    accessLog: pino({ level: 'silent' }),
    connection,
    db,
    silences: () => 0,
    searchDb: db,
    replicas: undefined,
    ownWrites: noOwnWrites,
    wallClock,
    clock,
    chain: chain.chain,
    kyc,
    payments: createInProcessPayments({
      client: chain.client,
      operator: facts.operator,
      now: clock.now,
      timeOfChain,
    }),
    storage: await openFolderStorage({ directory: filesDirectory }),
    wallets: createEmbeddedWallets({
      masterKeys: { current: { id: 'test', key: Buffer.alloc(32, 7) } },
      store: createSealedKeyStore(db),
      token: {
        name: facts.usdc.name,
        version: facts.usdc.version,
        chainId: facts.chainId,
        verifyingContract: facts.contracts.usdc,
      },
    }),
    webDirectory: undefined,
    // A chain that forks stands for a public one: there nobody has the sandbox's powers.
    sandbox: 'sandbox' in chain ? { chain: chain.sandbox, kyc, reset: undefined } : undefined,
  }

  return {
    /** What was logged as an error. */
    alarms,

    /** The outside of one process. */
    depsOf({ environment, ports, ...given }: PartOverrides): AppDeps {
      const { moneyOptions, settlementWaitMs, streamLimits, webhookTimeoutMs } = given
      const config = readConfig({ ...standardSettings, ...environment })
      const opened: AppDeps = {
        ...own,
        ...(moneyOptions && { moneyOptions }),
        ...(settlementWaitMs !== undefined && { settlementWaitMs }),
        ...(streamLimits && { streamLimits }),
        ...(webhookTimeoutMs !== undefined && { webhookTimeoutMs }),
        config,
        embeddings: config.embeddings && createHttpEmbeddings(config.embeddings),
        limiter: createMemoryRateLimiter(wallClock),
      }
      return { ...opened, ...ports?.(opened) }
    },

    close: () => rm(filesDirectory, { recursive: true }),
  }
}

export const timeOf = (chain: ChaosChain | EmbeddedChain): (() => Date) =>
  'sandbox' in chain ? chain.sandbox.now : () => new Date(chain.now() * 1000)

const publicUrl = new URL('http://localhost:4000')

const standardSettings = {
  SESSION_SECRET: 'a test secret of at least 32 characters',
  PUBLIC_URL: publicUrl.href,
  ADMIN_WALLETS: adminWallet.address,
  RATE_LIMITS: 'off',
}

const alarmsOf = (alarms: string[]): DestinationStream => ({
  write: (line) => void alarms.push(JSON.parse(line).msg),
})
