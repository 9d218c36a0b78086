import { type App, createApp } from '../../app.ts'
import { composeFeatures } from '../../composition/features.ts'
import { plugIn } from '../../composition/plug-in.ts'
import type { AppDeps } from '../../house/outside.ts'
import { allInvariants } from '../../invariants.ts'
import { checkInvariants } from '../../money/audit/invariants.ts'
import type { MoneyEngine } from '../../money/engine.ts'
import type { ChaosChain } from '../../money/testing/chaos-chain.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { EmbeddedChain } from '../../ports/chain/embedded.ts'
import { startTestChain } from '../test-chain.ts'
import { createTestClock } from '../test-clock.ts'
import type { TestDatabase } from '../test-database.ts'
import { createWorldChain } from './world-chain.ts'
import { openWorldParts, type PartOverrides, timeOf } from './world-parts.ts'
import { createWorldPeople } from './world-people.ts'

export interface WorldOverrides extends PartOverrides {
  /** By default nothing moves by itself: a test works with `tick`, `runUntilIdle` and `whileWorking`. */
  isWorking?: boolean
  /** Adds tasks and intent kinds of the test's own before the service starts. */
  prepare?: (app: App) => void
}

export interface WorldOptions extends WorldOverrides {
  /** One that forks, or one that several worlds share; the caller closes it. Otherwise a sandbox of its own. */
  chain?: ChaosChain | EmbeddedChain
  /** Deadlines and periods. The chain's time, as in a sandbox, unless another clock is given. */
  clock?: Clock
}

export type Worker = Awaited<ReturnType<World['startWorker']>>
export type World = Awaited<ReturnType<typeof startWorldOn>>

/**
 * The whole service as `main.ts` composes it, on a real database and a real EVM, under the test's control: its clocks stand
 * still until a test moves them, and the engine and the queue work when a test says so. The database goes away with it.
 */
export async function startWorldOn(database: TestDatabase, options: WorldOptions = {}) {
  const chain = options.chain ?? (await startTestChain())
  const { db } = database
  const wallClock = createTestClock('sandbox' in chain ? undefined : timeOf(chain)())
  const parts = await openWorldParts({ database, chain, wallClock, clock: options.clock })

  const closers = new Set<() => Promise<void>>()
  const startApp = async (deps: AppDeps, { isWorking = false, prepare }: WorldOverrides): Promise<App> => {
    const app = await createApp(deps)
    prepare?.(app)
    closers.add(app.close)
    await app.start({ isWorking })
    return app
  }
  const deps = parts.depsOf(options)
  const app = await startApp(deps, options)

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
    alarms: parts.alarms,
    ...createWorldChain(chain),
    ...createWorldPeople({ app, deps }),

    /** Another process of the same service: the same database, chain and files. */
    startBeside: (overrides: WorldOverrides = {}) =>
      startApp(parts.depsOf(withOverrides(options, overrides)), overrides),

    /** The same without HTTP, and without a queue unless it is to fill one: for engines that are killed by the dozen. */
    async startWorker({ hasQueue = false, ...overrides }: PartOverrides & { hasQueue?: boolean } = {}) {
      const composed = await composeFeatures(parts.depsOf(withOverrides(options, overrides)))
      plugIn(composed, { gauge: () => undefined })
      const { money, queue } = composed.ground
      if (hasQueue) await queue.start({ isWorking: false })
      await money.start({ isWorking: false })
      const close = async (): Promise<void> => {
        closers.delete(close)
        await money.stop()
        await queue.stop()
        for (const { close } of composed.features.toReversed()) await close?.()
      }
      closers.add(close)
      return {
        money,
        payments: composed.payments,
        notify: composed.ground.notify,
        /** Before the end of the world, where there are many. */
        close,
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
    runUntilIdle: () => app.money.runUntilIdle(),

    /** The engine goes round until the call has its response. */
    whileWorking: <T>(work: Promise<T>): Promise<T> => whileRunning(app.money, work),

    /** The rules of the books that do not hold now: none. */
    breaches: () => checkInvariants({ db, chain: chain.chain }, allInvariants),

    async close(): Promise<void> {
      for (const close of [...closers].toReversed()) await close()
      if (!options.chain) await chain.close()
      await parts.close()
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
