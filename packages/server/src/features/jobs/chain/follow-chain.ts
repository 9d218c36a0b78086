import { listEventsOf } from '../../../money/following/event-store.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { DecisionDeps, FollowPayout } from '../lifecycle/decisions.ts'
import { ensureDispute } from '../lifecycle/dispute-store.ts'
import {
  foldEvent,
  type JobEvent,
  type JobEventName,
  jobEventNames,
  sideOf,
} from '../lifecycle/escrow-facts.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { orderOf } from '../lifecycle/orders.ts'
import { lockJobByKey } from '../lifecycle/store.ts'
import { insertEvent, removeChainEvent } from '../lifecycle/timeline-store.ts'
import { announceWork } from '../lifecycle/work.ts'
import { heldIn, lineOf, notifyParties } from './event-words.ts'
import { storeTruth } from './truth.ts'

export interface FollowDeps extends Pick<DecisionDeps, 'newId' | 'notify' | 'addJobToTotals' | 'followWork'> {
  intents: Pick<Intents, 'create'>
  addDisputeToTotals: (tx: Queryable, agentId: string, by?: 1 | -1) => Promise<void>
  followPayout: FollowPayout
  /** In the transaction that learns of the money: the job is large, and its buyer was not verified when they hired. */
  onAmlFlagged: (tx: Queryable, job: { jobId: string; ownerId: string; amountMicro: bigint }) => Promise<void>
}

type Handle = (tx: Transaction, event: JobEvent, block: { time: Date }) => Promise<void>

export interface JobEventHandler {
  name: JobEventName
  handle: Handle
  undo: Handle
}

/**
 * Follows the escrow's events, no matter who caused them: the operator on somebody's behalf, a party from its own wallet, the
 * Safe, or a passer-by who released after the review window.
 */
export function jobsEventHandlers(deps: FollowDeps): JobEventHandler[] {
  const handle: Handle = async (tx, event, { time }) => {
    const job = await lockJobByKey(tx, event.key)
    if (!job || job.escrowFacts === null) return
    const factsBefore = job.escrowFacts
    await insertEvent(tx, {
      id: deps.newId(),
      jobId: job.id,
      ...lineOf(event, job, await heldIn(tx, event, job)),
      at: time,
      txHash: event.transactionHash,
      logIndex: event.logIndex,
      factsBefore,
    })
    const facts = foldEvent(factsBefore, event)
    if (event.name === 'DisputeOpened') {
      await ensureDispute(tx, { jobId: job.id, openedBy: sideOf(event.by), at: time })
    }
    const followed = await returnUnwantedDeposit(tx, deps, { ...job, escrowFacts: facts }, event)
    const now = await storeTruth(tx, followed, time)
    await announceWork(tx, deps, job, now, time)
    await count(tx, deps, job, event, 1)
    if (event.name === 'JobFunded' && job.amlFlagged) {
      const { id: jobId, clientId: ownerId, priceMicro: amountMicro } = job
      await deps.onAmlFlagged(tx, { jobId, ownerId, amountMicro })
    }
    await notifyParties(tx, deps, { before: job, now, event, held: await heldIn(tx, event, job) })
  }

  const undo: Handle = async (tx, event, { time }) => {
    const job = await lockJobByKey(tx, event.key)
    if (!job) return
    const facts = await removeChainEvent(tx, { txHash: event.transactionHash, logIndex: event.logIndex })
    if (!facts) return
    const now = await storeTruth(tx, { ...job, escrowFacts: facts }, time)
    await announceWork(tx, deps, job, now, time)
    await count(tx, deps, job, event, -1)
  }

  return jobEventNames.map((name) => ({ name, handle, undo }))
}

/** Replays the stored events of a key to the handlers. */
export function createReplay(chainId: number, handlers: readonly JobEventHandler[]) {
  return async (tx: Transaction, escrowKey: string): Promise<void> => {
    for (const { event, block } of await listEventsOf(tx, { chainId, subject: escrowKey })) {
      const handler = handlers.find(({ name }) => name === event.name)
      await handler?.handle(tx, event as JobEvent, block)
    }
  }
}

/**
 * A deposit for a job that was called off meanwhile, or that its seller has not accepted, goes straight back, and says
 * nothing about the agent. The escrow is open to everybody: a client can pay there without the service.
 */
async function returnUnwantedDeposit(
  tx: Transaction,
  { intents }: FollowDeps,
  job: JobRow,
  { name }: JobEvent,
): Promise<JobRow> {
  const isReturning = job.openIntents.some((key) => key.startsWith('escrow.refund:'))
  const isUnwanted = job.status === 'CANCELLED' || job.needsAcceptance
  if (name !== 'JobFunded' || !isUnwanted || isReturning) return job
  const returned: JobRow = {
    ...job,
    status: 'CANCELLED',
    decidedStatus: 'CANCELLED',
    counts: false,
    decisions: job.decisions + 1,
  }
  const order = orderOf('escrow.refund', returned, null)
  await intents.create(tx, order)
  return { ...returned, openIntents: [...job.openIntents, order.key] }
}

/** Only what the chain has closed counts toward an agent's totals, and it stops counting when the chain takes it back. */
async function count(
  tx: Transaction,
  { addJobToTotals, addDisputeToTotals, followPayout }: FollowDeps,
  job: JobRow,
  event: JobEvent,
  by: 1 | -1,
): Promise<void> {
  if (event.name === 'DisputeOpened' && job.counts) await addDisputeToTotals(tx, job.agentId, by)
  if (event.name !== 'JobClosed') return
  const grossMicro = event.sellerNetMicro + event.feeMicro
  await addJobToTotals(tx, {
    jobId: job.id,
    agentId: job.agentId,
    outcome: grossMicro > 0n ? 'COMPLETED' : 'CANCELLED',
    counts: job.counts,
    volumeMicro: grossMicro,
    earnedMicro: event.sellerNetMicro,
    by,
  })
  if (grossMicro > 0n) await followPayout(tx, job, by)
}
