import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type DuePlace, isAfter } from '../../../platform/queue/due-work.ts'

export type DueQueue = 'funding' | 'delivery' | 'owed' | 'review' | 'dispute'

/** A job that waits for an order of its own is left out, so that many of those never keep the others waiting. */
const hasNoOpenIntents = sql`cardinality(open_intents) = 0`

/** Which jobs wait in each queue, and for which time. */
const waiting: Record<DueQueue, { condition: Sql; dueAt: Sql }> = {
  funding: { condition: sql`status = 'PENDING' and ${hasNoOpenIntents}`, dueAt: sql`fund_by` },
  delivery: { condition: sql`status = 'IN_PROGRESS' and not deadline_told`, dueAt: sql`due_at` },
  owed: {
    condition: sql`owed_at is not null and not undelivered and refund_state is null and delivery_cid is null`,
    dueAt: sql`owed_at`,
  },
  review: {
    condition: sql`status = 'UNDER_REVIEW' and ${hasNoOpenIntents} and not exists (
      select 1 from job_disputes d where d.job_id = jobs.id and d.opened_by = 'CLIENT')`,
    dueAt: sql`review_ends_at`,
  },
  dispute: { condition: sql`status = 'DISPUTED' and ${hasNoOpenIntents}`, dueAt: sql`undecided_at` },
}

/** The jobs whose time has come, the longest overdue first. */
export function listDueJobs(
  db: Queryable,
  queue: DueQueue,
  { now, after, limit }: { now: Date; after: DuePlace | undefined; limit: number },
): Promise<DuePlace[]> {
  const { condition, dueAt } = waiting[queue]
  return db.rows(sql`
    select id, ${dueAt}::text as at from jobs
    where ${condition} and ${dueAt} <= ${now} and ${isAfter(dueAt, sql`id`, after)} order by ${dueAt}, id limit ${limit}`)
}

/** The first time after this one for which a job of the queue waits. */
export async function findNextDue(db: Queryable, queue: DueQueue, after: Date): Promise<Date | undefined> {
  const { condition, dueAt } = waiting[queue]
  const row = await db.maybeOne<{ at: Date }>(
    sql`select ${dueAt} as at from jobs where ${condition} and ${dueAt} > ${after} order by ${dueAt} limit 1`,
  )
  return row?.at
}
