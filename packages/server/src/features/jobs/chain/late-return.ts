import { type Intent, IntentRejected, type Intents } from '../../../money/intents/intents.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { ChainReader } from '../../../ports/chain/port.ts'
import type { EscrowEffect } from '../lifecycle/moves/transitions.ts'
import { orderOf } from '../lifecycle/orders.ts'
import { lockJob } from '../lifecycle/store.ts'
import { storeTruth } from './truth.ts'

/** No request caused it: the deposit arrived after its job was cancelled, and the platform owes it back. */
export const isLateReturn = (effect: EscrowEffect, { requestId }: Intent): boolean =>
  effect === 'escrow.refund' && requestId === null

const CLOSED = 'ALREADY_CLOSED'
const ALONE = 'SELLER_ACTS_ALONE'
export const isProof = (reason: string): boolean => reason === CLOSED || reason === ALONE

/** The chain itself shows when a return can no longer be made: it is made, or the seller let nobody act for it. */
export async function assertReturnable(
  { reader }: { reader: Pick<ChainReader, 'getJob'> },
  key: string,
): Promise<void> {
  const job = await reader.getJob(`0x${key.slice(2)}`)
  if (job?.isClosed) throw new IntentRejected(CLOSED)
  if (job?.doesSellerActAlone) throw new IntentRejected(ALONE)
}

/** It reverted on chain, or its nonce was given up: the same again, as a new order. */
export async function orderReturn(
  tx: Transaction,
  { intents, clock }: { intents: Pick<Intents, 'create'>; clock: Clock },
  jobId: string,
  key: string,
): Promise<void> {
  const job = await lockJob(tx, jobId)
  if (!job) throw new Error(`there is no job ${jobId}`)
  const again = { ...job, decisions: job.decisions + 1 }
  const order = orderOf('escrow.refund', again, null)
  await intents.create(tx, order)
  const openIntents = [...job.openIntents.filter((one) => one !== key), order.key]
  await storeTruth(tx, { ...again, openIntents }, clock.now())
}
