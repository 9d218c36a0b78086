import type { X402Verification } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface LogRow {
  id: string
  owner_id: string
  agent_id: string
  payee_owner_id: string
  chain_id: number
  tx_id: string
  tx_key: string
  payer_wallet: string | null
  payee_wallet: string
  amount_micro: bigint
  service_name: string | null
  metadata: Record<string, unknown> | null
  verification: X402Verification
  created_at: Date
}

export type NewLog = Omit<LogRow, 'verification'>

const columns = sql`
  id, owner_id, agent_id, payee_owner_id, chain_id, tx_id, tx_key, payer_wallet, payee_wallet, amount_micro,
  service_name, metadata, verification, created_at`

/** Undefined when the transaction is logged already. What the chain did not confirm stands in nobody's way. */
export function insertLog(db: Queryable, log: NewLog): Promise<LogRow | undefined> {
  const metadata = log.metadata === null ? null : sql.json(log.metadata)
  return db.maybeOne(sql`
    insert into x402_transactions (id, owner_id, agent_id, payee_owner_id, chain_id, tx_id, tx_key, payer_wallet,
      payee_wallet, amount_micro, service_name, metadata, created_at)
    values (${log.id}, ${log.owner_id}, ${log.agent_id}, ${log.payee_owner_id}, ${log.chain_id}, ${log.tx_id},
      ${log.tx_key}, ${log.payer_wallet}, ${log.payee_wallet}, ${log.amount_micro}, ${log.service_name},
      ${metadata}, ${log.created_at})
    on conflict (chain_id, tx_key) where verification <> 'UNVERIFIED' do nothing
    returning ${columns}`)
}

/** The newest record of a transaction that has one. */
export function findLogByTx(db: Queryable, chainId: number, txKey: string): Promise<LogRow> {
  return db.one(sql`
    select ${columns} from x402_transactions where chain_id = ${chainId} and tx_key = ${txKey}
    order by id desc limit 1`)
}

export function findOwnLog(
  db: Queryable,
  ownerId: string,
  chainId: number,
  txKey: string,
): Promise<LogRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from x402_transactions
    where owner_id = ${ownerId} and chain_id = ${chainId} and tx_key = ${txKey}
    order by id desc limit 1`)
}

export function findLog(db: Queryable, id: string): Promise<LogRow> {
  return db.one(sql`select ${columns} from x402_transactions where id = ${id}`)
}

/** Reads the record and keeps whoever wants to decide about it waiting. */
export function lockLog(tx: Queryable, id: string): Promise<LogRow> {
  return tx.one(sql`select ${columns} from x402_transactions where id = ${id} for no key update`)
}

/** False when it was decided before. */
export async function saveVerification(
  db: Queryable,
  id: string,
  found: { verification: X402Verification; payerWallet: string | null; logIndex: number | null },
): Promise<boolean> {
  const saved = await db.run(sql`
    update x402_transactions
    set verification = ${found.verification}, log_index = ${found.logIndex},
      payer_wallet = coalesce(payer_wallet, ${found.payerWallet})
    where id = ${id} and verification = 'PENDING'`)
  return saved === 1
}

/** A fork took the transfer back that proved it; answers the record as it was, which is to be looked at again. */
export function reopenVerification(
  tx: Queryable,
  { chainId, txKey, logIndex }: { chainId: number; txKey: string; logIndex: number },
): Promise<(LogRow & { counted: boolean }) | undefined> {
  return tx.maybeOne(sql`
    with proved as (
      select ${columns}, counted from x402_transactions
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

export interface LogFilter {
  ownerId: string
  agentId?: string | undefined
  wallet?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** Those that the owner logged, or whose agents were paid; the newest first. */
export function listLogs(
  db: Queryable,
  filter: LogFilter,
  page: { limit: number; offset: number },
): Promise<LogRow[]> {
  return db.rows(sql`
    select ${columns} from x402_transactions where ${conditionOf(filter)}
    order by id desc limit ${page.limit} offset ${page.offset}`)
}

export async function countLogs(db: Queryable, filter: LogFilter): Promise<number> {
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from x402_transactions where ${conditionOf(filter)}`,
  )
  return total
}

function conditionOf({ ownerId, agentId, wallet, from, to }: LogFilter): Sql {
  const conditions = [sql`(owner_id = ${ownerId} or payee_owner_id = ${ownerId})`]
  if (agentId !== undefined) conditions.push(sql`agent_id = ${agentId}`)
  if (wallet !== undefined)
    conditions.push(sql`lower(${wallet}) in (lower(payer_wallet), lower(payee_wallet))`)
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`created_at < ${to}`)
  return sql.join(conditions, sql` and `)
}
