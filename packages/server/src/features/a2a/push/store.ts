import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

export interface PushConfigRow {
  /** The receiver that it is sent to. */
  receiverId: string
  taskId: string
  ownerId: string
  /** Its id, as the caller gave it. */
  name: string
  url: string
  scheme: string
  wireVersion: string
  /** The session of the API key that set it up; null for a wallet's own session. */
  keySession: string | null
  /** The state that was sent last. */
  seen: string | null
}

const columns = sql`
  c.receiver_id, c.task_id, c.owner_id, c.name, w.url, c.scheme, c.wire_version, c.key_session, c.seen`

interface OwnTask {
  taskId: string
  ownerId: string
}

export function listConfigs(db: Queryable, { taskId, ownerId }: OwnTask): Promise<PushConfigRow[]> {
  return db.rows(sql`
    select ${columns} from a2a_push_configs c join webhooks w on w.id = c.receiver_id
    where c.task_id = ${taskId} and c.owner_id = ${ownerId} order by c.created_at, c.receiver_id`)
}

export function findConfig(db: Queryable, receiverId: string): Promise<PushConfigRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from a2a_push_configs c join webhooks w on w.id = c.receiver_id
    where c.receiver_id = ${receiverId}`)
}

/** Of every account: whom a change of these tasks concerns. */
export function listReceiversOf(
  db: Queryable,
  taskIds: readonly string[],
): Promise<{ receiverId: string; ownerId: string }[]> {
  return db.rows(sql`
    select receiver_id, owner_id from a2a_push_configs where task_id = any(${taskIds}) order by receiver_id`)
}

/** The same for jobs: each is a task by its own id too. */
export function listReceiversOfJobs(
  db: Queryable,
  jobIds: readonly string[],
): Promise<{ receiverId: string; ownerId: string }[]> {
  return db.rows(sql`
    select receiver_id, owner_id from a2a_push_configs
    where task_id = any (array(select id from a2a_tasks where job_id = any(${jobIds})) || ${jobIds}::text[])
    order by receiver_id`)
}

/** Others of the same account wait, so that none exceeds a limit that another one reaches. */
export async function lockConfigsOf(tx: Queryable, ownerId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${ownerId}, 69))`)
}

/** How many there are, without the one of this name. */
export function countConfigs(
  db: Queryable,
  { taskId, ownerId, name }: OwnTask & { name: string },
): Promise<{ ofTask: number; ofOwner: number }> {
  return db.one(sql`
    select count(*) filter (where task_id = ${taskId})::integer as of_task, count(*)::integer as of_owner
    from a2a_push_configs where owner_id = ${ownerId} and not (task_id = ${taskId} and name = ${name})`)
}

export async function insertConfig(
  tx: Queryable,
  config: Omit<PushConfigRow, 'url' | 'seen'> & { createdAt: Date },
): Promise<void> {
  await tx.run(sql`
    insert into a2a_push_configs (receiver_id, task_id, owner_id, name, scheme, wire_version, key_session, created_at)
    values (${config.receiverId}, ${config.taskId}, ${config.ownerId}, ${config.name}, ${config.scheme},
      ${config.wireVersion}, ${config.keySession}, ${config.createdAt})`)
}

/** False when another look has sent something in between. */
export async function saveSeen(
  tx: Queryable,
  { receiverId, seen }: Pick<PushConfigRow, 'receiverId' | 'seen'>,
  now: string,
): Promise<boolean> {
  const saved = await tx.run(sql`
    update a2a_push_configs set seen = ${now}
    where receiver_id = ${receiverId} and seen is not distinct from ${seen}`)
  return saved === 1
}
