import { escrowAccount } from '../../../money/books/accounts.ts'
import type { IntentKind, Intents } from '../../../money/intents/intents.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { ChainReader, EscrowCalls } from '../../../ports/chain/port.ts'
import { noticeTo } from '../lifecycle/announcements.ts'
import type { DecisionDeps } from '../lifecycle/decisions.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { missedAtOf } from '../lifecycle/moves/overtaking.ts'
import { type EscrowEffect, escrowEffects } from '../lifecycle/moves/transitions.ts'
import { EscrowOrder, isDeposit } from '../lifecycle/orders.ts'
import { findJob, lockJob } from '../lifecycle/store.ts'
import { insertEvent } from '../lifecycle/timeline-store.ts'
import { announceWork } from '../lifecycle/work.ts'
import { TAKEN } from '../payment/deposit-trial.ts'
import { disputeInstead } from './dispute-instead.ts'
import { assertReturnable, isLateReturn, isProof, orderReturn } from './late-return.ts'
import { callOf } from './order-calls.ts'
import { storeTruth } from './truth.ts'

export interface IntentKindsDeps extends Pick<DecisionDeps, 'clock' | 'newId' | 'notify' | 'followWork'> {
  escrow: EscrowCalls
  db: Queryable
  reader: Pick<ChainReader, 'getJob'>
  /** The time up to which the books know the chain. */
  timeOfBooks: () => Promise<Date>
  intents: Pick<Intents, 'create'>
}

/** More than any of these calls takes; a deposit may have to ask a smart account, so its gas is searched for. */
const GAS_LIMIT = 300_000n
/** The client's own wallet checks its signature, and decides what that costs. */
const DEPOSIT_GAS = 600_000n

const paysSeller = (effect: EscrowEffect): boolean =>
  effect === 'escrow.release' || effect === 'escrow.acceptSettlement'

const without = (open: string[], key: string): string[] => open.filter((one) => one !== key)

/** One kind for each call that the operator makes in the escrow. */
export function jobsIntentKinds(deps: IntentKindsDeps): IntentKind<EscrowOrder>[] {
  return escrowEffects.map((effect) => ({
    kind: effect,
    payload: EscrowOrder,
    sender: 'operator',
    amountMicro: ({ amount }) => BigInt(amount),
    ...(paysSeller(effect) ? { paysFrom: ({ key }: EscrowOrder) => escrowAccount(key) } : {}),
    ...(effect === 'escrow.deposit' ? { mostGas: DEPOSIT_GAS } : { gasLimit: GAS_LIMIT }),
    isOwed: (_order, intent) => isLateReturn(effect, intent),
    async prepare(order, intent) {
      if (isLateReturn(effect, intent)) await assertReturnable(deps, order.key)
      if (effect === 'escrow.claimMissedDeadline') await assertDeadlineBooked(deps, order.jobId)
      return callOf(deps.escrow, effect, order)
    },
    async onSettled(tx, { key }, { jobId }) {
      await changeOpen(tx, deps, jobId, (open) => without(open, key))
    },
    async onReverted(tx, { key }, { jobId }) {
      await changeOpen(tx, deps, jobId, (open) => [...without(open, key), key])
    },
    async onRejected(tx, intent, { jobId }, reason) {
      const { key } = intent
      if (isLateReturn(effect, intent) && !isProof(reason)) return orderReturn(tx, deps, jobId, key)
      const job = await changeOpen(tx, deps, jobId, (open) => without(open, key))
      // Someone else sent the deposit: the job is funded, and its chain event follows.
      if (effect === 'escrow.deposit' && reason === TAKEN) return
      await notifyOfRefusal(tx, deps, job, { key, reason })
      if (effect === 'escrow.claimMissedDeadline') await disputeInstead(tx, deps, job, reason)
    },
  }))
}

/** A delivery that came in time may be unread: the claim waits until the books have come to the end of that time. */
async function assertDeadlineBooked({ db, timeOfBooks }: IntentKindsDeps, jobId: string): Promise<void> {
  const missedAt = missedAtOf((await findJob(db, jobId))?.dueAt ?? null)
  if (missedAt !== null && (await timeOfBooks()) < missedAt)
    throw new Error(`the books have not come to the deadline of job ${jobId}`)
}

async function changeOpen(
  tx: Transaction,
  deps: IntentKindsDeps,
  jobId: string,
  change: (open: string[]) => string[],
): Promise<JobRow> {
  const job = await lockJob(tx, jobId)
  if (!job) throw new Error(`there is no job ${jobId}`)
  const now = deps.clock.now()
  const changed = await storeTruth(tx, { ...job, openIntents: change(job.openIntents) }, now)
  await announceWork(tx, deps, job, changed, now)
  return changed
}

const NOT_RELEASED = 'The service does not release the payment by itself.'

/** The chain would not do it: the job is where the chain has it, and both sides must know. */
async function notifyOfRefusal(
  tx: Transaction,
  { newId, clock, notify }: IntentKindsDeps,
  job: JobRow,
  { key, reason }: { key: string; reason: string },
): Promise<void> {
  const type = isDeposit(key) ? 'PAYMENT_REFUSED' : 'ESCROW_REFUSED'
  const refused = `The escrow refused ${key.split(':')[0]?.replace('escrow.', '')}: ${reason}.`
  const message = key.startsWith('escrow.openDispute:') ? `${refused} ${NOT_RELEASED}` : refused
  await insertEvent(tx, { id: newId(), jobId: job.id, type, actor: 'PLATFORM', message, at: clock.now() })
  const words = isDeposit(key)
    ? ({ type: 'PAYMENT_FAILED', title: 'Payment refused', message } as const)
    : ({ type: 'SYSTEM_ALERT', title: 'The escrow rejected an action', message } as const)
  const sides = isDeposit(key) ? (['CLIENT'] as const) : (['CLIENT', 'SELLER'] as const)
  await notify(tx, ...sides.map((side) => noticeTo(job, side, words)))
}
