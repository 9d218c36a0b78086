import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { facts, type LogRow } from './store.ts'

export interface LogFilter {
  ownerId: string
  agentId?: string | undefined
  wallet?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** The newest first. Who is no party sees its own words instead of theirs. */
export function listLogs(
  db: Queryable,
  filter: LogFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<LogRow[]> {
  const { ownerId } = filter
  const isParty = sql`(payee_owner_id = ${ownerId} or payer_owner_id = ${ownerId})`
  return db.rows(sql`
    select ${facts}, case when ${isParty} then logged.service_name else own.service_name end as service_name,
      case when ${isParty} then logged.metadata else own.metadata end as metadata
    from (select id from (${idsOf(filter, offset + limit)}) ids order by id desc limit ${limit} offset ${offset}) page
    join x402_transactions logged using (id)
    left join x402_reports own on own.log_id = logged.id and own.owner_id = ${ownerId}
    order by id desc`)
}

export async function countLogs(db: Queryable, filter: LogFilter): Promise<number> {
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from (${idsOf(filter)}) ids`,
  )
  return total
}

/**
 * Those that the owner was paid, paid or logged; of each at most so many of the newest. Each has an index in the order of the
 * list, so that a page costs the same however many there are.
 */
function idsOf({ ownerId, ...narrowing }: LogFilter, newest?: number): Sql {
  const conditions = conditionsOf(narrowing)
  const fits = sql.join([sql`true`, ...conditions], sql` and `)
  const first = (id: Sql): Sql => (newest === undefined ? sql`` : sql`order by ${id} desc limit ${newest}`)
  const reported =
    conditions.length > 0 ? sql`join x402_transactions logged on logged.id = own.log_id` : sql``
  return sql`
    (select id from x402_transactions logged where payee_owner_id = ${ownerId} and ${fits} ${first(sql`id`)})
    union (select id from x402_transactions logged where payer_owner_id = ${ownerId} and ${fits} ${first(sql`id`)})
    union (
      select log_id from x402_reports own ${reported}
      where own.owner_id = ${ownerId} and ${fits} ${first(sql`log_id`)})`
}

function conditionsOf({ agentId, wallet, from, to }: Omit<LogFilter, 'ownerId'>): Sql[] {
  const conditions: Sql[] = []
  if (agentId !== undefined) conditions.push(sql`agent_id = ${agentId}`)
  if (wallet !== undefined)
    conditions.push(sql`lower(${wallet}) in (lower(payer_wallet), lower(payee_wallet))`)
  if (from !== undefined) conditions.push(sql`logged.created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`logged.created_at < ${to}`)
  return conditions
}
