import { setTimeout as pause } from 'node:timers/promises'
import { type AppDeps, createApp } from '../app.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { createMemoryRateLimiter } from '../platform/http/rate-limit.ts'
import type { SandboxChain } from '../ports/chain/port.ts'
import { DEMO_SPAN_SECONDS } from './span.ts'

const BREATH_MS = 25

export interface StageDeps {
  deps: AppDeps
  chain: SandboxChain
}

/** The service as it was twelve weeks ago, with its own hands on the clock. */
export type Stage = Awaited<ReturnType<typeof openStage>>

/**
 * A whole service of its own on the given parts. It listens on no port and writes no line for each request; nobody
 * limits its rate; its sessions live twelve weeks ago, as its owners do; and it works only when it is told to, so that
 * nothing happens at the wrong moment of the story.
 */
export async function openStage({ deps, chain }: StageDeps) {
  const wallClock: Clock = {
    now: () => new Date(deps.wallClock.now().getTime() - DEMO_SPAN_SECONDS * 1000),
  }
  const app = await createApp({
    ...deps,
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
      const done = Promise.all(acts).then(() => true)
      // Payments wait for the chain. A breath lets those of the same moment come together, so that they share a block;
      // a round of the engine for each of them would cost more than all the rest.
      while (!(await Promise.race([done, pause(BREATH_MS, false)]))) await app.money.runOnce()
      await app.money.runUntilIdle()
    },

    /** What falls due without anybody asking: expiries, automatic releases, the audit. */
    async runDueWork(): Promise<void> {
      await app.queue.runAllNow({ onlyDue: true })
      await app.money.runUntilIdle()
    },

    close: () => app.close(),
  }
}
