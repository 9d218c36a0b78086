import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DestinationStream, pino } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { type App, createApp } from '../app.ts'
import { composeFeatures } from '../composition/features.ts'
import { plugIn } from '../composition/plug-in.ts'
import { readConfig } from '../config.ts'
import type { AppDeps } from '../house/outside.ts'
import { allInvariants } from '../invariants.ts'
import { checkInvariants } from '../money/audit/invariants.ts'
import type { MoneyEngine } from '../money/engine.ts'
import type { ChaosChain } from '../money/testing/chaos-chain.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { createMemoryRateLimiter } from '../platform/http/limits/rate-limit.ts'
import { createMetrics } from '../platform/http/metrics.ts'
import type { EmbeddedChain } from '../ports/chain/embedded.ts'
import { createSandboxKyc } from '../ports/kyc/sandbox.ts'
import { createInProcessPayments } from '../ports/payments/in-process.ts'
import { openFolderStorage } from '../ports/storage/folder.ts'
import { createEmbeddedWallets } from '../ports/wallets/embedded.ts'
import { createSealedKeyStore } from '../ports/wallets/sealed-key-store.ts'
import { startTestChain } from './test-chain.ts'
import { createTestClock } from './test-clock.ts'
import { createTestDatabase } from './test-database.ts'
import { createWorldChain } from './world-chain.ts'
import { createWorldPeople } from './world-people.ts'

/** The wallet of the one admin. */
export const adminWallet = privateKeyToAccount(`0x${'ad'.repeat(32)}`)

/** What a test may set otherwise than the service does by itself. */
export interface WorldOverrides extends Pick<AppDeps, 'moneyOptions' | 'settlementWaitMs'> {
  /** Settings, by the names of the environment. Rate limits are off unless a test turns them on. */
  environment?: Record<string, string>
  /** Replaces parts of the outside; gets those that the world has opened. */
  ports?: (own: AppDeps) => Partial<AppDeps>
  /** By default nothing moves by itself: a test works with `tick`, `settle` and `whileWorking`. */
  isWorking?: boolean
}

export interface WorldOptions extends WorldOverrides {
  /** One that forks, or one that several worlds share; the caller closes it. Otherwise a sandbox of its own. */
  chain?: ChaosChain | EmbeddedChain
  /** Deadlines and periods. The chain's time, as in a sandbox, unless another clock is given. */
  clock?: Clock
  poolSize?: number
}

export type Worker = Awaited<ReturnType<World['startWorker']>>
export type World = Awaited<ReturnType<typeof startWorld>>

/**
 * The whole service as `main.ts` composes it, on a real database and a real EVM, under the test's control: its clocks stand
 * still until a test moves them, and the engine and the queue work when a test says so.
 */
export async function startWorld(options: WorldOptions = {}) {
  const [database, chain] = await Promise.all([
    createTestDatabase({ poolSize: options.poolSize ?? 25 }),
    options.chain ?? startTestChain(),
  ])
  const filesDirectory = await mkdtemp(join(tmpdir(), 'test-files-'))
  const { db, connection } = database
  const alarms: string[] = []
  const timeOfChain = 'sandbox' in chain ? chain.sandbox.now : () => new Date(chain.now() * 1000)
  const wallClock = createTestClock('sandbox' in chain ? undefined : timeOfChain())
  const clock = options.clock ?? { now: timeOfChain }
  const { facts } = chain.chain
  const kyc = createSandboxKyc({ publicUrl, webhookSecret: 'test webhook secret', clock: wallClock })
  const own: Omit<AppDeps, 'config' | 'limiter'> = {
    log: pino({ level: 'error', messageKey: 'msg' }, alarmsOf(alarms)),
    accessLog: pino({ level: 'silent' }),
    connection,
    db,
    searchDb: db,
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

  const closers: (() => Promise<void>)[] = []
  const depsOf = ({ environment, ports, moneyOptions, settlementWaitMs }: WorldOverrides): AppDeps => {
    const opened: AppDeps = {
      ...own,
      config: readConfig({ ...standardSettings, ...environment }),
      limiter: createMemoryRateLimiter(wallClock),
      ...(moneyOptions && { moneyOptions }),
      ...(settlementWaitMs !== undefined && { settlementWaitMs }),
    }
    return { ...opened, ...ports?.(opened) }
  }
  const startApp = async (deps: AppDeps, isWorking = false): Promise<App> => {
    const app = await createApp(deps)
    closers.push(app.close)
    await app.start({ isWorking })
    return app
  }
  const deps = depsOf(options)
  const app = await startApp(deps, options.isWorking)

  return {
    ...app,
    deps,
    db,
    wallClock,
    clock: deps.clock,
    config: deps.config,
    chain: chain.chain,
    client: chain.client,
    /** What admins were alerted of, and what else was logged as an error. */
    alarms,
    ...createWorldChain(chain),
    ...createWorldPeople({ app, deps }),

    /** Another process of the same service: the same database, chain and files. */
    startBeside: ({ isWorking, ...overrides }: WorldOverrides = {}) =>
      startApp(depsOf(withOverrides(options, overrides)), isWorking),

    /** The same without HTTP and queue, for engines that are killed by the dozen. */
    async startWorker(overrides: WorldOverrides = {}) {
      const composed = await composeFeatures(depsOf(withOverrides(options, overrides)))
      plugIn(composed, createMetrics())
      const { money } = composed.ground
      await money.start({ isWorking: false })
      closers.push(async () => {
        await money.stop()
        for (const { close } of composed.features.toReversed()) await close?.()
      })
      return {
        money,
        payments: composed.payments,
        agents: composed.agents,
        notify: composed.ground.notify,
        whileWorking: <T>(work: Promise<T>): Promise<T> => whileRunning(money, work),
        async tick(name: string): Promise<void> {
          const tick = composed.features
            .flatMap(({ ticks = [] }) => ticks)
            .find((known) => known.name === name)
          if (!tick) throw new Error(`There is no tick ${name}`)
          await tick.handler(new AbortController().signal)
        },
      }
    },

    /** These ticks once, in this order. */
    tick: (...names: string[]) => app.queue.runTicks(names),

    /** The engine goes round until nothing moves. */
    settle: () => app.money.runUntilIdle(),

    /** The engine goes round until the call has its response. */
    whileWorking: <T>(work: Promise<T>): Promise<T> => whileRunning(app.money, work),

    /** The rules of the books that do not hold now: none. */
    breaches: () => checkInvariants({ db, chain: chain.chain }, allInvariants),

    async close(): Promise<void> {
      for (const close of closers.toReversed()) await close()
      if (!options.chain) await chain.close()
      await rm(filesDirectory, { recursive: true })
      await database.close()
    },
  }
}

const withOverrides = (options: WorldOverrides, overrides: WorldOverrides): WorldOverrides => ({
  ...options,
  ...overrides,
  moneyOptions: { ...options.moneyOptions, ...overrides.moneyOptions },
})

async function whileRunning<T>({ runOnce }: Pick<MoneyEngine, 'runOnce'>, work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  while (!isDone) await runOnce()
  return done
}

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
