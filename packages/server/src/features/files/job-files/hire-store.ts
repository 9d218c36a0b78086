import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { isAfter } from '../../../platform/queue/due-work.ts'
import type { Unneeded, UnneededPage } from './store.ts'

/** A whole file of an owner that a hire names. */
export interface NamedFile {
  id: string
  ownerId: string
  /** The job that has it already. */
  jobId: string | null
  sizeBytes: bigint
  createdAt: Date
}

export interface NamedId {
  id: string
  ownerId: string
}

/** Those that are the owner's own. */
export function listNamed(db: Queryable, named: readonly NamedId[]): Promise<NamedFile[]> {
  return db.rows(namedBy(named))
}

/** The same, locked until the end of the transaction, in a fixed order to avoid deadlocks. */
export function lockNamed(tx: Queryable, named: readonly NamedId[]): Promise<NamedFile[]> {
  return tx.rows(sql`${namedBy(named)} order by id for update`)
}

const namedBy = (named: readonly NamedId[]) => sql`
  select id, owner_id, job_id, size_bytes, created_at from job_files
  where cid is not null and (id, owner_id) in (select * from unnest(${named.map(({ id }) => id)}::text[],
    ${named.map(({ ownerId }) => ownerId)}::text[]))`

export interface TakenFile {
  id: string
  jobId: string
  /** Among the files of the hire. */
  place: number
}

export async function giveToJobs(tx: Queryable, taken: readonly TakenFile[]): Promise<void> {
  await tx.run(sql`
    update job_files set job_id = given.job_id, hire_place = given.place, is_sent = true
    from unnest(${taken.map(({ id }) => id)}::text[], ${taken.map(({ jobId }) => jobId)}::text[],
      ${taken.map(({ place }) => place)}::integer[]) as given (id, job_id, place)
    where job_files.id = given.id`)
}

export interface Waiting {
  /** Of no job yet, including uploads in progress. */
  files: bigint
  /** Including files of unpaid hires. */
  bytes: bigint
  oldest: Date | null
}

export function countWaiting(db: Queryable, ownerId: string): Promise<Waiting> {
  return db.one(sql`
    select count(*) filter (where job_id is null) as files, coalesce(sum(size_bytes), 0)::bigint as bytes,
      min(job_files.created_at) as oldest
    from job_files left join jobs on jobs.id = job_id
    where owner_id = ${ownerId} and removed_at is null
      and (job_id is null or (hire_place is not null and jobs.status = 'PENDING'))`)
}

/** Files of hires that ended before this time and were never paid. */
export function listUnpaid(
  db: Queryable,
  { endedBefore, after, limit }: { endedBefore: Date } & UnneededPage,
): Promise<Unneeded[]> {
  return db.rows(sql`
    select id, cid, unpaid_since::text as at from job_files
    where unpaid_since <= ${endedBefore} and removed_at is null and ${isAfter(sql`unpaid_since`, sql`id`, after)}
    order by unpaid_since, id limit ${limit}`)
}
