import type { JobParty, NotificationType, TimelineType } from '@agent-marketplace/contract'
import { listEventsOf } from '../../../money/following/event-store.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { noticesOf, noticeTo, usdc } from '../lifecycle/announcements.ts'
import type { DecisionDeps, FollowPayout } from '../lifecycle/decisions.ts'
import {
  closedStateOf,
  foldEvent,
  type JobEvent,
  type JobEventName,
  jobEventNames,
  shareOf,
  sideOf,
} from '../lifecycle/escrow-facts.ts'
import { ensureDispute, insertEvent, isHeld, removeChainEvent } from '../lifecycle/history-store.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { orderOf } from '../lifecycle/orders.ts'
import { lockJobByKey } from '../lifecycle/store.ts'
import { announceWork } from '../lifecycle/work.ts'
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

/** Who of the two was not paid, because the token refuses them. */
interface Held {
  seller: boolean
  client: boolean
}

async function heldIn(tx: Transaction, event: JobEvent, job: JobRow): Promise<Held> {
  if (event.name !== 'JobClosed') return { seller: false, client: false }
  const { sellerNetMicro, refundedMicro } = event
  return {
    seller: await isHeld(tx, event, { recipient: job.agentWallet, amountMicro: sellerNetMicro }),
    client: await isHeld(tx, event, { recipient: job.clientWallet, amountMicro: refundedMicro }),
  }
}

type Line = { type: TimelineType; actor: JobParty; message: string }

/** How an event of the chain reads on the timeline. */
function lineOf(event: JobEvent, job: JobRow, held: Held): Line {
  switch (event.name) {
    case 'JobFunded':
      return line('JOB_FUNDED', 'CLIENT', `The escrow holds ${usdc(event.terms.amountMicro)}.`)
    case 'WorkSubmitted':
      return line('ESCROW_SUBMITTED', 'SELLER', 'The delivery is recorded on chain.')
    case 'ChangesRequested':
      return line('ESCROW_CHANGES_REQUESTED', 'CLIENT', 'The request for changes is recorded on chain.')
    case 'DisputeOpened':
      return line('ESCROW_DISPUTED', sideOf(event.by), 'The dispute is recorded on chain.')
    case 'SettlementProposed': {
      const percent = event.sellerBps / 100
      return line(
        'ESCROW_OFFER',
        sideOf(event.by),
        `An offer of ${percent}% for the seller is recorded on chain.`,
      )
    }
    case 'OperatorDisabled':
      return line('OPERATOR_DISABLED', sideOf(event.party), 'This side acts from its own wallet from now on.')
    case 'JobClosed': {
      const share = shareOf(event.sellerNetMicro + event.feeMicro, job.priceMicro) / 100
      const toAgent = `${usdc(event.sellerNetMicro)} ${held.seller ? 'held for the agent to claim' : 'to the agent'}`
      const back = `${usdc(event.refundedMicro)} ${held.client ? 'held for the client to claim' : 'back'}`
      const parts = `${toAgent}, ${usdc(event.feeMicro)} fee, ${back}.`
      const actor = event.outcome === 'ruled' ? 'ARBITER' : 'PLATFORM'
      return line(`ESCROW_${closedStateOf(event)}`, actor, `Paid out (${share}% to the seller): ${parts}`)
    }
  }
}

const line = (type: TimelineType, actor: JobParty, message: string): Line => ({ type, actor, message })

const newsOf: Partial<Record<JobRow['status'], NotificationType>> = {
  UNDER_REVIEW: 'JOB_DELIVERED',
  IN_PROGRESS: 'CHANGES_REQUESTED',
  DISPUTED: 'JOB_DISPUTED',
  COMPLETED: 'JOB_COMPLETED',
  CANCELLED: 'JOB_CANCELLED',
}

/** Decisions were announced when made; these are payments that arrived, and what a party did directly on chain. */
async function notifyParties(
  tx: Transaction,
  { notify }: FollowDeps,
  { before, now, event, held }: { before: JobRow; now: JobRow; event: JobEvent; held: Held },
): Promise<void> {
  if (event.name === 'JobFunded') {
    if (before.status === 'CANCELLED') return
    if (now.status === 'CANCELLED') {
      const message = 'It was paid before the seller accepted it. The deposit goes back.'
      const words = { type: 'JOB_CANCELLED', title: 'Job cancelled', message } as const
      await notify(tx, ...noticesOf(now, 'PLATFORM', words))
      return
    }
    const message = `The escrow holds ${usdc(now.priceMicro)}. You can begin.`
    await notify(tx, noticeTo(now, 'SELLER', { type: 'JOB_FUNDED', title: 'Job paid', message }))
    return
  }
  const notices = []
  const type = now.status === before.status ? undefined : newsOf[now.status]
  if (type !== undefined) {
    const message = `On chain the job has become ${now.status}.`
    notices.push(...noticesOf(now, 'PLATFORM', { type, title: 'Job changed on chain', message }))
  }
  if (event.name === 'JobClosed') {
    const paid = (side: 'CLIENT' | 'SELLER', amountMicro: bigint, message: string) =>
      amountMicro > 0n
        ? [noticeTo(now, side, { type: 'PAYMENT_RECEIVED', title: 'Payment received', message })]
        : []
    notices.push(
      ...paid(
        'SELLER',
        held.seller ? 0n : event.sellerNetMicro,
        `${usdc(event.sellerNetMicro)} went to the agent’s wallet.`,
      ),
      ...paid(
        'CLIENT',
        held.client ? 0n : event.refundedMicro,
        `${usdc(event.refundedMicro)} came back to your wallet.`,
      ),
    )
  }
  await notify(tx, ...notices)
}
