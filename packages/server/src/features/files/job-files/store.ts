import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { type DuePlace, isAfter } from '../../../platform/queue/due-work.ts'

export interface JobFileRow {
  id: string
  /** Null while it waits for a hire. */
  jobId: string | null
  ownerId: string
  broughtBy: 'CLIENT' | 'SELLER'
  name: string
  mediaType: string
  sizeBytes: bigint
  cid: string
  dagBytes: bigint
  isSent: boolean
  removedAt: Date | null
  createdAt: Date
}

/** More files than any client sends, and few enough for one message to an agent. */
const MAX_GIVEN = 100

const columns = sql`
  id, job_id, owner_id, brought_by, name, media_type, size_bytes, cid, dag_bytes, is_sent, removed_at, created_at`

export type Reservation = Omit<JobFileRow, 'cid' | 'dagBytes' | 'isSent' | 'removedAt'>

export async function reserve(tx: Queryable, file: Reservation): Promise<void> {
  const { id, jobId, ownerId, broughtBy, name, mediaType, sizeBytes, createdAt } = file
  await tx.run(sql`
    insert into job_files (id, job_id, owner_id, brought_by, name, media_type, size_bytes, created_at)
    values (${id}, ${jobId}, ${ownerId}, ${broughtBy}, ${name}, ${mediaType}, ${sizeBytes}, ${createdAt})`)
}

/** Lets the uploads of an owner be counted one after the other. */
export async function lockUploadsOf(tx: Queryable, ownerId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`job-files:${ownerId}`}, 0))`)
}

export interface Usage {
  /** Of this owner alone: the other party's files take no room from theirs. */
  jobBytes: bigint
  jobFiles: bigint
  /** Uploads that have not ended. */
  underWay: bigint
  ownerBytes: bigint
  /** The oldest of the owner's recent files. */
  oldest: Date | null
}

/** An upload in progress counts with the room that it reserved. */
export async function lockUsage(
  tx: Queryable,
  { jobId, ownerId, since }: { jobId: string | null; ownerId: string; since: Date },
): Promise<Usage> {
  await lockUploadsOf(tx, ownerId)
  return tx.one(sql`
    select (select coalesce(sum(size_bytes), 0)::bigint from job_files where job_id = ${jobId} and owner_id = ${ownerId}) as job_bytes,
      (select count(*) from job_files where job_id = ${jobId} and owner_id = ${ownerId}) as job_files,
      coalesce(sum(size_bytes), 0)::bigint as owner_bytes, min(created_at) as oldest,
      count(*) filter (where cid is null) as under_way
    from job_files where owner_id = ${ownerId} and created_at > ${since}`)
}

/** Before anything is kept under it. */
export async function saveExpected(db: Queryable, id: string, cid: string): Promise<void> {
  await db.run(sql`update job_files set expected_cid = ${cid} where id = ${id}`)
}

/** Undefined when the room was taken back meanwhile. */
export function saveContent(
  tx: Queryable,
  id: string,
  { cid, sizeBytes, dagBytes }: { cid: string; sizeBytes: number; dagBytes: number },
): Promise<JobFileRow | undefined> {
  return tx.maybeOne(sql`
    update job_files set cid = ${cid}, size_bytes = ${sizeBytes}, dag_bytes = ${dagBytes}
    where id = ${id} returning ${columns}`)
}

export function saveMediaType(tx: Queryable, id: string, mediaType: string): Promise<JobFileRow> {
  return tx.one(sql`update job_files set media_type = ${mediaType} where id = ${id} returning ${columns}`)
}

/** Unsent files of the same owner in the same job with the same name, which a new one replaces. One that waits for a hire replaces none. */
export function listReplaced(tx: Queryable, file: JobFileRow): Promise<JobFileRow[]> {
  return tx.rows(sql`
    select ${columns} from job_files
    where job_id = ${file.jobId} and owner_id = ${file.ownerId} and name = ${file.name} and id <> ${file.id}
      and cid is not null and not is_sent for update`)
}

export async function deleteFile(tx: Queryable, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from job_files where id = ${id} and not is_sent`)) === 1
}

/** In the order of the ids. */
export async function listFiles(db: Queryable, ids: readonly string[]): Promise<JobFileRow[]> {
  if (ids.length === 0) return []
  return db.rows(sql`
    select ${columns} from job_files where id = any(${ids}) and cid is not null
    order by array_position(${ids}::text[], id)`)
}

