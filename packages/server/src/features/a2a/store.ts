import { addSeconds } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/** What a job does not store about a task: its id, and the draft order until it is paid for. */
export interface TaskRow {
  id: string
  contextId: string
  agentWallet: string
  /** Who sent the first message; null for callers without an account. */
  ownerId: string | null
  serviceId: string | null
  text: string
  input: Record<string, unknown> | null
  jobId: string | null
  /** Withdrawn by its caller before it was paid for. */
  endedAt: Date | null
  createdAt: Date
}

export type NewTask = Omit<TaskRow, 'endedAt' | 'jobId'> & {
  jobId?: string
  messageId: string
  /** By which tasks that are not paid for are counted. */
  caller: string
  expiresAt: Date
}

/** How long one that was withdrawn can still be read. */
const ENDED_SECONDS = 600

const columns = sql`
  id, context_id, agent_wallet, owner_id, service_id, text, input, job_id, ended_at, created_at`

export function findTask(db: Queryable, id: string): Promise<TaskRow | undefined> {
  return db.maybeOne(sql`select ${columns} from a2a_tasks where id = ${id}`)
}

/** The first one, where several lead to the same purchase. */
export function findTaskOfJob(db: Queryable, jobId: string): Promise<TaskRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from a2a_tasks where job_id = ${jobId} order by created_at, id limit 1`)
}

/** The task that this owner's message made before. */
export function findTaskOfMessage(
  db: Queryable,
  { ownerId, messageId, agentWallet }: { ownerId: string; messageId: string; agentWallet: string },
): Promise<TaskRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from a2a_tasks
    where owner_id = ${ownerId} and message_id = ${messageId} and agent_wallet = ${agentWallet}`)
}

/** False where the same owner's message has made one already. */
export async function insertTask(db: Queryable, task: NewTask): Promise<boolean> {
  const stored = await db.run(sql`
    insert into a2a_tasks
      (id, context_id, agent_wallet, owner_id, message_id, caller, service_id, text, input, job_id, created_at,
        expires_at)
    values (${task.id}, ${task.contextId}, ${task.agentWallet}, ${task.ownerId}, ${task.messageId}, ${task.caller},
      ${task.serviceId}, ${task.text}, ${task.input === null ? null : sql.json(task.input)}, ${task.jobId ?? null},
      ${task.createdAt}, ${task.expiresAt})
    on conflict do nothing`)
  return stored === 1
}

export async function countUnpaid(db: Queryable, caller: string, now: Date): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::integer as count from a2a_tasks
    where caller = ${caller} and job_id is null and ended_at is null and expires_at > ${now}`)
  return count
}

export async function saveDraft(
  db: Queryable,
  { id, serviceId, text, input }: Pick<TaskRow, 'id' | 'serviceId' | 'text' | 'input'>,
): Promise<void> {
  await db.run(sql`
    update a2a_tasks set service_id = ${serviceId}, text = ${text}, input = ${input === null ? null : sql.json(input)}
    where id = ${id} and job_id is null`)
}

export function lockTask(tx: Queryable, id: string): Promise<TaskRow | undefined> {
  return tx.maybeOne(sql`select ${columns} from a2a_tasks where id = ${id} for update`)
}

/** From now on its state is that of the job. */
export async function saveJob(tx: Queryable, id: string, jobId: string): Promise<void> {
  await tx.run(sql`update a2a_tasks set job_id = ${jobId} where id = ${id}`)
}

/** It leaves room for another at once, and is forgotten soon, so that beginning and ending many keeps few. */
export async function endTask(db: Queryable, id: string, now: Date): Promise<void> {
  await db.run(sql`
    update a2a_tasks
    set ended_at = ${now}, expires_at = least(expires_at, ${addSeconds(now, ENDED_SECONDS)}::timestamptz)
    where id = ${id} and job_id is null`)
}

/** False when the same message was accepted before. */
export async function takeMessage(tx: Queryable, taskId: string, messageId: string): Promise<boolean> {
  const stored = await tx.run(sql`
    insert into a2a_messages (task_id, message_id) values (${taskId}, ${messageId}) on conflict do nothing`)
  return stored === 1
}

/** Returns their ids, at most so many. */
export async function removeUnpaid(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const gone = await db.rows<{ id: string }>(sql`
    delete from a2a_tasks where id in (
      select id from a2a_tasks where job_id is null and expires_at <= ${now} limit ${limit} for update skip locked)
    returning id`)
  return gone.map(({ id }) => id)
}

export interface TaskFilter {
  ownerId: string
  /** In lower case; undefined for all agents. */
  agentWallet: string | undefined
  contextId: string | undefined
  /** Of their jobs, and UNPAID where there is none: undefined for all. What is requested is known only when a task is read. */
  statuses: readonly string[] | undefined
}

/** The tasks and jobs of an owner, newest first, after a place in that list. */
export function listTaskIds(
  db: Queryable,
  filter: TaskFilter,
  { after, limit }: { after: { createdAt: Date; id: string } | undefined; limit: number },
): Promise<{ id: string; createdAt: Date }[]> {
  return db.rows(sql`
    select id, created_at from (${ownTasks(filter)}) own
    where ${after?.createdAt ?? null}::timestamptz is null
      or (created_at, id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::text)
    order by created_at desc, id desc limit ${limit}`)
}

export async function countTasks(db: Queryable, filter: TaskFilter): Promise<number> {
  return (
    await db.one<{ count: number }>(sql`select count(*)::integer as count from (${ownTasks(filter)}) own`)
  ).count
}

const ownTasks = ({ ownerId, ...only }: TaskFilter) => sql`
  select t.id, t.created_at from a2a_tasks t left join jobs tj on tj.id = t.job_id
  where (t.owner_id = ${ownerId} or t.job_id in (select j.id from jobs j where j.client_id = ${ownerId}))
    and (${only.agentWallet ?? null}::text is null or t.agent_wallet = ${only.agentWallet ?? null})
    and (${only.contextId ?? null}::text is null or t.context_id = ${only.contextId ?? null})
    and (${only.statuses ?? null}::text[] is null
      or coalesce(tj.status, case when t.ended_at is null then 'UNPAID' else 'CANCELLED' end)
        = any(${only.statuses ?? null}))
  union all
  select j.id, j.created_at from jobs j join agents a on a.id = j.agent_id
  where j.client_id = ${ownerId} and not exists (select 1 from a2a_tasks t where t.job_id = j.id)
    and (${only.agentWallet ?? null}::text is null or lower(a.wallet_address) = ${only.agentWallet ?? null})
    and (${only.contextId ?? null}::text is null or j.id = ${only.contextId ?? null})
    and (${only.statuses ?? null}::text[] is null or j.status = any(${only.statuses ?? null}))`
