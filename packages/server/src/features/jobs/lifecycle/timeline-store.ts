import type { JobParty, TimelineType } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { EscrowFacts } from './escrow-facts.ts'
import type { JobRow } from './job.ts'

export interface NewEvent {
  id: string
  jobId: string
  type: TimelineType
  actor: JobParty
  message: string | null
  at: Date
  txHash?: string
  /** Of an event of the chain: where it stands, and what the chain said before it. */
  logIndex?: number
  factsBefore?: EscrowFacts
}

export async function insertEvent(db: Queryable, event: NewEvent): Promise<void> {
  const { id, jobId, type, actor, message, at, txHash, logIndex, factsBefore } = event
  await db.run(sql`
    insert into job_events (id, job_id, type, actor, message, tx_hash, log_index, facts_before, created_at)
    values (${id}, ${jobId}, ${type}, ${actor}, ${message}, ${txHash ?? null}, ${logIndex ?? null},
      ${factsBefore === undefined ? null : sql.json(factsBefore)}, ${at})`)
}

/** Removes a chain event that was rolled back; returns the chain's state before it. */
export async function removeChainEvent(
  db: Queryable,
  { txHash, logIndex }: { txHash: string; logIndex: number },
): Promise<EscrowFacts | undefined> {
  const row = await db.maybeOne<{ facts: EscrowFacts }>(sql`
    delete from job_events where tx_hash = ${txHash} and log_index = ${logIndex} returning facts_before as facts`)
  return row?.facts
}

export function removeEvents(db: Queryable, jobId: string, type: TimelineType): Promise<number> {
  return db.run(sql`delete from job_events where job_id = ${jobId} and type = ${type}`)
}

/** The newest line of this type on a timeline. */
export function findLastEvent(
  db: Queryable,
  jobId: string,
  type: TimelineType,
): Promise<{ message: string | null } | undefined> {
  return db.maybeOne(sql`
    select message from job_events where job_id = ${jobId} and type = ${type} order by seq desc limit 1`)
}

/** Whether the agent has its pay: from the escrow, or by x402 before the work began. Forks may take either back. */
export async function isPaidOut(
  db: Queryable,
  { id, escrowFacts: facts }: Pick<JobRow, 'id' | 'escrowFacts'>,
): Promise<boolean> {
  if (facts !== null) return facts.sellerGross !== null && facts.sellerGross !== '0'
  const funded = await db.maybeOne(sql`
    select 1 as funded from job_events where job_id = ${id} and type = 'JOB_FUNDED' limit 1`)
  return funded !== undefined
}

/** Whether the escrow had to hold the part of this recipient, because the token refused to pay it. */
export async function isHeld(
  db: Queryable,
  { transactionHash, logIndex }: { transactionHash: string; logIndex: number },
  { recipient, amountMicro }: { recipient: string; amountMicro: bigint },
): Promise<boolean> {
  const found = await db.maybeOne(sql`
    select 1 as found from chain_events
    where tx_hash = ${transactionHash} and name = 'PaymentDeferred' and is_canonical and log_index > ${logIndex}
      and subject = ${recipient.toLowerCase()}
      and (args #>> '{amountMicro,bigint}')::numeric = ${amountMicro}::numeric limit 1`)
  return found !== undefined
}
