import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Fees, Hex, PreparedCall, SignedTransaction } from '../../ports/chain/port.ts'
import type { Signer } from './signer-store.ts'

/**
 * Whether bytes were ever signed for one of these intents. They may have been seen by anyone from then on, also after the
 * intent has gone back to waiting.
 */
export async function wasSigned(db: Queryable, intentKeys: readonly string[]): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as signed from intents i join chain_transaction_hashes h on h.intent_id = i.id
    where i.key = any(${intentKeys}::text[]) limit 1`)
  return row !== undefined
}

/** The hash of the bytes that were signed last to carry an intent out; bytes that only use up its nonce do not. */
export async function findSignedHash(db: Queryable, intentKey: string): Promise<Hex | undefined> {
  const row = await db.maybeOne<{ hash: Hex }>(sql`
    select h.hash from intents i join chain_transaction_hashes h on h.intent_id = i.id
    where i.key = ${intentKey} and not h.is_noop order by h.created_at desc limit 1`)
  return row?.hash
}

/** One nonce of one sender and the newest bytes that were signed for it. */
export interface ChainTransaction {
  sender: Hex
  nonce: number
  intentId: string
  txHash: Hex
  rawTransaction: Hex
  gas: bigint
  fees: Fees
  call: PreparedCall
  isNoop: boolean
  replacements: number
}

interface TransactionRow {
  sender: Hex
  nonce: bigint
  intentId: string
  txHash: Hex
  rawTransaction: Hex
  gas: bigint
  maxFee: bigint
  priorityFee: bigint
  callTo: Hex
  callData: Hex
  isNoop: boolean
  replacements: number
}

const columns: Sql = sql`t.sender, t.nonce, t.intent_id, t.tx_hash, t.raw_transaction, t.gas, t.max_fee, t.priority_fee,
  t.call_to, t.call_data, t.is_noop, t.replacements`

const fromRow = (row: TransactionRow): ChainTransaction => {
  const { nonce, maxFee, priorityFee, callTo, callData, ...rest } = row
  return {
    ...rest,
    nonce: Number(nonce),
    fees: { maxFeePerGas: maxFee, maxPriorityFeePerGas: priorityFee },
    call: { to: callTo, data: callData, value: 0n },
  }
}

/** Transactions whose blocks are gone: their bytes are due again at once. */
export async function reopenTransactions(tx: Transaction, intentIds: string[]): Promise<void> {
  await tx.run(sql`
    update chain_transactions set status = 'OPEN', first_sent_at = null, missing_since = null, due_at = now()
    where status = 'MINED' and intent_id = any(${intentIds})`)
}

/** Stores signed bytes with their nonces and moves the sender's counter past them, in the caller's transaction. */
export async function storeTransactions(
  tx: Transaction,
  { chainId, address }: Signer,
  signed: Pick<
    ChainTransaction,
    'nonce' | 'intentId' | 'txHash' | 'rawTransaction' | 'gas' | 'fees' | 'call'
  >[],
  dueAfterSeconds: number,
): Promise<void> {
  const nonces = signed.map(({ nonce }) => nonce)
  await tx.run(sql`
    with stored as (
      insert into chain_transactions (chain_id, sender, nonce, intent_id, tx_hash, raw_transaction, gas, max_fee,
        priority_fee, call_to, call_data, due_at)
      select ${chainId}, ${address}, s.*, now() + make_interval(secs => ${dueAfterSeconds}::float8) from unnest(${nonces}::bigint[],
        ${signed.map(({ intentId }) => intentId)}::text[], ${signed.map(({ txHash }) => txHash)}::text[],
        ${signed.map(({ rawTransaction }) => rawTransaction)}::text[], ${signed.map(({ gas }) => gas)}::bigint[],
        ${signed.map(({ fees }) => fees.maxFeePerGas)}::numeric[],
        ${signed.map(({ fees }) => fees.maxPriorityFeePerGas)}::numeric[],
        ${signed.map(({ call }) => call.to)}::text[], ${signed.map(({ call }) => call.data)}::text[]) s
      returning chain_id, tx_hash, sender, nonce, intent_id
    ), hashed as (
      insert into chain_transaction_hashes (chain_id, hash, sender, nonce, intent_id)
      select chain_id, tx_hash, sender, nonce, intent_id from stored
    ), named as (
      update intents set tx_hash = stored.tx_hash from stored where intents.id = stored.intent_id
    )
    update chain_signers set next_nonce = greatest(next_nonce, ${Math.max(...nonces) + 1})
    where chain_id = ${chainId} and address = ${address}`)
}

export async function markSent(
  db: Queryable,
  { chainId, address }: Signer,
  { nonces, dueAfterSeconds }: { nonces: number[]; dueAfterSeconds: number },
): Promise<void> {
  await db.run(sql`
    update chain_transactions set first_sent_at = coalesce(first_sent_at, now()),
      due_at = now() + make_interval(secs => ${dueAfterSeconds}::float8)
    where chain_id = ${chainId} and sender = ${address} and nonce = any(${nonces}::bigint[])`)
}

/** Open transactions that it is time to look after, lowest nonce first. */
export async function listDue(
  db: Queryable,
  { chainId, address }: Signer,
  { stuckAfterSeconds, limit }: { stuckAfterSeconds: number; limit: number },
): Promise<(ChainTransaction & { isStuck: boolean })[]> {
  const rows = await db.rows<TransactionRow & { isStuck: boolean }>(sql`
    select ${columns},
      coalesce(t.first_sent_at <= now() - make_interval(secs => ${stuckAfterSeconds}::float8), false) as "isStuck"
    from chain_transactions t
    where t.chain_id = ${chainId} and t.sender = ${address} and t.status = 'OPEN' and t.due_at <= now()
    order by t.nonce limit ${limit}`)
  return rows.map((row) => ({ ...fromRow(row), isStuck: row.isStuck }))
}

/** Keys that are no longer ours and have sent what has no outcome yet. */
export async function listFormerSigners(
  db: Queryable,
  chainId: number,
  ownAddresses: readonly Hex[],
): Promise<Hex[]> {
  const rows = await db.rows<{ sender: Hex }>(sql`
    select distinct sender from chain_transactions
    where chain_id = ${chainId} and status = 'OPEN' and sender <> all(${ownAddresses}::text[]) order by sender`)
  return rows.map(({ sender }) => sender)
}

/** The row as it stands, locked, while it still waits for its outcome with these very bytes. */
export async function lockOpenTransaction(
  tx: Transaction,
  { chainId, address }: Signer,
  { nonce, txHash }: { nonce: number; txHash: Hex },
): Promise<ChainTransaction | undefined> {
  const row = await tx.maybeOne<TransactionRow>(sql`
    select ${columns} from chain_transactions t
    where t.chain_id = ${chainId} and t.sender = ${address} and t.nonce = ${nonce}
      and t.tx_hash = ${txHash} and t.status = 'OPEN'
    for update`)
  return row && fromRow(row)
}

/** The same nonce, new bytes. The old hash stays known: it may still be the one that is mined. */
export async function storeReplacement(
  tx: Transaction,
  { chainId, address }: Signer,
  {
    previous,
    signed,
    fees,
    isNoop,
  }: { previous: ChainTransaction; signed: SignedTransaction; fees: Fees; isNoop: boolean },
): Promise<void> {
  await tx.run(sql`
    with replaced as (
      update chain_transactions set tx_hash = ${signed.hash}, raw_transaction = ${signed.rawTransaction},
        max_fee = ${fees.maxFeePerGas}, priority_fee = ${fees.maxPriorityFeePerGas}, is_noop = ${isNoop},
        replacements = replacements + 1, first_sent_at = null, due_at = now()
      where chain_id = ${chainId} and sender = ${address} and nonce = ${previous.nonce}
      returning chain_id, sender, nonce, intent_id
    ), hashed as (
      insert into chain_transaction_hashes (chain_id, hash, sender, nonce, intent_id, is_noop)
      select chain_id, ${signed.hash}, sender, nonce, intent_id, ${isNoop} from replaced
    )
    update intents set tx_hash = ${signed.hash} where id = ${previous.intentId}`)
}
