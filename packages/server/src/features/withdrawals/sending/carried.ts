import type { JournalPlace } from '../../../money/books/journal.ts'
import { readCursor } from '../../../money/following/cursor-store.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { createDueWork } from '../../../platform/queue/due-work.ts'
import type { ChainEventOf } from '../../../ports/chain/port.ts'
import type { WithdrawalPayload } from '../payload.ts'
import { AUTHORIZATION_SECONDS, authorizationNonceOf, intentKeyOf, laneOf, verdictOf } from '../rules.ts'
import {
  findFailedBy,
  listWaiting,
  lockCarried,
  lockWithdrawal,
  saveAttempt,
  saveCarried,
  saveSigned,
  type WaitingWithdrawal,
} from '../store.ts'
import { type OutcomeDeps, writeFailed, writeMoved, writeOpenAgain } from './outcomes.ts'

const BATCH = 500

export interface CarriedDeps extends OutcomeDeps {
  db: Database
  chainId: number
  intents: Pick<Intents, 'create' | 'kick'>
  /** The newest block that no fork is expected to take back, and the time that the chain has come to there. */
  firmBlock: () => Promise<FirmBlock | undefined>
}

export interface FirmBlock {
  number: bigint
  time: Date
}

/**
 * Anyone who sees the signed bytes of a withdrawal can send them before us. Our own attempt is refused then, and the money
 * has moved all the same: the chain's events say by which transaction.
 */
export function createCarriedWithdrawals(deps: CarriedDeps) {
  const { db, chainId, intents } = deps

  /** Confirms an open withdrawal that somebody else has carried out; false while no such transfer was read. */
  async function confirm(tx: Transaction, payload: WithdrawalPayload): Promise<boolean> {
    const { withdrawalId, from, to } = payload
    const withdrawal = await lockWithdrawal(tx, withdrawalId)
    const transfer = await findTransfer(tx, chainId, payload)
    if (transfer === undefined || withdrawal.status === 'CONFIRMED') return false
    const { blockTime, ...place } = transfer
    await saveCarried(tx, withdrawalId, transfer.txHash)
    const chain = { chainId, ...place }
    await writeMoved(tx, deps, withdrawal, {
      from,
      to,
      place: chain,
      at: blockTime,
      intentId: withdrawal.intentId,
    })
    return true
  }

  /** Fails one that nobody can carry out any more: the signature's time is over, and the books are past that time. */
  async function endExpired(tx: Transaction, { withdrawalId }: WithdrawalPayload, firm: FirmBlock) {
    const withdrawal = await lockWithdrawal(tx, withdrawalId)
    const { status, signedUntil, rejectedBecause: reason, attempts } = withdrawal
    if (status !== 'SUBMITTED' || reason === null || verdictOf(reason, attempts) !== 'failed') return
    const cursor = await readCursor(tx, chainId)
    if (cursor === undefined || cursor.blockNumber < firm.number) return
    // Signed by an earlier release, which did not write the time down: no signature is valid for longer than this.
    const until = signedUntil ?? addSeconds(firm.time, AUTHORIZATION_SECONDS)
    if (signedUntil === null) await saveSigned(tx, withdrawalId, until)
    if (until <= firm.time) await writeFailed(tx, deps, withdrawal, reason)
  }

  const finishWaiting = createDueWork<WaitingWithdrawal, FirmBlock | undefined>({
    list: (after) => listWaiting(db, { after: after?.id, limit: BATCH }),
    work: ({ payload }, firm) =>
      db.transaction(async (tx) => {
        if (!(await confirm(tx, payload)) && firm !== undefined) await endExpired(tx, payload, firm)
      }),
  })

  return {
    confirm,

    /** Its transfer may be read after our attempt was refused, or never come. To be called now and then. */
    async followUp(signal?: AbortSignal): Promise<void> {
      const [first] = await listWaiting(db, { limit: 1 })
      if (first !== undefined) await finishWaiting(await deps.firmBlock(), signal)
    },

    /** The chain decides, even about a withdrawal that was marked as failed. */
    async overrule(
      tx: Transaction,
      {
        nonce,
        transactionHash: txHash,
      }: Pick<ChainEventOf<'AuthorizationUsed'>, 'nonce' | 'transactionHash'>,
    ): Promise<void> {
      const failed = await findFailedBy(tx, { chainId, txHash, nonce })
      if (failed) await confirm(tx, failed.payload)
    },

    /** A fork took that transfer back: the withdrawal is open again, and goes out again. */
    async undo(tx: Transaction, { transactionHash }: { transactionHash: string }): Promise<void> {
      for (const { payload, attempts, ...carried } of await lockCarried(tx, transactionHash)) {
        const { id } = carried
        await writeOpenAgain(tx, deps, carried)
        const key = intentKeyOf(id, attempts + 1)
        const next = await intents.create(tx, {
          kind: 'withdrawal',
          key,
          payload,
          requestId: null,
          ...laneOf(payload.walletId, carried.jobId),
        })
        await saveAttempt(tx, id, next.id)
        tx.afterCommit(intents.kick)
      }
    },
  }
}

export type CarriedWithdrawals = ReturnType<typeof createCarriedWithdrawals>

/**
 * The transfer that the use of the withdrawal's authorization made; its nonce is signed for nothing else. The token emits
 * it right after the use, so that others in the same transaction are not taken for it.
 */
function findTransfer(
  db: Queryable,
  chainId: number,
  { withdrawalId, from, to, amountMicro }: WithdrawalPayload,
): Promise<(Omit<JournalPlace, 'chainId'> & { blockTime: Date }) | undefined> {
  return db.maybeOne(sql`
    select t.tx_hash, t.log_index, t.block_number, t.block_hash, t.block_time
    from chain_events used
    join lateral (
      select * from chain_events next
      where next.chain_id = used.chain_id and next.tx_hash = used.tx_hash and next.name = 'UsdcTransferred'
        and next.is_canonical and next.log_index > used.log_index
      order by next.log_index limit 1) t on true
    where used.chain_id = ${chainId} and used.subject = ${from.toLowerCase()} and used.name = 'AuthorizationUsed'
      and used.is_canonical and used.args ->> 'nonce' = ${authorizationNonceOf(withdrawalId)}
      and lower(t.args ->> 'from') = ${from.toLowerCase()} and lower(t.args ->> 'to') = ${to.toLowerCase()}
      and (t.args #>> '{amountMicro,bigint}')::numeric = ${amountMicro}::numeric`)
}
