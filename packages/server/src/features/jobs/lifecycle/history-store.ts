import type { JobParty, TimelineType } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Agreement, JsonObject } from './agreement.ts'
import type { EscrowFacts, Side } from './escrow-facts.ts'
import type { JobRow } from './job.ts'

/** What belongs to a job besides its own row: timeline, deliveries, dispute and evidence. */

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

export interface NewDelivery {
  jobId: string
  cid: string
  content: string | null
  note: string | null
  /** Whether the content is the result by the output schema. */
  isJson: boolean
  files: string[]
  at: Date
}

export async function insertDelivery(db: Queryable, delivery: NewDelivery): Promise<void> {
  const { jobId, cid, content, note, isJson, files, at } = delivery
  await db.run(sql`
    insert into job_deliveries (job_id, cid, content, note, is_json, files, delivered_at)
    values (${jobId}, ${cid}, ${content}, ${note}, ${isJson}, ${files}, ${at})`)
}

/** What the client asks to change stays with the delivery that it is about, the newest one. */
export async function saveChangeRequest(db: Queryable, jobId: string, words: string | null): Promise<void> {
  await db.run(sql`
    update job_deliveries set change_request = ${words}
    where seq = (select max(seq) from job_deliveries where job_id = ${jobId})`)
}

export async function insertAgreements(
  db: Queryable,
  agreements: readonly (Agreement & { jobId: string })[],
): Promise<void> {
  if (agreements.length === 0) return
  const all = (key: keyof Agreement) =>
    agreements.map((agreement) => (agreement[key] === null ? null : sql.json(agreement[key])))
  await db.run(sql`
    insert into job_agreements (job_id, input, input_schema, output_schema)
    select * from unnest(${agreements.map(({ jobId }) => jobId)}::text[], ${all('input')}::json[],
      ${all('inputSchema')}::json[], ${all('outputSchema')}::json[])`)
}

/** What a delivery of this job must fit; undefined where anything does. */
export async function findOutputSchema(db: Queryable, jobId: string): Promise<JsonObject | undefined> {
  const row = await db.maybeOne<{ schema: JsonObject | null }>(
    sql`select output_schema as schema from job_agreements where job_id = ${jobId}`,
  )
  return row?.schema ?? undefined
}

/** A dispute that the chain refused may be opened again. */
export async function insertDispute(
  db: Queryable,
  dispute: { jobId: string; openedBy: Side; reason: string; at: Date },
): Promise<void> {
  const { jobId, openedBy, reason, at } = dispute
  await db.run(sql`
    insert into job_disputes (job_id, opened_by, reason, opened_at)
    values (${jobId}, ${openedBy}, ${reason}, ${at})
    on conflict (job_id) do update set opened_by = ${openedBy}, reason = ${reason}, opened_at = ${at}`)
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

/** Whether the client asked for a dispute through the service, whatever the chain made of it. */
export async function hasClientDisputed(db: Queryable, jobId: string): Promise<boolean> {
  const found = await db.maybeOne(sql`
    select 1 as found from job_disputes where job_id = ${jobId} and opened_by = 'CLIENT'`)
  return found !== undefined
}

export async function hasDispute(db: Queryable, jobId: string): Promise<boolean> {
  const found = await db.maybeOne(sql`select 1 as found from job_disputes where job_id = ${jobId}`)
  return found !== undefined
}

/** Opened from a party's own wallet: it has no reason, and must not replace one that was given. */
export async function ensureDispute(
  db: Queryable,
  { jobId, openedBy, at }: { jobId: string; openedBy: Side; at: Date },
): Promise<void> {
  await db.run(sql`
    insert into job_disputes (job_id, opened_by, reason, opened_at)
    values (${jobId}, ${openedBy}, 'Opened on chain, without words.', ${at})
    on conflict (job_id) do nothing`)
}

export async function insertEvidence(
  db: Queryable,
  evidence: { jobId: string; by: Side; reason: string; uris: string[]; at: Date },
): Promise<void> {
  const { jobId, by, reason, uris, at } = evidence
  await db.run(sql`
    insert into job_evidence (job_id, given_by, reason, uris, created_at)
    values (${jobId}, ${by}, ${reason}, ${uris}, ${at})`)
}

export interface Offer {
  by: Side
  sellerBps: number
}

export async function findOffer(db: Queryable, jobId: string): Promise<Offer | undefined> {
  return db.maybeOne<Offer>(sql`
    select offered_by as by, offered_bps as "sellerBps" from job_disputes
    where job_id = ${jobId} and offered_by is not null`)
}

/** The standing offer and the share that was decided, as they are now; an offer that stays keeps its time. */
export async function saveTerms(
  db: Queryable,
  terms: { jobId: string; offer: Offer | null; sellerBps: number | null; at: Date },
): Promise<void> {
  const { jobId, offer, sellerBps, at } = terms
  const by = offer?.by ?? null
  const bps = offer?.sellerBps ?? null
  await db.run(sql`
    update job_disputes set offered_by = ${by}, offered_bps = ${bps}, seller_bps = ${sellerBps},
      offered_at = case when ${by}::text is null then null
        when offered_by = ${by} and offered_bps = ${bps} then offered_at else ${at}::timestamptz end
    where job_id = ${jobId}`)
}
