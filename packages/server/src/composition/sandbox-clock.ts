import { AppError } from '@agent-marketplace/contract'
import { jobTimers } from '../features/jobs/tasks.ts'
import { createTimeTravel } from '../features/sandbox/time-travel.ts'
import type { AppDeps } from './deps.ts'
import type { Services } from './services.ts'

/** Work under way ends within milliseconds here; this is for a machine that has much else to do. */
const SETTLE_MS = 30_000

/** What is followed up by ticks although it has begun already. */
const FOLLOW_UPS = ['x402-look-ups', 'withdrawals']

/** Moves the sandbox's time; undefined where the chain is not the embedded one. */
export function createSandboxClock(
  { db, sandbox }: AppDeps,
  { queue, money, subscriptions, heldPayments }: Services,
): ((seconds: number) => Promise<void>) | undefined {
  if (!sandbox?.chain) return undefined
  return createTimeTravel({
    chain: sandbox.chain,
    timers: [
      ...jobTimers(db),
      { tick: 'subscriptions', nextDueAt: subscriptions.nextDueAt },
      { tick: 'held-payments', nextDueAt: heldPayments.nextDueAt },
    ],
    async settle() {
      await queue.runTicks(FOLLOW_UPS)
      if (await money.runUntilSettled(SETTLE_MS)) return
      throw new AppError('UNAVAILABLE', {
        message: 'Earlier work does not end: the clock stands until it has. Try again in a moment.',
      })
    },
    runTicks: queue.runTicks,
    runAll: () => queue.runAllNow({ onlyDue: true }),
  })
}
