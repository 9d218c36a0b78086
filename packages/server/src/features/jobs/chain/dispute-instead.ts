import { DISPUTE_PERIOD_SECONDS, REVIEW_PERIOD_SECONDS } from '@agent-marketplace/contract'
import type { Intents } from '../../../money/intents/intents.ts'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { noticesOf } from '../lifecycle/announcements.ts'
import type { DecisionDeps } from '../lifecycle/decisions.ts'
import { insertDispute } from '../lifecycle/dispute-store.ts'
import { type EscrowFacts, isClosed } from '../lifecycle/escrow-facts.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { missedAtOf } from '../lifecycle/moves/overtaking.ts'
import { orderOf } from '../lifecycle/orders.ts'
import { saveJob } from '../lifecycle/store.ts'
import { insertEvent } from '../lifecycle/timeline-store.ts'

export interface DisputeInsteadDeps extends Pick<DecisionDeps, 'clock' | 'newId' | 'notify'> {
  intents: Pick<Intents, 'create'>
}

/** The claim itself was wrong: the seller had no part in the refusal. */
const ownFaults = ['TooEarly', 'NoDeadline', 'NotAllowed']

const REASON =
  'The deadline was missed. The client asked for the money back, and the seller delivered on chain before the refund was mined.'

/** The claim was made before anyone had read that the work was there; its review goes on as if nobody had claimed. */
function wasInTime({ state, dueAt, reviewEndsAt }: EscrowFacts): boolean {
  const missedAt = missedAtOf(dueAt === null ? null : new Date(dueAt * 1000))
  if (state !== 'SUBMITTED' || missedAt === null || reviewEndsAt === null) return false
  return (reviewEndsAt - REVIEW_PERIOD_SECONDS) * 1000 < missedAt.getTime()
}

/**
 * The client claimed a missed deadline, and the seller was faster: doing nothing would now pay for work that the client wanted
 * to end. A dispute is what is left to the client, so it is opened at once.
 */
export async function disputeInstead(
  tx: Transaction,
  { clock, newId, notify, intents }: DisputeInsteadDeps,
  job: JobRow,
  refusal: string,
): Promise<void> {
  const { escrowFacts: facts } = job
  if (facts === null || isClosed(facts) || facts.state === 'DISPUTED' || ownFaults.includes(refusal)) return
  if (wasInTime(facts)) return
  const now = clock.now()
  const disputed: JobRow = {
    ...job,
    status: 'DISPUTED',
    decidedStatus: 'DISPUTED',
    decisions: job.decisions + 1,
    endedAt: null,
    undecidedAt: addSeconds(now, DISPUTE_PERIOD_SECONDS),
    reviewEndsAt: null,
  }
  const order = orderOf('escrow.openDispute', disputed, null, { onBehalfOf: 'client' })
  await intents.create(tx, order)
  await saveJob(tx, { ...disputed, openIntents: [...job.openIntents, order.key] })
  await insertDispute(tx, { jobId: job.id, openedBy: 'CLIENT', reason: REASON, at: now })
  await insertEvent(tx, {
    id: newId(),
    jobId: job.id,
    type: 'DISPUTE_OPENED',
    actor: 'PLATFORM',
    message: REASON,
    at: now,
  })
  const message = `${REASON} A dispute is opened for the client.`
  await notify(
    tx,
    ...noticesOf(job, 'PLATFORM', { type: 'JOB_DISPUTED', title: 'Dispute opened for the client', message }),
  )
}
