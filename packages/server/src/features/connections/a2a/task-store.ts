import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

export interface TaskRow {
  dispatchId: string
  taskId: string | null
  contextId: string | null
  isLive: boolean
  ended: number
  seen: string[]
  askedId: string | null
  askedSeq: bigint | null
  replySeq: bigint | null
  /** The number of the latest poll that has begun. */
  looks: number
  quietLooks: number
}

export interface LookOrder {
  dispatchId: string
  look: number
}

const columns = sql`
  dispatch_id, task_id, context_id, is_live, ended, seen, asked_id, asked_seq, reply_seq, looks, quiet_looks`

export function findTask(db: Queryable, dispatchId: string): Promise<TaskRow | undefined> {
  return db.maybeOne(sql`select ${columns} from agent_tasks where dispatch_id = ${dispatchId}`)
}

/** The task of the round before this dispatch. */
export function findTaskBefore(
  db: Queryable,
  { id, jobId }: { id: string; jobId: string },
): Promise<TaskRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from agent_tasks join agent_dispatches d on d.id = dispatch_id
    where d.job_id = ${jobId} and d.round < (select round from agent_dispatches where id = ${id})
      and task_id is not null
    order by d.round desc limit 1`)
}

/** The agent has it now. What was passed on of an earlier task of the dispatch stays so. */
export async function saveTask(
  tx: Queryable,
  dispatchId: string,
  { id, contextId }: { id: string; contextId: string },
): Promise<TaskRow> {
  return tx.one(sql`
    insert into agent_tasks (dispatch_id, task_id, context_id, is_live)
    values (${dispatchId}, ${id}, ${contextId}, true)
    on conflict (dispatch_id) do update set task_id = excluded.task_id, context_id = excluded.context_id,
      is_live = true, quiet_looks = 0
    returning ${columns}`)
}

/** It ended without a result, so the next message is another; a task that is lost is requested by the same message again. */
export async function endTask(tx: Queryable, look: LookOrder, how: 'ENDED' | 'LOST'): Promise<boolean> {
  const change = how === 'ENDED' ? sql`ended = ended + 1` : sql`task_id = null, context_id = null`
  const ended = await tx.run(sql`
    update agent_tasks set is_live = false, asked_id = null, asked_seq = null, reply_seq = null, looks = looks + 1, ${change}
    where ${isLatest(look)}`)
  return ended === 1
}

export const latestLookOf = ({ dispatchId, looks }: TaskRow): LookOrder => ({ dispatchId, look: looks })

/** Whether this is still the latest poll and the task has not ended: only then may its result be applied. */
const isLatest = ({ dispatchId, look }: LookOrder) => sql`dispatch_id = ${dispatchId} and looks = ${look}`

/**
 * Claims the poll until the given time; undefined when it is not due, or another worker has it. It is the latest one from
 * then on, so an earlier poll that overran its time changes nothing.
 */
export function claimLook(
  db: Queryable,
  { dispatchId, look }: LookOrder,
  { now, until }: { now: Date; until: Date },
): Promise<TaskRow | undefined> {
  return db.maybeOne(sql`
    with claimed as (
      update agent_dispatches d set next_attempt_at = ${until} from agent_tasks t
      where d.id = ${dispatchId} and d.state = 'WORKING' and d.next_attempt_at <= ${now}
        and t.dispatch_id = d.id and t.is_live and t.looks = ${look - 1}
      returning d.id)
    update agent_tasks set looks = looks + 1 from claimed where dispatch_id = claimed.id and looks = ${look - 1}
    returning ${columns}`)
}

/** The last message that the reply includes. False where a later poll decides that. */
export async function fixReply(db: Queryable, look: LookOrder, seq: bigint): Promise<boolean> {
  return (await db.run(sql`update agent_tasks set reply_seq = ${seq} where ${isLatest(look)}`)) === 1
}

export interface LookOutcome
  extends Pick<TaskRow, 'seen' | 'askedId' | 'askedSeq' | 'replySeq' | 'quietLooks'> {
  nextLookAt: Date
}

/** False when a later poll has begun, or the task has ended. */
export async function saveLook(
  tx: Queryable,
  look: LookOrder,
  { seen, askedId, askedSeq, replySeq, quietLooks, nextLookAt }: LookOutcome,
): Promise<boolean> {
  const isDue = await tx.run(sql`
    update agent_dispatches set next_attempt_at = ${nextLookAt} where id = ${look.dispatchId} and state = 'WORKING'`)
  const saved = await tx.run(sql`
    update agent_tasks set seen = ${seen}, asked_id = ${askedId},
      asked_seq = ${askedSeq}, reply_seq = ${replySeq}, quiet_looks = ${quietLooks}
    where ${isLatest(look)}`)
  return isDue === 1 && saved === 1
}

/** The buyer has written: a task that waits for a reply is polled now. */
export async function hurryAsking(tx: Queryable, jobId: string, now: Date): Promise<void> {
  await tx.run(sql`
    update agent_dispatches d set next_attempt_at = ${now} from agent_tasks
    where dispatch_id = d.id and d.job_id = ${jobId} and d.state = 'WORKING' and d.next_attempt_at > ${now}
      and is_live and asked_id is not null`)
}

export interface DueLook extends Pick<TaskRow, 'dispatchId' | 'looks'> {
  sellerId: string
}

/** A few of each seller, as with attempts. */
export function listDueLooks(
  db: Queryable,
  now: Date,
  { perSeller, limit }: { perSeller: number; limit: number },
): Promise<DueLook[]> {
  return db.rows(sql`
    select dispatch_id, looks, seller_id from (
      select dispatch_id, looks, d.next_attempt_at, jobs.seller_id,
        row_number() over (partition by jobs.seller_id order by d.next_attempt_at) as place
      from agent_dispatches d join agent_tasks on dispatch_id = d.id join jobs on jobs.id = d.job_id
      where d.state = 'WORKING' and d.next_attempt_at <= ${now} and d.give_up_at > ${now}) due
    where place <= ${perSeller} order by place, next_attempt_at limit ${limit}`)
}
