import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import type { AppDeps } from '../../house/outside.ts'
import { wallClock } from '../../platform/clock/clock.ts'
import { createMemoryRateLimiter } from '../../platform/http/limits/rate-limit.ts'
import { startEmbeddedChain } from '../../ports/chain/embedded.ts'
import { createSandboxKyc } from '../../ports/kyc/sandbox.ts'
import { createInProcessPayments } from '../../ports/payments/in-process.ts'
import { openFolderStorage } from '../../ports/storage/folder.ts'
import { createEmbeddedWallets } from '../../ports/wallets/embedded.ts'
import { createSealedKeyStore } from '../../ports/wallets/sealed-key-store.ts'
import { createTestDatabase } from '../../testing/test-database.ts'

export const CHAIN_SEED = '22'.repeat(32)

/** The parts that the sandbox opens, on a database and in a folder of their own, with the chain's clock as the service's. */
export async function startDemoParts({ startSecondsAgo }: { startSecondsAgo: number }) {
  const database = await createTestDatabase({ poolSize: 16 })
  const dataDir = await mkdtemp(join(tmpdir(), 'test-demo-'))
  const config = readConfig({ SESSION_SECRET: 'a test secret of at least 32 characters', DATA_DIR: dataDir })
  const { chain, client, sandbox, close } = await startEmbeddedChain({
    dataDir,
    seed: CHAIN_SEED,
    startSecondsAgo,
  })
  const clock = { now: sandbox.now }
  const { chainId, contracts, usdc, operator } = chain.facts
  const kyc = createSandboxKyc({
    publicUrl: config.publicUrl,
    webhookSecret: 'test webhook secret',
    clock: wallClock,
  })
  const log = pino({ level: 'fatal' })
  const deps: AppDeps = {
    config,
    log,
    accessLog: log,
    connection: database.connection,
    db: database.db,
    searchDb: database.db,
    wallClock,
    clock,
    limiter: createMemoryRateLimiter(wallClock),
    chain,
    kyc,
    payments: createInProcessPayments({ client, operator, now: clock.now }),
    storage: await openFolderStorage({ directory: join(dataDir, 'files') }),
    wallets: createEmbeddedWallets({
      masterKeys: { current: { id: 'test', key: Buffer.alloc(32, 7) } },
      store: createSealedKeyStore(database.db),
      token: { name: usdc.name, version: usdc.version, chainId, verifyingContract: contracts.usdc },
    }),
    webDirectory: undefined,
    sandbox: { chain: sandbox, kyc, reset: undefined },
  }
  return {
    deps,
    async close() {
      await close()
      await database.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
