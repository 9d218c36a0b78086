import type { ConnectionKind } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { CardSkill } from './a2a/card-skills.ts'

export interface ConnectionRow {
  agentId: string
  sellerId: string
  kind: Exclude<ConnectionKind, 'MANUAL'>
  url: string
  /** For HTTP, which is signed. */
  sealedSecret: string | null
  sealedOldSecret: string | null
  oldSecretUntil: Date | null
  /** For A2A: what the agent asks its callers for. */
  sealedToken: string | null
  lastCalledAt: Date | null
  lastResponseStatus: number | null
  /** Null after a successful call. */
  lastError: string | null
  lastSeenAt: Date | null
  failedJobsInRow: number
  createdAt: Date
}

const columns = sql`
  agent_id, (select owner_id from agents where agents.id = agent_id) as seller_id, kind, url, sealed_secret,
  sealed_old_secret, old_secret_until, sealed_token, last_called_at, last_response_status, last_error, last_seen_at,
  failed_jobs_in_row, created_at`

export function findConnection(db: Queryable, agentId: string): Promise<ConnectionRow | undefined> {
  return db.maybeOne(sql`select ${columns} from agent_connections where agent_id = ${agentId}`)
}

export type NewConnection = Pick<
  ConnectionRow,
  | 'agentId'
  | 'kind'
  | 'url'
  | 'sealedSecret'
  | 'sealedOldSecret'
  | 'oldSecretUntil'
  | 'sealedToken'
  | 'createdAt'
> & { nextProbeAt: Date }

export async function saveConnection(tx: Queryable, connection: NewConnection): Promise<void> {
  const { agentId, kind, url, sealedSecret, sealedOldSecret, oldSecretUntil, sealedToken } = connection
  const { createdAt, nextProbeAt } = connection
  await tx.run(sql`
    insert into agent_connections
      (agent_id, kind, url, sealed_secret, sealed_old_secret, old_secret_until, sealed_token, created_at, next_probe_at)
    values (${agentId}, ${kind}, ${url}, ${sealedSecret}, ${sealedOldSecret}, ${oldSecretUntil}, ${sealedToken},
      ${createdAt}, ${nextProbeAt})
    on conflict (agent_id) do update set kind = excluded.kind, url = excluded.url,
      sealed_secret = excluded.sealed_secret, sealed_old_secret = excluded.sealed_old_secret,
      old_secret_until = excluded.old_secret_until, sealed_token = excluded.sealed_token,
      next_probe_at = least(agent_connections.next_probe_at, excluded.next_probe_at), failed_probes = 0,
      skills = case when agent_connections.url = excluded.url then agent_connections.skills else '[]'::jsonb end`)
}

/** What the agent's own card said at the last probe that it can do; for A2A, and otherwise nothing. */
export async function findSkills(db: Queryable, wallet: string): Promise<CardSkill[]> {
  const found = await db.maybeOne<{ skills: CardSkill[] }>(sql`
    select c.skills from agent_connections c join agents a on a.id = c.agent_id
    where a.wallet_address = ${wallet} and c.kind = 'A2A'`)
  return found?.skills ?? []
}

export async function deleteConnection(tx: Queryable, agentId: string): Promise<void> {
  await tx.run(sql`delete from agent_connections where agent_id = ${agentId}`)
}

export interface LastCall {
  at: Date
  responseStatus: number | null
  error: string | null
}

/** The outcome of a call. A successful one also shows that the agent is online. */
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

/** Work of suspended sellers is finished; that of deactivated ones stops. */
export async function isDeactivated(db: Queryable, ownerId: string): Promise<boolean> {
  const found = await db.maybeOne(
    sql`select 1 as found from owners where id = ${ownerId} and account_status = 'DEACTIVATED'`,
  )
  return found !== undefined
}
