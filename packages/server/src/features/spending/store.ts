import type { SpendingKind } from '@agent-marketplace/contract'
import { jobMovements, type NextEntries, newestFirst, oldestAfter } from '../../house/books/journal-reads.ts'
import type { Period } from '../../house/books/period.ts'
import { isStanding } from '../../money/books/standing.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

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

export interface SpendingFilter extends Partial<Period> {
  ownerId: string
  kind?: SpendingKind | undefined
  agentId?: string | undefined
}

/** What an owner's plans and verification cost, by the books. */
const ofPlatform = (ownerId: string): Sql => sql`
  select e.id as entry_id, e.seq, e.at,
    case e.kind when 'subscription.pull' then 'SUBSCRIPTION' else 'VERIFICATION' end as kind,
    sum(p.amount_micro) as paid_micro, 0::numeric as refunded_micro, null::text as job_id, e.tx_hash
  from journal_entries e join journal_postings p on p.entry_id = e.id and p.amount_micro > 0
  where e.owner_id = ${ownerId} and e.kind in ('subscription.pull', 'kyc.fee') and ${isStanding(sql`e`)}
  group by e.id`

const ofJobs = (ownerId: string): Sql => sql`
  select entry_id, seq, at, 'JOB' as kind, paid_micro, refunded_micro, job_id, tx_hash
  from (${jobMovements(sql`jobs.client_id = ${ownerId}`)}) movement where paid_micro > 0 or refunded_micro > 0`

/** Every row that fits. List, totals and export are all made of these. */
const spent = ({ ownerId, kind, agentId, from, to }: SpendingFilter): Sql => sql`
  select spent.*, jobs.title as job_title, jobs.agent_id, agents.name as agent_name,
    agents.wallet_address as agent_wallet
  from (${ofJobs(ownerId)} union all ${ofPlatform(ownerId)}) spent
  left join jobs on jobs.id = spent.job_id left join agents on agents.id = jobs.agent_id
  where (${kind ?? null}::text is null or spent.kind = ${kind ?? null})
    and (${agentId ?? null}::text is null or jobs.agent_id = ${agentId ?? null})
    and spent.at >= ${from ?? '-infinity'}::timestamptz and spent.at < ${to ?? 'infinity'}::timestamptz`

export const listSpending = (
  db: Queryable,
  filter: SpendingFilter,
  page: { limit: number; offset: number },
): Promise<SpendingRow[]> => db.rows(newestFirst(spent(filter), sql`spent`, page))

export const listSpendingAfter = (
  db: Queryable,
  filter: SpendingFilter,
  next: NextEntries,
): Promise<SpendingRow[]> => db.rows(oldestAfter(spent(filter), sql`spent`, next))

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
    sql`select kind, count(*)::integer as count, ${sums} from (${spent(filter)}) rows group by kind`,
  )
}

/** Newest first; in UTC, as `2026-11`. */
export function sumByMonth(db: Queryable, filter: SpendingFilter): Promise<(Sums & { month: string })[]> {
  return db.rows(sql`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month, ${sums} from (${spent(filter)}) rows
    group by 1 order by 1 desc`)
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
    select agent_id, agent_name, agent_wallet, count(distinct job_id)::integer as jobs, ${sums}
    from (${spent(filter)}) rows where agent_id is not null group by agent_id, agent_name, agent_wallet
    order by sum(paid_micro) - sum(refunded_micro) desc, agent_id limit ${SHOWN_AGENTS}`)
}
