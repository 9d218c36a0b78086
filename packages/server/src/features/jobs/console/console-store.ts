import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { jobColumns } from '../lifecycle/store.ts'
import { disputeJson, evidenceJson, type JobDetailRow } from '../reading/detail-store.ts'
import type { ListedJob } from '../reading/list-store.ts'

export interface DisputedJobRow extends JobRow {
  escrowKey: Hex
  dispute: NonNullable<JobDetailRow['dispute']>
  evidence: JobDetailRow['evidence']
}

export interface DisputesPage {
  status: 'OPEN' | 'CLOSED' | undefined
  limit: number
  offset: number
}

/** A dispute that the chain refused to open has no end, and never was one. */
const disputed = sql`
  jobs join job_disputes dispute on dispute.job_id = jobs.id
  where jobs.undecided_at is not null and jobs.escrow_key is not null`

const columns = sql`
  ${jobColumns}, ${disputeJson} as dispute, ${evidenceJson} as evidence`

function conditionOf(status: DisputesPage['status']): Sql {
  if (status === undefined) return sql`true`
  return status === 'OPEN' ? sql`jobs.status = 'DISPUTED'` : sql`jobs.status <> 'DISPUTED'`
}

/** The ones that lapse first come first. */
export function listDisputed(
  db: Queryable,
  { status, limit, offset }: DisputesPage,
): Promise<DisputedJobRow[]> {
  return db.rows(sql`
    select ${columns} from ${disputed} and ${conditionOf(status)}
    order by jobs.undecided_at, jobs.id limit ${limit} offset ${offset}`)
}

export async function countDisputed(db: Queryable, status: DisputesPage['status']): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from ${disputed} and ${conditionOf(status)}`,
  )
  return Number(count)
}

export function findDisputed(db: Queryable, jobId: string): Promise<DisputedJobRow | undefined> {
  return db.maybeOne(sql`select ${columns} from ${disputed} and jobs.id = ${jobId}`)
}

export function listJobsById(
  db: Queryable,
  ids: readonly string[],
): Promise<(JobRow & Pick<ListedJob, 'offeredBy'>)[]> {
  return db.rows(sql`
    select ${jobColumns}, job_disputes.offered_by
    from jobs left join job_disputes on job_disputes.job_id = jobs.id where jobs.id = any(${ids})`)
}
