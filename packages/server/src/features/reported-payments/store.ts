import type { X402Verification } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

export interface LogRow {
  id: string
  /** Who reported it first; of the parties, once one of them has. */
  ownerId: string
  agentId: string
  payeeOwnerId: string
  /** Proven by the chain, or by the owner's own word about its own wallet. */
  payerOwnerId: string | null
  chainId: number
  txId: string
  txKey: string
  payerWallet: string | null
  payeeWallet: string
  amountMicro: bigint
  /** What the parties said, and nobody else. */
  serviceName: string | null
  metadata: Record<string, unknown> | null
  ofParties: boolean
  verification: X402Verification
  /** The transfer that proves it, and the one that a reporter named. */
  logIndex: number | null
  namedLogIndex: number | null
  createdAt: Date
}

/** Without what the parties said. */
export const facts = sql`
  id, logged.owner_id, agent_id, payee_owner_id, payer_owner_id, chain_id, tx_id, tx_key, payer_wallet, payee_wallet,
  amount_micro, of_parties, verification, log_index, named_log_index, logged.created_at`
const columns = sql`${facts}, service_name, metadata`

export const jsonOrNull = (value: Record<string, unknown> | null) => (value === null ? null : sql.json(value))

/** Reports of one transaction wait for each other, so that two at once make one record. */
export async function lockTransaction(tx: Queryable, chainId: number, txKey: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`x402-log:${chainId}:${txKey}`}, 0))`)
}

export function insertLog(db: Queryable, log: Omit<LogRow, 'verification' | 'logIndex'>): Promise<LogRow> {
  return db.one(sql`
    insert into x402_transactions as logged (id, owner_id, agent_id, payee_owner_id, payer_owner_id, chain_id, tx_id, tx_key,
      payer_wallet, payee_wallet, amount_micro, service_name, metadata, of_parties, named_log_index, created_at)
    values (${log.id}, ${log.ownerId}, ${log.agentId}, ${log.payeeOwnerId}, ${log.payerOwnerId}, ${log.chainId},
      ${log.txId}, ${log.txKey}, ${log.payerWallet}, ${log.payeeWallet}, ${log.amountMicro}, ${log.serviceName},
      ${jsonOrNull(log.metadata)}, ${log.ofParties}, ${log.namedLogIndex}, ${log.createdAt})
    returning ${columns}`)
}

/** What a report adds to the record that it joins. */
export function saveJoined(db: Queryable, log: LogRow): Promise<LogRow> {
  return db.one(sql`
    update x402_transactions as logged
    set owner_id = ${log.ownerId}, payer_owner_id = ${log.payerOwnerId}, payer_wallet = ${log.payerWallet},
      service_name = ${log.serviceName}, metadata = ${jsonOrNull(log.metadata)}, of_parties = ${log.ofParties},
      named_log_index = ${log.namedLogIndex}
    where id = ${log.id}
    returning ${columns}`)
}

/** All that is logged of a transaction as payments to one agent, oldest first. */
export function listLogsOf(
  db: Queryable,
  { chainId, txKey, agentId }: { chainId: number; txKey: string; agentId: string },
): Promise<LogRow[]> {
  return db.rows(sql`
    select ${columns} from x402_transactions logged
    where chain_id = ${chainId} and tx_key = ${txKey} and agent_id = ${agentId} order by id for no key update`)
}

/** Another record of a transaction that is proven, or may be. */
export type OtherLog = Pick<
  LogRow,
  'payerWallet' | 'payeeWallet' | 'amountMicro' | 'logIndex' | 'namedLogIndex'
>

export function listOtherLogs(db: Queryable, { id, chainId, txKey }: LogRow): Promise<OtherLog[]> {
  return db.rows(sql`
    select payer_wallet, payee_wallet, amount_micro, log_index, named_log_index from x402_transactions
    where chain_id = ${chainId} and tx_key = ${txKey} and id <> ${id} and verification <> 'UNVERIFIED'`)
}

export function findLog(db: Queryable, id: string): Promise<LogRow> {
  return db.one(sql`select ${columns} from x402_transactions logged where id = ${id}`)
}

/** Reads and locks the record. */
export function lockLog(tx: Queryable, id: string): Promise<LogRow> {
  return tx.one(sql`select ${columns} from x402_transactions logged where id = ${id} for no key update`)
}

/** Undefined when it was decided before. */
export function saveVerification(
  db: Queryable,
  id: string,
  found: { verification: X402Verification; payerWallet: string | null; logIndex: number | null },
): Promise<LogRow | undefined> {
  return db.maybeOne(sql`
    update x402_transactions as logged
    set verification = ${found.verification}, log_index = ${found.logIndex},
      payer_wallet = coalesce(${found.payerWallet}, payer_wallet)
    where id = ${id} and verification = 'PENDING'
    returning ${columns}`)
}

/** A fork took the transfer back that proved it; returns the record as it was, which is to be looked at again. */
export function reopenVerification(
  tx: Queryable,
  { chainId, txKey, logIndex }: { chainId: number; txKey: string; logIndex: number },
): Promise<(LogRow & { counted: boolean }) | undefined> {
  return tx.maybeOne(sql`
    with proved as (
      select ${columns}, counted from x402_transactions logged
      where chain_id = ${chainId} and tx_key = ${txKey} and verification = 'VERIFIED' and log_index = ${logIndex}
      for no key update
    ), reopened as (
      update x402_transactions set verification = 'PENDING', log_index = null, counted = false
      from proved where x402_transactions.id = proved.id
    )
    select * from proved`)
}

/** Marks a payment that counts toward its agent's totals. */
export async function saveCounted(tx: Queryable, id: string): Promise<void> {
  await tx.run(sql`update x402_transactions set counted = true where id = ${id}`)
}

/** Whether such a payment is being settled here, and so will be posted by its own conclusion. */
export async function isBeingSettled(
  db: Queryable,
  transfer: { from: string; to: string; amountMicro: bigint },
): Promise<boolean> {
  const [open] = await db.rows(sql`
    select 1 from x402_payments
    where status = 'PENDING' and payer = ${transfer.from.toLowerCase()} and pay_to = ${transfer.to.toLowerCase()}
      and amount_micro = ${transfer.amountMicro}
    limit 1`)
  return open !== undefined
}
