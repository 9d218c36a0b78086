import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

interface SavedPlace {
  ownerId: string
  agentId: string
}

export interface SavedRow {
  agentId: string
  savedAt: Date
  walletAddress: string
  /** Whether lists show the agent now. */
  listed: boolean
}

/** The whole of a list, which is bounded: those saved last first. */
export function listSaved(db: Queryable, ownerId: string): Promise<SavedRow[]> {
  return db.rows(sql`
    select saved_agents.agent_id, saved_agents.saved_at, agents.wallet_address, agents.listed
    from saved_agents join agents on agents.id = saved_agents.agent_id
    where saved_agents.owner_id = ${ownerId}
    order by saved_agents.saved_at desc, saved_agents.agent_id`)
}

/** Keeps other changes to the same list waiting, so that none passes the limit that another one reaches. */
export async function lockList(tx: Queryable, ownerId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`saved-agents:${ownerId}`}, 0))`)
}

export async function isSaved(db: Queryable, { ownerId, agentId }: SavedPlace): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as found from saved_agents where owner_id = ${ownerId} and agent_id = ${agentId}`)
  return row !== undefined
}

export async function countSaved(db: Queryable, ownerId: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::integer as count from saved_agents where owner_id = ${ownerId}`)
  return count
}

/** When it was saved: one that is in the list keeps its time. */
export async function insertSaved(
  tx: Queryable,
  { ownerId, agentId, savedAt }: SavedPlace & { savedAt: Date },
): Promise<Date> {
  const row = await tx.one<{ savedAt: Date }>(sql`
    insert into saved_agents (owner_id, agent_id, saved_at) values (${ownerId}, ${agentId}, ${savedAt})
    on conflict (owner_id, agent_id) do update set saved_at = saved_agents.saved_at
    returning saved_at`)
  return row.savedAt
}

export async function deleteSaved(tx: Queryable, { ownerId, agentId }: SavedPlace): Promise<boolean> {
  const row = await tx.maybeOne(sql`
    delete from saved_agents where owner_id = ${ownerId} and agent_id = ${agentId} returning agent_id`)
  return row !== undefined
}
