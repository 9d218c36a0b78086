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

/**
 * Those that the owner logged, paid or was paid; the newest first. Who is no party sees its own words instead of theirs.
 */
export function listLogs(
  db: Queryable,
  filter: LogFilter,
  page: { limit: number; offset: number },
): Promise<LogRow[]> {
  const { ownerId } = filter
  const isParty = sql`(payee_owner_id = ${ownerId} or payer_owner_id = ${ownerId})`
  return db.rows(sql`
    select ${facts}, case when ${isParty} then logged.service_name else own.service_name end as service_name,
      case when ${isParty} then logged.metadata else own.metadata end as metadata
    from x402_transactions logged
    left join x402_reports own on own.log_id = logged.id and own.owner_id = ${ownerId}
    where ${conditionOf(filter)}
    order by logged.id desc limit ${page.limit} offset ${page.offset}`)
}

export async function countLogs(db: Queryable, filter: LogFilter): Promise<number> {
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from x402_transactions logged where ${conditionOf(filter)}`,
  )
  return total
}

function conditionOf({ ownerId, agentId, wallet, from, to }: LogFilter): Sql {
  const conditions = [
    sql`id in (select id from x402_transactions where payee_owner_id = ${ownerId}
      union select id from x402_transactions where payer_owner_id = ${ownerId}
      union select log_id from x402_reports where owner_id = ${ownerId})`,
  ]
  if (agentId !== undefined) conditions.push(sql`agent_id = ${agentId}`)
  if (wallet !== undefined)
    conditions.push(sql`lower(${wallet}) in (lower(payer_wallet), lower(payee_wallet))`)
  if (from !== undefined) conditions.push(sql`logged.created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`logged.created_at < ${to}`)
  return sql.join(conditions, sql` and `)
}
