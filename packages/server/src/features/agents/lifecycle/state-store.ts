import type { ApprovalStatus } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { PausedBy } from '../rules.ts'
import { type AgentRow, agentColumns } from '../store.ts'

export interface ApprovalPage {
  approvalStatus: ApprovalStatus | undefined
  limit: number
  offset: number
}

export function listForApproval(db: Queryable, page: ApprovalPage): Promise<AgentRow[]> {
  const filter = page.approvalStatus ? sql`where approval_status = ${page.approvalStatus}` : sql``
  return db.rows(sql`
    select ${agentColumns} from agents ${filter} order by created_at, id limit ${page.limit} offset ${page.offset}`)
}

export async function countForApproval(
  db: Queryable,
  approvalStatus: ApprovalStatus | undefined,
): Promise<number> {
  const filter = approvalStatus ? sql`where approval_status = ${approvalStatus}` : sql``
  const { count } = await db.one<{ count: bigint }>(sql`select count(*) from agents ${filter}`)
  return Number(count)
}

export function saveApproval(
  tx: Queryable,
  agentId: string,
  approval: { status: ApprovalStatus; reason: string | null },
): Promise<AgentRow> {
  return tx.one(sql`
    update agents set approval_status = ${approval.status}, rejection_reason = ${approval.reason}
    where id = ${agentId} returning ${agentColumns}`)
}

export function savePause(tx: Queryable, agentId: string, pausedBy: PausedBy | null): Promise<AgentRow> {
  return tx.one(
    sql`update agents set paused_by = ${pausedBy} where id = ${agentId} returning ${agentColumns}`,
  )
}

/** False where it was recorded already. */
export async function saveOnline(tx: Queryable, agentId: string, online: boolean | null): Promise<boolean> {
  const saved = await tx.run(sql`
    update agents set online = ${online}::boolean where id = ${agentId} and online is distinct from ${online}::boolean`)
  return saved === 1
}

/** How many of its paid jobs are not delivered, and whether they are too many. */
export function saveUndelivered(
  tx: Queryable,
  agentId: string,
  { count, owesTooMuch }: { count: number; owesTooMuch: boolean },
): Promise<AgentRow> {
  return tx.one(sql`
    update agents set undelivered_jobs = ${count}, owes_too_much = ${owesTooMuch},
      is_withheld = ${owesTooMuch} or withheld_with is not null
    where id = ${agentId} returning ${agentColumns}`)
}

/** The agents that were made while this one was out of lists come back with it, unless they owe too much themselves. */
export async function releaseWithheldWith(tx: Queryable, agentId: string): Promise<void> {
  await tx.run(sql`
    update agents set withheld_with = null, is_withheld = owes_too_much where withheld_with = ${agentId}`)
}

export function saveOnChainId(
  tx: Queryable,
  agentId: string,
  onChainAgentId: bigint | null,
): Promise<AgentRow> {
  return tx.one(sql`
    update agents set on_chain_agent_id = ${onChainAgentId} where id = ${agentId} returning ${agentColumns}`)
}
