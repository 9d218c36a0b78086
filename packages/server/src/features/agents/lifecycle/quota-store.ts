import type { Queryable } from '../../../platform/db/queryable.ts'
import { removeRows } from '../../../platform/db/remove-rows.ts'
import { sql } from '../../../platform/db/sql.ts'

const isRunning = sql`paused_by is null and approval_status <> 'REJECTED'`

/** Paused agents do not count, and neither do those that were rejected: nobody can find or hire them. */
export async function countRunning(db: Queryable, ownerId: string): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from agents where owner_id = ${ownerId} and ${isRunning}`,
  )
  return Number(count)
}

interface PausedAgent {
  id: string
  name: string
}

/** Pauses the youngest until `quota` are left running; returns those that it paused. */
export function pauseBeyond(tx: Queryable, ownerId: string, quota: number): Promise<PausedAgent[]> {
  return tx.rows(sql`
    update agents set paused_by = 'QUOTA' where id in (
      select id from agents where owner_id = ${ownerId} and ${isRunning}
      order by created_at, id offset ${quota})
    returning id, name`)
}

/** Resumes what the quota had paused, oldest first, as far as there is room; what the owner paused stays paused. */
export function resumeWithin(tx: Queryable, ownerId: string, room: number): Promise<PausedAgent[]> {
  return tx.rows(sql`
    update agents set paused_by = null where id in (
      select id from agents where owner_id = ${ownerId} and paused_by = 'QUOTA' and approval_status <> 'REJECTED'
      order by created_at, id limit ${Math.max(room, 0)})
    returning id, name`)
}

export function savePremium(
  tx: Queryable,
  ownerId: string,
  premium: { until: Date | null; isPremium: boolean },
): Promise<number> {
  return tx.run(sql`
    update agents set premium_until = ${premium.until}, is_premium = ${premium.isPremium}
    where owner_id = ${ownerId}`)
}

export function expirePremium(db: Queryable, now: Date): Promise<number> {
  return db.run(sql`update agents set is_premium = false where is_premium and premium_until <= ${now}`)
}

/** The id under which a request makes its agent: the same for the same request until the reservation is too old. */
export async function reserveAgentId(
  db: Queryable,
  wanted: { ownerId: string; requestHash: string; agentId: string; now: Date; expired: Date },
): Promise<string> {
  const { ownerId, requestHash, agentId, now, expired } = wanted
  await db.run(sql`
    insert into agent_reservations as kept (owner_id, request_hash, agent_id, created_at)
    values (${ownerId}, ${requestHash}, ${agentId}, ${now})
    on conflict (owner_id, request_hash) do update set agent_id = excluded.agent_id, created_at = excluded.created_at
      where kept.created_at < ${expired}`)
  const reservation = await db.one<{ agentId: string }>(sql`
    select agent_id from agent_reservations where owner_id = ${ownerId} and request_hash = ${requestHash}`)
  return reservation.agentId
}

export const removeReservations = (db: Queryable, expired: Date, signal: AbortSignal): Promise<void> =>
  removeRows(db, { table: 'agent_reservations', where: sql`created_at < ${expired}` }, signal)
