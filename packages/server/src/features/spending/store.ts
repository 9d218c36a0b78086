import type { SpendingKind } from '@agent-marketplace/contract'
import type { NextEntries } from '../../house/books/journal-reads.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { isFirstOfJob, resumed, sumsOf } from './kept/sums.ts'
import { type SpendingFilter, spentFirst } from './spent.ts'

export interface SpendingRow {
  entryId: string
  seq: bigint
  at: Date
  kind: SpendingKind
  paidMicro: bigint
  refundedMicro: bigint
  jobId: string | null
  jobTitle: string | null
  agentId: string | null
  agentName: string | null
  agentWallet: string | null
  txHash: string | null
}

export const listSpending = (
  db: Queryable,
  filter: SpendingFilter,
  page: { limit: number; offset: number },
): Promise<SpendingRow[]> =>
  db.rows(spentFirst(filter, { order: sql`known.at desc, known.seq desc`, ...page }))

export const listSpendingAfter = (
  db: Queryable,
  filter: SpendingFilter,
  { after, limit }: NextEntries,
): Promise<SpendingRow[]> => {
  const where = after
    ? sql`and (known.at, known.seq) > (${after.at}::timestamptz, ${after.seq}::bigint)`
    : sql``
  return db.rows(spentFirst(filter, { where, order: sql`known.at, known.seq`, limit }))
}

export interface Sums {
  paidMicro: bigint
  refundedMicro: bigint
}
const sums = sql`sum(paid_micro) as paid_micro, sum(refunded_micro) as refunded_micro`

export function sumByKind(
  db: Queryable,
  filter: SpendingFilter,
): Promise<(Sums & { kind: SpendingKind; count: number })[]> {
  return db.rows(
    sql`select kind, sum(count)::integer as count, ${sums} from (${sumsOf(filter)}) days
      group by kind having sum(count) > 0`,
  )
}

/** Newest first; in UTC, as `2026-11`. */
export function sumByMonth(db: Queryable, filter: SpendingFilter): Promise<(Sums & { month: string })[]> {
  return db.rows(sql`
    select to_char(day, 'YYYY-MM') as month, ${sums} from (${sumsOf(filter)}) days
    group by 1 having sum(count) > 0 order by 1 desc`)
}

export interface AgentSums extends Sums {
  agentId: string
  agentName: string
  agentWallet: string
  jobs: number
}

const SHOWN_AGENTS = 50

/** The dearest first. */
export function sumByAgent(db: Queryable, filter: SpendingFilter): Promise<AgentSums[]> {
  return db.rows(sql`
    with days as materialized (${sumsOf(filter)}), resumed as materialized (${resumed(filter, sql`days`)})
    select agent_id, agents.name as agent_name, agents.wallet_address as agent_wallet,
      dearest.jobs + coalesce(resumed.jobs, 0) as jobs, paid_micro, refunded_micro
    from (
      select agent_id, coalesce(sum(count) filter (where ${isFirstOfJob(filter.from)}), 0)::integer as jobs, ${sums}
      from days where agent_id <> '' group by agent_id having sum(count) > 0
      order by sum(paid_micro) - sum(refunded_micro) desc, agent_id limit ${SHOWN_AGENTS}) dearest
    join agents on agents.id = agent_id left join resumed using (agent_id)
    order by paid_micro - refunded_micro desc, agent_id`)
}
