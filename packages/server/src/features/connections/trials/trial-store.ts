import type { Queryable } from '../../../platform/db/queryable.ts'
import { removeRows } from '../../../platform/db/remove-rows.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { DeliveredWork, Heard } from '../reply.ts'

export interface TrialRow extends Heard {
  jobId: string
  agentId: string
  outputSchema: Record<string, unknown> | null
  expiresAt: Date
}

const columns = sql`job_id, agent_id, output_schema, progress, messages, files, work, rejection, expires_at`

export type NewTrial = Pick<TrialRow, 'jobId' | 'agentId' | 'outputSchema' | 'expiresAt'> & {
  tokenHash: string
  roomBytes: number
}

export async function insertTrial(db: Queryable, trial: NewTrial): Promise<void> {
  const { jobId, agentId, tokenHash, outputSchema, roomBytes, expiresAt } = trial
  await db.run(sql`
    insert into connection_trials (job_id, agent_id, token_hash, output_schema, room_bytes, expires_at)
    values (${jobId}, ${agentId}, ${tokenHash}, ${outputSchema && sql.json(outputSchema)}::jsonb, ${roomBytes}, ${expiresAt})`)
}

export const findTrial = (db: Queryable, jobId: string): Promise<TrialRow | undefined> =>
  db.maybeOne(sql`select ${columns} from connection_trials where job_id = ${jobId}`)

export const findTrialByTokenHash = (db: Queryable, tokenHash: string): Promise<TrialRow | undefined> =>
  db.maybeOne(sql`select ${columns} from connection_trials where token_hash = ${tokenHash}`)

/** A delivery and the end of the test are one after the other. */
export const lockTrial = (tx: Queryable, jobId: string): Promise<TrialRow | undefined> =>
  tx.maybeOne(sql`select ${columns} from connection_trials where job_id = ${jobId} for update`)

/** False where there are as many as a test takes. */
export async function addHeard<Kind extends 'progress' | 'messages' | 'files'>(
  db: Queryable,
  jobId: string,
  kind: Kind,
  heard: Heard[Kind][number],
  most: number,
): Promise<boolean> {
  const list = sql.ident(kind)
  const added = await db.run(sql`
    update connection_trials set ${list} = ${list} || ${sql.json([heard])}::jsonb
    where job_id = ${jobId} and jsonb_array_length(${list}) < ${most}`)
  return added === 1
}

/** Takes room for a file that comes, or gives it back with a negative number; false where there is not as much. */
export async function takeRoom(db: Queryable, jobId: string, bytes: number): Promise<boolean> {
  const taken = await db.run(sql`
    update connection_trials set room_bytes = room_bytes - ${bytes}
    where job_id = ${jobId} and room_bytes >= ${bytes}`)
  return taken === 1
}

export async function saveWork(tx: Queryable, jobId: string, work: DeliveredWork): Promise<void> {
  await tx.run(sql`
    update connection_trials set work = ${sql.json(work)}::jsonb, rejection = null where job_id = ${jobId}`)
}

export async function saveRejection(db: Queryable, jobId: string, rejection: string): Promise<void> {
  await db.run(
    sql`update connection_trials set rejection = ${rejection} where job_id = ${jobId} and work is null`,
  )
}

export const removeExpiredTrials = (db: Queryable, now: Date, signal: AbortSignal): Promise<void> =>
  removeRows(db, { table: 'connection_trials', where: sql`expires_at <= ${now}` }, signal)
