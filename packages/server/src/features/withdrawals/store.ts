import type { WithdrawalStatus } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { WithdrawalPayload } from './payload.ts'
import { authorizationNonceOf } from './rules.ts'

export interface WithdrawalRow {
  id: string
  ownerId: string
  agentId: string
  /** The job that it refunds; null for a withdrawal by the owner. */
  jobId: string | null
  toAddress: string
  amountMicro: bigint
  intentId: string
  attempts: number
  status: WithdrawalStatus
  txHash: string | null
  /** Until when its newest signature can be carried out; null while nothing was signed. */
  signedUntil: Date | null
  /** Why its newest attempt was rejected. */
  rejectedBecause: string | null
  failureReason: string | null
  createdAt: Date
}

/** Until there is an outcome, only the intent records whether anything was sent, so that is not stored twice. */
const status = sql`
  coalesce(w.outcome, case when i.status = 'PENDING' then 'REQUESTED' else 'SUBMITTED' end)`
const columns = sql`
  w.id, w.owner_id, w.agent_id, w.job_id, w.to_address, w.amount_micro, w.intent_id, w.attempts, ${status} as status,
  coalesce(w.carried_tx_hash, i.tx_hash) as tx_hash, w.signed_until,
  i.reason as rejected_because, w.failure_reason, w.created_at`
const source = sql`withdrawals w join intents i on i.id = w.intent_id`

export interface NewWithdrawal
  extends Pick<
    WithdrawalRow,
    'id' | 'ownerId' | 'agentId' | 'jobId' | 'toAddress' | 'amountMicro' | 'intentId'
  > {
  now: Date
}

export async function insertWithdrawal(db: Queryable, given: NewWithdrawal): Promise<WithdrawalRow> {
  await db.run(sql`
    insert into withdrawals (id, owner_id, agent_id, job_id, to_address, amount_micro, intent_id, authorization_nonce,
      created_at)
    values (${given.id}, ${given.ownerId}, ${given.agentId}, ${given.jobId}, ${given.toAddress}, ${given.amountMicro},
      ${given.intentId}, ${authorizationNonceOf(given.id)}, ${given.now})`)
  return db.one(sql`select ${columns} from ${source} where w.id = ${given.id}`)
}

