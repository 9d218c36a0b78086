import type { ViewedPart } from '@agent-marketplace/contract'
import { createApp } from '../app.ts'
import { createCounter } from '../features/agent-views/counter.ts'
import { addViews } from '../features/agent-views/store.ts'
import type { AppDeps } from '../house/outside.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { createDatabase } from '../platform/db/database.ts'
import { createMemoryRateLimiter } from '../platform/http/limits/rate-limit.ts'
import type { SandboxChain } from '../ports/chain/port.ts'
import { DEMO_SPAN_SECONDS } from './span.ts'

/**
 * No commit waits for the disk. One that is lost with the machine leaves the mark of an interrupted making: that mark, and
 * the one that all is there, are written elsewhere and do wait. The blocks of the chain do so together, at the end. And every
 * statement is planned once, for the tables are small and each of them is asked the same over and over.
 */
const SESSION_OPTIONS = '-c synchronous_commit=off -c plan_cache_mode=force_generic_plan'

/** What falls due in the story without anybody asking. */
const DUE_WORK = ['jobs-funding', 'jobs-review', 'jobs-deadline']

/** Each connection plans every statement again: with ten of them the database worked twice as long. */
const POOL_SIZE = 3

/** Nobody waits for a response here, so a machine that stalls for seconds delays the demo data and does not end it. */
const PATIENCE_MS = 60_000

export interface StageDeps {
  deps: AppDeps
  chain: SandboxChain
}

interface CountedView {
  agentId: string
  /** As `2026-11-15`. */
  day: string
  part: ViewedPart
}

/** The service as it was twelve weeks ago, with its own hands on the clock. */
export type Stage = Awaited<ReturnType<typeof openStage>>

/**
 * A whole service of its own on the given parts. It listens on no port and writes no line for each request; nobody
 * limits its rate; its sessions live twelve weeks ago, as its owners do; and it works only on demand, so that
 * nothing happens at the wrong moment of the story.
 */
export async function openStage({ deps, chain }: StageDeps) {
  const wallClock: Clock = {
    now: () => new Date(deps.wallClock.now().getTime() - DEMO_SPAN_SECONDS * 1000),
  }
  const connection = { ...deps.connection, options: SESSION_OPTIONS }
  const db = createDatabase({
    connection,
    poolSize: POOL_SIZE,
    log: deps.log,
    connectTimeoutMs: PATIENCE_MS,
    statementTimeoutMs: PATIENCE_MS,
  })
  const app = await createApp({
    ...deps,
    connection,
    db,
    config: { ...deps.config, rateLimitsEnforced: false, agentApproval: 'auto' },
    accessLog: deps.accessLog.child({}, { level: 'silent' }),
    limiter: createMemoryRateLimiter(wallClock),
    wallClock,
  })
  await app.start({ isWorking: false })

  return {
    http: app.http,
    chain: deps.chain,
    clock: deps.clock,
    faucet: chain.faucet,
    advanceTime: chain.advanceTime,

    /** Does all of this at once, and everything that follows from it on the chain. */
    async perform(acts: readonly Promise<unknown>[]): Promise<void> {
      let open = acts.length
      let changed = Promise.withResolvers<void>()
      const wake = (): void => {
        changed.resolve()
        changed = Promise.withResolvers()
      }
      const end = (): void => {
        open -= 1
        wake()
      }
      for (const act of acts) act.then(end, end)
      app.money.waiting.onWaiting(wake)
      // Payments wait for the chain. When nothing else is under way any more they go out together and share a block; a
      // round of the engine for each of them would cost more than all the rest.
      while (open > 0) {
        if (app.money.waiting.waitingCount() < open) await changed.promise
        else await app.money.runUntilIdle()
      }
      await Promise.all(acts)
      await app.money.runUntilIdle()
    },

    async runDueWork(): Promise<void> {
      await app.queue.runTicks(DUE_WORK)
      await app.money.runUntilIdle()
    },

    /** As the service counts views, all in one write: thousands of requests would slow the first start down. */
    async countViews(views: readonly CountedView[]): Promise<void> {
      const counter = createCounter({
        write: (counts) => addViews(db, counts),
        onFailure: (error) => {
          throw error
        },
        limit: views.length,
        delayMs: PATIENCE_MS,
      })
      for (const { agentId, day, part } of views) counter.add(agentId, day, part)
      await counter.flush()
    },

    async close(): Promise<void> {
      await app.close()
      await db.close()
    },
  }
}
