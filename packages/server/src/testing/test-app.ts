import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChainClient } from '@agent-marketplace/chain'
import { pino } from 'pino'
import { type App, createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { createTestClock, type TestClock } from '../platform/clock/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { createMemoryRateLimiter } from '../platform/http/limits/rate-limit.ts'
import type { ChainPort, SandboxChain } from '../ports/chain/port.ts'
import type { KycPort } from '../ports/kyc/port.ts'
import { createSandboxKyc } from '../ports/kyc/sandbox.ts'
import { createInProcessPayments } from '../ports/payments/in-process.ts'
import { openFolderStorage } from '../ports/storage/folder.ts'
import { createEmbeddedWallets } from '../ports/wallets/embedded.ts'
import { createSealedKeyStore } from '../ports/wallets/sealed-key-store.ts'
import { startTestChain } from './test-chain.ts'
import { createTestDatabase } from './test-database.ts'

export interface TestApp extends App {
  db: Database
  clock: TestClock
  config: Config
  chain: ChainPort
  /** The same chain, for what happens past the service. */
  client: ChainClient
  sandboxChain: SandboxChain
}

export interface TestAppOptions {
  environment?: Record<string, string>
  kyc?: KycPort
  webDirectory?: string
  /** A process that does not work still serves requests; `queue.runAllNow()` then works on the test's word. */
  isWorking?: boolean
  /** Deadlines and periods run on the embedded chain's clock, as in a sandbox; else on the test clock. */
  runsOnChainTime?: boolean
}

/** The whole app as `main.ts` composes it, on a database of its own, the embedded chain in memory, and a test clock. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const config = readConfig({
    SESSION_SECRET: 'a test secret of at least 32 characters',
    PUBLIC_URL: 'http://localhost:4000',
    ...options.environment,
  })
  const database = await createTestDatabase()
  const { chain, client, sandbox, close: closeChain } = await startTestChain()
  const filesDirectory = await mkdtemp(join(tmpdir(), 'test-files-'))
  const clock = createTestClock()
  const businessClock = options.runsOnChainTime ? { now: sandbox.now } : clock
  const sandboxKyc = createSandboxKyc({
    publicUrl: config.publicUrl,
    webhookSecret: 'test webhook secret',
    clock,
  })
  const app = await createApp({
    config,
    log: pino({ level: 'silent' }),
    accessLog: pino({ level: 'silent' }),
    connection: database.connection,
    db: database.db,
    searchDb: database.db,
    wallClock: clock,
    clock: businessClock,
    limiter: createMemoryRateLimiter(clock),
    chain,
    kyc: options.kyc ?? sandboxKyc,
    payments: createInProcessPayments({ client, operator: chain.facts.operator, now: businessClock.now }),
    storage: await openFolderStorage({ directory: filesDirectory }),
    wallets: createEmbeddedWallets({
      masterKeys: { current: { id: 'test', key: Buffer.alloc(32, 7) } },
      store: createSealedKeyStore(database.db),
      token: {
        name: chain.facts.usdc.name,
        version: chain.facts.usdc.version,
        chainId: chain.facts.chainId,
        verifyingContract: chain.facts.contracts.usdc,
      },
    }),
    webDirectory: options.webDirectory,
    sandbox: config.mode === 'sandbox' ? { chain: sandbox, kyc: sandboxKyc, reset: undefined } : undefined,
  })
  await app.start({ isWorking: options.isWorking ?? false })
  return {
    ...app,
    db: database.db,
    clock,
    config,
    chain,
    client,
    sandboxChain: sandbox,
    async close() {
      await app.close()
      await closeChain()
      await rm(filesDirectory, { recursive: true })
      await database.close()
    },
  }
}
