import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { type DuePlace, isAfter } from '../../../platform/queue/due-work.ts'
import { type DispatchRow, dispatchColumns, isOpen } from './dispatch-store.ts'

/** Whether another job of the same client failed since the agent last delivered. */
export async function hasFailedFor(
  tx: Queryable,
  { id, agentId }: Pick<DispatchRow, 'id' | 'agentId'>,
  clientId: string,
): Promise<boolean> {
  const found = await tx.maybeOne(sql`
    select 1 as found from agent_dispatches d join jobs on jobs.id = d.job_id
    where d.agent_id = ${agentId} and d.state = 'FAILED' and d.id <> ${id} and jobs.client_id = ${clientId}
      and d.seq > (select coalesce(max(seq), 0) from agent_dispatches
        where agent_id = ${agentId} and state = 'DELIVERED')
    limit 1`)
  return found !== undefined
}

/** How many there were. */
export function stopDispatchesOf(tx: Queryable, agentId: string, error: string): Promise<number> {
  return tx.run(sql`
    update agent_dispatches set state = 'STOPPED', next_attempt_at = null, error = ${error}
    where agent_id = ${agentId} and ${isOpen}`)
}

/** A few of each seller, every seller's first before anyone's second, so that sellers with many do not hold up the others. */
export function listDue(
  db: Queryable,
  now: Date,
  { perSeller, limit }: { perSeller: number; limit: number },
): Promise<DispatchRow[]> {
  return db.rows(sql`
    select ${dispatchColumns} from agent_dispatches join (
      select d.id as due_id, row_number() over (partition by jobs.seller_id order by d.next_attempt_at) as place
      from agent_dispatches d join jobs on jobs.id = d.job_id
      where d.state = 'PENDING' and d.next_attempt_at <= ${now} and d.give_up_at > ${now}) due on due_id = id
    where place <= ${perSeller} order by place, next_attempt_at limit ${limit}`)
}

export function listExpired(
  db: Queryable,
  { now, after, limit }: { now: Date; after: DuePlace | undefined; limit: number },
): Promise<(DispatchRow & DuePlace)[]> {
  return db.rows(sql`
    select ${dispatchColumns}, give_up_at::text as at from agent_dispatches
    where ${isOpen} and give_up_at <= ${now} and ${isAfter(sql`give_up_at`, sql`id`, after)}
    order by give_up_at, id limit ${limit}`)
}

export async function findNextExpiry(db: Queryable, after: Date): Promise<Date | undefined> {
  const row = await db.maybeOne<{ at: Date }>(sql`
    select give_up_at as at from agent_dispatches where ${isOpen} and give_up_at > ${after}
    order by give_up_at limit 1`)
  return row?.at
}

export function listDispatches(db: Queryable, agentId: string, limit: number): Promise<DispatchRow[]> {
  return db.rows(sql`
    select ${dispatchColumns} from agent_dispatches where agent_id = ${agentId} order by seq desc limit ${limit}`)
}
