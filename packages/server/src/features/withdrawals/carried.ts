import type { Account } from '../../money/accounts.ts'
import { saveSpendStatus } from '../../money/guardrails.ts'
import type { Intents } from '../../money/intents.ts'
import { type JournalPlace, postEntry } from '../../money/journal.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { WithdrawalPayload } from './intent-kind.ts'
import { confirmedNotice, type Notify } from './notices.ts'
import { authorizationNonceOf, intentKeyOf } from './rules.ts'
import { listWaiting, lockCarried, lockWithdrawal, saveAttempt, saveCarried, saveOpenAgain } from './store.ts'

export interface CarriedDeps {
  db: Database
  chainId: number
  accountOf: (address: string) => Account
  intents: Pick<Intents, 'create' | 'kick'>
  notify: Notify
}

/**
 * Whoever sees the signed bytes of a withdrawal can send them before us. Our own attempt is refused then, and the money
 * has moved all the same: the chain's events say by which transaction.
 */
export function createCarriedWithdrawals({ db, chainId, accountOf, intents, notify }: CarriedDeps) {
  /** Confirms an open withdrawal that somebody else has carried out; false while no such transfer was read. */
  async function confirm(tx: Transaction, payload: WithdrawalPayload): Promise<boolean> {
    const { withdrawalId, from, to } = payload
    const withdrawal = await lockWithdrawal(tx, withdrawalId)
    const transfer = await findTransfer(tx, chainId, payload)
    if (transfer === undefined || withdrawal.status === 'CONFIRMED') return false
    const { blockTime, ...place } = transfer
    const {
      owner_id: ownerId,
      agent_id: agentId,
      amount_micro: amountMicro,
      intent_id: intentId,
    } = withdrawal
    await postEntry(tx, {
      kind: 'withdrawal',
      at: blockTime,
      postings: [
        { account: accountOf(from), amountMicro: -amountMicro },
        { account: accountOf(to), amountMicro },
      ],
      intentId,
      chain: { chainId, ...place },
      reference: { agentId, ownerId },
    })
    await saveCarried(tx, withdrawalId, transfer.txHash)
    await saveSpendStatus(tx, withdrawalId, 'SPENT')
    await notify(tx, confirmedNotice({ ownerId, amountMicro }))
    return true
  }

  return {
    confirm,

    /** Its transfer may have been read after our attempt was refused. To be called now and then. */
    async followUp(): Promise<void> {
      for (const payload of await listWaiting(db)) await db.transaction((tx) => confirm(tx, payload))
    },

    /** A fork took that transfer back: the withdrawal is open again, and goes out again. */
    async undo(tx: Transaction, { transactionHash }: { transactionHash: string }): Promise<void> {
      for (const { id, attempts, payload } of await lockCarried(tx, transactionHash)) {
        await saveOpenAgain(tx, id)
        await saveSpendStatus(tx, id, 'RESERVED')
        const key = intentKeyOf(id, attempts + 1)
        const next = await intents.create(tx, { kind: 'withdrawal', key, payload, requestId: null })
        await saveAttempt(tx, id, next.id)
        tx.afterCommit(intents.kick)
      }
    },
  }
}

export type CarriedWithdrawals = ReturnType<typeof createCarriedWithdrawals>

/**
 * The transfer that the use of the withdrawal's authorization made; its nonce is signed for nothing else. The token tells
 * of it right after the use, so that others in the same transaction are not taken for it.
 */
function findTransfer(
  db: Queryable,
  chainId: number,
  { withdrawalId, from, to, amountMicro }: WithdrawalPayload,
): Promise<(Omit<JournalPlace, 'chainId'> & { blockTime: Date }) | undefined> {
  return db.maybeOne(sql`
    select t.tx_hash as "txHash", t.log_index as "logIndex", t.block_number as "blockNumber",
      t.block_hash as "blockHash", t.block_time as "blockTime"
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
