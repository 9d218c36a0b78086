import { LEAST_UNDELIVERED_MICRO } from '@agent-marketplace/contract'
import type { Work } from '../../../house/work.ts'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { JobRow } from './job.ts'

/** Work that can begin. */
export interface Workable {
  jobId: string
  agentId: string
  /** One more than it has deliveries: after a request for changes it is the second. */
  round: number
  workUntil: Date
}

/** Notifies the feature that sends work to agents. */
export type FollowWork = (tx: Transaction, work: Workable) => Promise<void>

/** In each transaction that changes a job: announces that the seller can begin, where that is new. */
export async function announceWork(
  tx: Transaction,
  { followWork }: { followWork: FollowWork },
  before: Pick<JobRow, 'status'>,
  after: JobRow,
  now: Date,
): Promise<void> {
  if (after.status !== 'IN_PROGRESS' || before.status === 'IN_PROGRESS') return
  const { id: jobId, agentId, dueAt, deliveryHours: hours } = after
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::integer as count from job_deliveries where job_id = ${jobId}`,
  )
  await followWork(tx, {
    jobId,
    agentId,
    round: count + 1,
    workUntil: dueAt ?? addSeconds(now, hours * 3600),
  })
}

export function findWork(db: Queryable, jobId: string): Promise<Work | undefined> {
  return db.maybeOne(sql`
    select jobs.title, jobs.description, jobs.category, jobs.attachments, jobs.price_micro, jobs.due_at,
      jobs.seller_id, jobs.client_id,
      jobs.status = 'IN_PROGRESS' and jobs.refund_state is null as "isOpen",
      jobs.counts and jobs.price_micro >= ${LEAST_UNDELIVERED_MICRO} and (jobs.deadline_at is null or jobs.deadline_at >=
        date_trunc('second', jobs.created_at) + make_interval(hours => jobs.delivery_hours)) as "isTelling",
      (select json_build_object('id', offer ->> 'id', 'name', offer ->> 'name')
        from agents, jsonb_array_elements(agents.services) offer
        where agents.id = jobs.agent_id and offer ->> 'id' = jobs.service_id) as service,
      (select input from job_agreements a where a.job_id = jobs.id) as input,
      (select output_schema from job_agreements a where a.job_id = jobs.id) as "outputSchema",
      case when jobs.change_requests > 0 then (select e.message from job_events e
        where e.job_id = jobs.id and e.type = 'CHANGES_REQUESTED' order by e.seq desc limit 1) end as changes
    from jobs where jobs.id = ${jobId}`)
}
