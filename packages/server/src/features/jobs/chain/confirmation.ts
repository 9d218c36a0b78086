import { SETTLEMENT_WAIT_MS } from '../../../house/payments.ts'
import type { Confirmation } from '../../../house/steps.ts'
import type { MoneyStatus } from '../../../money/following/status.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { EscrowCalls, PreparedCall } from '../../../ports/chain/port.ts'
import { unknownJob } from '../lifecycle/decisions.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { wrongState } from '../lifecycle/moves/conditions.ts'
import { dueByOf, effectOf, isClaim, mustBeConfirmed } from '../lifecycle/moves/overtaking.ts'
import type { EscrowEffect } from '../lifecycle/moves/transitions.ts'
import { isDeposit, readOrder } from '../lifecycle/orders.ts'
import { findJob } from '../lifecycle/store.ts'
import { callOf } from './order-calls.ts'

/** Normally a transaction has an outcome within seconds. */
const SLOW_AFTER_SECONDS = 120

/** SLOW: what was sent has had no outcome for minutes. HALTED: nothing is sent at all. */
export type ChainHealth = 'WELL' | 'SLOW' | 'HALTED'

export function chainHealthOf({
  haltedReason,
  isOperator,
  submittedCount,
  oldestSeconds,
}: Pick<MoneyStatus, 'haltedReason' | 'isOperator' | 'submittedCount' | 'oldestSeconds'>): ChainHealth {
  if (haltedReason !== null || !isOperator) return 'HALTED'
  return submittedCount > 0 && oldestSeconds > SLOW_AFTER_SECONDS ? 'SLOW' : 'WELL'
}

export interface ConfirmationDeps {
  db: Database
  clock: Clock
  intents: Pick<Intents, 'find' | 'waitFor'>
  chain: { escrow: EscrowCalls }
  chainHealth: () => Promise<ChainHealth>
  settlementWaitMs?: number
}

/** A decision that the chain has not confirmed, and the call that its party can make by itself. */
export interface PendingOrder {
  effect: EscrowEffect
  call: PreparedCall
  dueBy: Date | null
}

/** How a decision is presented before it is on chain: never as final while it can still be overtaken. */
export function createConfirmations(deps: ConfirmationDeps) {
  const { db, clock, intents, chain, settlementWaitMs = SETTLEMENT_WAIT_MS } = deps

  const existing = async (jobId: string): Promise<JobRow> => {
    const job = await findJob(db, jobId)
    if (!job) throw unknownJob()
    return job
  }

  async function conclude(jobId: string, key: string, waitMs: number): Promise<Confirmation> {
    const intent = await intents.find(db, key)
    if (!intent) throw new Error(`there is no intent ${key}`)
    const { status, reason } = await intents.waitFor(intent.id, waitMs)
    if (status === 'SETTLED') return 'SETTLED'
    if (status !== 'REJECTED') return 'PENDING'
    const job = await existing(jobId)
    // A claim that the seller overtook has become a dispute.
    const instead = job.openIntents.find((open) => open !== key && isClaim(open))
    if (instead !== undefined) return conclude(jobId, instead, waitMs)
    if (job.status === 'DISPUTED') return 'SETTLED'
    throw wrongState(job.status, [], `The escrow refused this: ${reason ?? 'unknown'}.`)
  }

  return {
    /** Waits for the chain where that matters. Without a key the call is repeated: then for the claim that is open, if any. */
    async confirm(jobId: string, key: string | undefined): Promise<Confirmation> {
      const job = await existing(jobId)
      const order = key ?? job.openIntents.find(isClaim)
      if (order === undefined || job.escrowFacts === null) return 'DECIDED'
      const health = await deps.chainHealth()
      const isWaitedFor = mustBeConfirmed(effectOf(order), job.escrowFacts, clock.now())
      if (!isWaitedFor) return health === 'WELL' ? 'DECIDED' : conclude(jobId, order, 0)
      return conclude(jobId, order, health === 'HALTED' ? 0 : settlementWaitMs)
    },

    /** The newest decision that is pending on chain. */
    async pendingOf(
      queryable: Queryable,
      { openIntents, escrowFacts: facts }: Pick<JobRow, 'openIntents' | 'escrowFacts'>,
    ): Promise<PendingOrder | null> {
      const key = openIntents.findLast((open) => !isDeposit(open))
      const intent = key === undefined ? undefined : await intents.find(queryable, key)
      if (key === undefined || intent === undefined || facts === null) return null
      const effect = effectOf(key)
      return {
        effect,
        call: callOf(chain.escrow, effect, readOrder(intent.payload)),
        dueBy: dueByOf(effect, facts),
      }
    },
  }
}

export type Confirmations = ReturnType<typeof createConfirmations>
