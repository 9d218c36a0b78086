import type { ConnectionKind } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

export interface ConnectionRow {
  agentId: string
  kind: Exclude<ConnectionKind, 'MANUAL'>
  url: string
  sealedSecret: string
  sealedOldSecret: string | null
  oldSecretUntil: Date | null
  lastCalledAt: Date | null
  lastResponseStatus: number | null
  /** Null after a call that went well. */
  lastError: string | null
  lastSeenAt: Date | null
  failedJobsInRow: number
  createdAt: Date
}

const columns = sql`
  agent_id as "agentId", kind, url, sealed_secret as "sealedSecret", sealed_old_secret as "sealedOldSecret",
  old_secret_until as "oldSecretUntil", last_called_at as "lastCalledAt",
  last_response_status as "lastResponseStatus", last_error as "lastError", last_seen_at as "lastSeenAt",
  failed_jobs_in_row as "failedJobsInRow", created_at as "createdAt"`

export function findConnection(db: Queryable, agentId: string): Promise<ConnectionRow | undefined> {
  return db.maybeOne(sql`select ${columns} from agent_connections where agent_id = ${agentId}`)
}

/** False where another call has made it meanwhile. */
export async function insertConnection(
  tx: Queryable,
  { agentId, kind, url, sealedSecret, createdAt }: NewConnection,
): Promise<boolean> {
  const made = await tx.run(sql`
    insert into agent_connections (agent_id, kind, url, sealed_secret, created_at)
    values (${agentId}, ${kind}, ${url}, ${sealedSecret}, ${createdAt}) on conflict (agent_id) do nothing`)
  return made === 1
}

export type NewConnection = Pick<ConnectionRow, 'agentId' | 'kind' | 'url' | 'sealedSecret' | 'createdAt'>

export async function saveTarget(
  tx: Queryable,
  { agentId, kind, url }: Pick<ConnectionRow, 'agentId' | 'kind' | 'url'>,
): Promise<void> {
  await tx.run(sql`update agent_connections set kind = ${kind}, url = ${url} where agent_id = ${agentId}`)
}

export async function saveSecret(
  tx: Queryable,
  agentId: string,
  { sealed, oldUntil }: { sealed: string; oldUntil: Date },
): Promise<void> {
  await tx.run(sql`
    update agent_connections set sealed_old_secret = sealed_secret, old_secret_until = ${oldUntil},
      sealed_secret = ${sealed}
    where agent_id = ${agentId}`)
}

export async function deleteConnection(tx: Queryable, agentId: string): Promise<void> {
  await tx.run(sql`delete from agent_connections where agent_id = ${agentId}`)
}

export interface LastCall {
  at: Date
  responseStatus: number | null
  error: string | null
}

/** How a call went. One that went well is a sign of life too. */
export async function saveCall(
  tx: Queryable,
  agentId: string,
  { at, responseStatus, error }: LastCall,
): Promise<void> {
  await tx.run(sql`
    update agent_connections set last_called_at = ${at}, last_response_status = ${responseStatus},
      last_error = ${error},
      last_seen_at = case when ${error}::text is null then ${at}::timestamptz else last_seen_at end
    where agent_id = ${agentId}`)
}

export async function saveSeen(tx: Queryable, agentId: string, at: Date): Promise<void> {
  await tx.run(sql`update agent_connections set last_seen_at = ${at} where agent_id = ${agentId}`)
}

export async function forgetFailures(tx: Queryable, agentId: string): Promise<void> {
  await tx.run(sql`
    update agent_connections set failed_jobs_in_row = 0 where agent_id = ${agentId} and failed_jobs_in_row > 0`)
}

/** How many it has now; undefined where the connection is gone. */
export async function countFailure(tx: Queryable, agentId: string): Promise<number | undefined> {
  const row = await tx.maybeOne<{ count: number }>(sql`
    update agent_connections set failed_jobs_in_row = failed_jobs_in_row + 1
    where agent_id = ${agentId} returning failed_jobs_in_row as count`)
  return row?.count
}

/** Suspended sellers finish what runs; for deactivated ones nothing happens. */
export async function isDeactivated(db: Queryable, ownerId: string): Promise<boolean> {
  const found = await db.maybeOne(
    sql`select 1 as found from owners where id = ${ownerId} and account_status = 'DEACTIVATED'`,
  )
  return found !== undefined
}
