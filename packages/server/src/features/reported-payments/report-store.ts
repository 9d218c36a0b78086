import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { jsonOrNull, type LogRow } from './store.ts'

/** One owner's own words about a payment. */
export interface OwnReport {
  serviceName: string | null
  metadata: Record<string, unknown> | null
}

export async function saveReport(
  db: Queryable,
  report: OwnReport & { logId: string; ownerId: string; createdAt: Date },
): Promise<void> {
  await db.run(sql`
    insert into x402_reports (log_id, owner_id, service_name, metadata, created_at)
    values (${report.logId}, ${report.ownerId}, ${report.serviceName}, ${jsonOrNull(report.metadata)}, ${report.createdAt})
    on conflict (log_id, owner_id) do update
      set service_name = excluded.service_name, metadata = excluded.metadata`)
}

export function findReport(db: Queryable, logId: string, ownerId: string): Promise<OwnReport | undefined> {
  return db.maybeOne(sql`
    select service_name, metadata from x402_reports where log_id = ${logId} and owner_id = ${ownerId}`)
}

/** What an owner said of a payment, in whichever record of it. */
export function findWords(db: Queryable, row: LogRow, ownerId: string): Promise<OwnReport | undefined> {
  return db.maybeOne(sql`
    select said.service_name, said.metadata
    from x402_reports said join x402_transactions logged on logged.id = said.log_id
    where said.owner_id = ${ownerId} and logged.chain_id = ${row.chainId} and logged.tx_key = ${row.txKey}
      and logged.agent_id = ${row.agentId} and logged.amount_micro = ${row.amountMicro}
      and coalesce(logged.named_log_index, ${row.logIndex}) is not distinct from ${row.logIndex}
    order by logged.id = ${row.id} desc, logged.id desc limit 1`)
}
