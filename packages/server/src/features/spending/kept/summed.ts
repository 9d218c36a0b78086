import { jobMovements } from '../../../house/books/journal-reads.ts'
import { type Unit, unitOf } from '../../../house/books/kept-days/days.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'

/** When these jobs cost or returned something. */
export const moves = (jobsThatFit: Sql): Sql => sql`
  select moved.at, moved.seq from (${jobMovements(jobsThatFit)}) moved where moved.paid_micro > 0 or moved.refunded_micro > 0`

/** When the job of the row `one` had last moved money before it. */
const before = sql`
  select max(earlier.at) as at from (${moves(sql`jobs.id = one.job_id`)}) earlier
  where (earlier.at, earlier.seq) < (one.at, one.seq)`

/** `since` is `-infinity` where the jobs had moved nothing before, or nothing since `from`, the beginning of the period. */
export const summed = (
  spending: Sql,
  { from, by = 'day' }: { from?: Date | undefined; by?: Unit } = {},
): Sql => sql`
  select owner_id, ${unitOf(by, sql`one.at`)}, kind, coalesce(agent_id, '') as agent_id,
    case when before.at >= ${from ?? '-infinity'}::timestamptz then (before.at at time zone 'UTC')::date
      else '-infinity' end as since,
    count(*) as count, sum(paid_micro) as paid_micro, sum(refunded_micro) as refunded_micro
  from (${spending}) one left join lateral (${before}) before on true group by 1, 2, 3, 4, 5`
