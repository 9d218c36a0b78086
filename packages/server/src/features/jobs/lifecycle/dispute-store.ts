import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Side } from './escrow-facts.ts'

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