/** Those of an owner in a job, which are there whole. */
export function listOwnFiles(
  db: Queryable,
  { jobId, ownerId, ids }: { jobId: string; ownerId: string; ids: readonly string[] },
): Promise<JobFileRow[]> {
  return db.rows(sql`
    select ${columns} from job_files
    where id = any(${ids}) and job_id = ${jobId} and owner_id = ${ownerId} and cid is not null and removed_at is null
    order by array_position(${ids}::text[], id)`)
}

/**
 * Files that the client gave by their content alone, with the order or in a message, as files of the job: they have no name,
 * so it is their CID. Naming a CID that somebody else stored gives nothing.
 */
export function listAttachments(
  db: Queryable,
  { jobId, cid = null }: { jobId: string; cid?: string | null },
): Promise<JobFileRow[]> {
  return db.rows(sql`
    select distinct on (stored.cid) stored.cid as id, jobs.id as job_id, jobs.client_id as owner_id, 'CLIENT' as brought_by,
      stored.cid as name, 'application/octet-stream' as media_type, stored.size_bytes, stored.cid,
      stored.size_bytes as dag_bytes, true as is_sent, null::timestamptz as removed_at, stored.stored_at as created_at
    from jobs cross join lateral (select unnest(jobs.attachments) as uri
      union all select unnest(attachments) from job_messages where job_id = jobs.id and sent_by = 'CLIENT') given
    join stored_files stored on stored.cid = replace(given.uri, 'ipfs://', '')
    join file_owners giver on giver.cid = stored.cid and giver.owner_id = jobs.client_id
    where jobs.id = ${jobId} and (${cid}::text is null or stored.cid = ${cid})
    limit ${MAX_GIVEN}`)
}

/** What the client has sent into the job. */
export function listSentByClient(db: Queryable, jobId: string): Promise<JobFileRow[]> {
  return db.rows(sql`
    select ${columns} from job_files
    where job_id = ${jobId} and brought_by = 'CLIENT' and is_sent and removed_at is null and cid is not null
    order by hire_place, created_at, id limit ${MAX_GIVEN}`)
}

export async function markSent(tx: Queryable, ids: readonly string[]): Promise<number> {
  return tx.run(sql`update job_files set is_sent = true where id = any(${ids}) and cid is not null`)
}

/** Held until the end of the transaction by all who begin or end to refer to this content. */
export async function lockContent(tx: Queryable, cid: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`content:${cid}`}, 0))`)
}

/** Also by what is about to be recorded. */
export async function isReferredTo(tx: Queryable, cid: string): Promise<boolean> {
  const row = await tx.maybeOne(sql`
    select 1 as found where exists (select 1 from job_files where cid = ${cid} and removed_at is null)
      or exists (select 1 from stored_files where cid = ${cid})
      or exists (select 1 from expected_content where cid = ${cid})`)
  return row !== undefined
}

export interface Unneeded extends DuePlace {
  cid: string | null
}

/** Where a page of them begins, and how many it has. */
export interface UnneededPage {
  after: DuePlace | undefined
  limit: number
}

/** Uploads that never ended, with what they may have kept already, and files that were sent with nothing. */
export function listUnsent(
  db: Queryable,
  {
    unfinishedBefore,
    unsentBefore,
    after,
    limit,
  }: { unfinishedBefore: Date; unsentBefore: Date } & UnneededPage,
): Promise<Unneeded[]> {
  return db.rows(sql`
    select id, coalesce(cid, expected_cid) as cid, created_at::text as at from job_files
    where not is_sent and created_at <= case when cid is null then ${unfinishedBefore}::timestamptz
      else ${unsentBefore}::timestamptz end and ${isAfter(sql`created_at`, sql`id`, after)}
    order by created_at, id limit ${limit}`)
}

/** Sent files of jobs that ended before this time. */
export function listOutdated(
  db: Queryable,
  { endedBefore, after, limit }: { endedBefore: Date } & UnneededPage,
): Promise<Unneeded[]> {
  return db.rows(sql`
    select id, cid, job_ended_at::text as at from job_files
    where job_ended_at <= ${endedBefore} and is_sent and removed_at is null
      and ${isAfter(sql`job_ended_at`, sql`id`, after)}
    order by job_ended_at, id limit ${limit}`)
}

/** False where the file is needed again: a fork has taken back the end of its job, or a late payment has arrived. */
export async function markRemoved(
  tx: Queryable,
  { id, why, at }: { id: string; why: 'job_ended_at' | 'unpaid_since'; at: Date },
): Promise<boolean> {
  const removed = await tx.run(sql`
    update job_files set removed_at = ${at}
    where id = ${id} and removed_at is null and ${sql.ident(why)} is not null`)
  return removed === 1
}