export function findWithdrawal(
  db: Queryable,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<WithdrawalRow | undefined> {
  return db.maybeOne(
    sql`select ${columns} from ${source} where w.id = ${id} and w.owner_id = ${ownerId} and w.job_id is null`,
  )
}

/** For whom and for what a withdrawal is signed. */
export function findSigned(
  db: Queryable,
  id: string,
): Promise<Pick<WithdrawalRow, 'jobId' | 'agentId' | 'ownerId'>> {
  return db.one(sql`select job_id, agent_id, owner_id from withdrawals where id = ${id}`)
}

/** Whether the books have the payment of a job in a block that the chain calls safe. */
export async function isPaymentFirm(
  db: Queryable,
  { chainId, jobId }: { chainId: number; jobId: string },
): Promise<boolean> {
  const found = await db.maybeOne(sql`
    select 1 as firm from journal_entries e join chain_cursors c on c.chain_id = e.chain_id
    where e.job_id = ${jobId} and e.chain_id = ${chainId} and e.kind = 'x402' and e.reverses is null
      and e.block_number <= c.safe_number
      and not exists (select 1 from journal_entries r where r.reverses = e.id) limit 1`)
  return found !== undefined
}

/** Keeps other outcomes of the same withdrawal waiting. */
export function lockWithdrawal(db: Queryable, id: string): Promise<WithdrawalRow> {
  return db.one(sql`select ${columns} from ${source} where w.id = ${id} for update of w`)
}

export interface WithdrawalFilter {
  /** Undefined: everybody's. */
  ownerId: string | undefined
  agentId?: string | undefined
  status?: WithdrawalStatus | undefined
  limit: number
  offset: number
}

function conditionOf({ ownerId, agentId, status: wanted }: WithdrawalFilter): Sql {
  const byOwner = ownerId === undefined ? sql`true` : sql`w.owner_id = ${ownerId}`
  return sql`${byOwner} and w.job_id is null and w.agent_id = coalesce(${agentId ?? null}, w.agent_id)
    and (${wanted ?? null}::text is null or ${status} = ${wanted ?? null})`
}

export function listWithdrawals(db: Queryable, filter: WithdrawalFilter): Promise<WithdrawalRow[]> {
  return db.rows(sql`
    select ${columns} from ${source} where ${conditionOf(filter)}
    order by w.created_at desc, w.id desc limit ${filter.limit} offset ${filter.offset}`)
}

export async function countWithdrawals(db: Queryable, filter: WithdrawalFilter): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) as count from ${source} where ${conditionOf(filter)}`,
  )
  return Number(count)
}

export async function saveAttempt(db: Queryable, id: string, intentId: string): Promise<void> {
  await db.run(sql`update withdrawals set intent_id = ${intentId}, attempts = attempts + 1 where id = ${id}`)
}

/** The chain decides: a withdrawal marked as failed whose money moved after all is confirmed. */
export async function saveConfirmed(db: Queryable, id: string, intentId: string): Promise<void> {
  await db.run(sql`
    update withdrawals set outcome = 'CONFIRMED', failure_reason = null, intent_id = ${intentId}, carried_tx_hash = null
    where id = ${id}`)
}

/** Confirmed by a transaction that is not ours. */
export async function saveCarried(db: Queryable, id: string, txHash: string): Promise<void> {
  await db.run(sql`
    update withdrawals set outcome = 'CONFIRMED', failure_reason = null, carried_tx_hash = ${txHash} where id = ${id}`)
}

export async function saveFailed(db: Queryable, id: string, failureReason: string): Promise<void> {
  await db.run(
    sql`update withdrawals set outcome = 'FAILED', failure_reason = ${failureReason} where id = ${id}`,
  )
}

export async function saveOpenAgain(db: Queryable, id: string): Promise<void> {
  await db.run(sql`
    update withdrawals set outcome = null, failure_reason = null, carried_tx_hash = null where id = ${id}`)
}

/** Before the signature leaves the process. False when the withdrawal has ended meanwhile: nothing may go out for it. */
export async function saveSigned(db: Queryable, id: string, until: Date): Promise<boolean> {
  const count = await db.run(sql`
    update withdrawals set signed_until = greatest(signed_until, ${until}) where id = ${id} and outcome is null`)
  return count > 0
}

/** The one that was given up for failed although this use of its authorization, not by a transaction of ours, moved it. */
export function findFailedBy(
  db: Queryable,
  { chainId, txHash, nonce }: { chainId: number; txHash: string; nonce: string },
): Promise<{ payload: WithdrawalPayload } | undefined> {
  return db.maybeOne(sql`
    select i.payload from ${source}
    where w.authorization_nonce = ${nonce} and w.outcome = 'FAILED' and not exists (
      select 1 from chain_transaction_hashes h where h.chain_id = ${chainId} and h.hash = ${txHash})`)
}

export interface WaitingWithdrawal {
  id: string
  payload: WithdrawalPayload
}

/** Open ones whose newest attempt was refused: somebody else has carried it out, or still can. */
export function listWaiting(
  db: Queryable,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<WaitingWithdrawal[]> {
  return db.rows(sql`
    select w.id, i.payload from ${source} where w.outcome is null and i.status = 'REJECTED' and w.id > ${after}
    order by w.id limit ${limit}`)
}

export function lockCarried(
  db: Queryable,
  txHash: string,
): Promise<{ id: string; jobId: string | null; attempts: number; payload: WithdrawalPayload }[]> {
  return db.rows(sql`
    select w.id, w.job_id, w.attempts, i.payload from ${source} where w.carried_tx_hash = ${txHash} for update of w`)
}
