import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { EarlierThan } from './pages.ts'
import type { Written } from './rules.ts'

export interface ProgressRow {
  id: string
  seq: bigint
  step: string
  percent: number | null
  note: string | null
  createdAt: Date
}

const columns = sql`id, seq, step, percent, note, created_at`

export function insertProgress(
  db: Queryable,
  report: Omit<ProgressRow, 'seq'> & { jobId: string },
): Promise<ProgressRow> {
  const { id, jobId, step, percent, note, createdAt } = report
  return db.one(sql`
    insert into job_progress (id, job_id, step, percent, note, created_at)
    values (${id}, ${jobId}, ${step}, ${percent}, ${note}, ${createdAt}) returning ${columns}`)
}

export function countProgress(
  db: Queryable,
  { jobId, since }: { jobId: string; since: Date },
): Promise<Written> {
  return db.one(sql`
    select count(*)::integer as total, (count(*) filter (where created_at > ${since}))::integer as recent,
      min(created_at) filter (where created_at > ${since}) as oldest
    from job_progress where job_id = ${jobId}`)
}

/** Newest first. */
export function listProgress(db: Queryable, { jobId, before, limit }: EarlierThan): Promise<ProgressRow[]> {
  return db.rows(sql`
    select ${columns} from job_progress
    where job_id = ${jobId} and (${before ?? null}::bigint is null or seq < ${before ?? null}::bigint)
    order by seq desc limit ${limit}`)
}
