import { reservedForJob, spentOnJob } from '../../house/books/job-costs.ts'
import type { Spend } from '../../house/budgets.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Caps, dayOf, monthOf, type Sums } from './rules.ts'

export interface BudgetRow extends Caps {
  id: string
  ownerId: string
  allowedAgents: string[]
  allowedCategories: string[]
}

const columns = sql`
  b.id, b.owner_id, b.per_job_micro, b.per_day_micro, b.per_month_micro, b.total_micro, b.allowed_agents,
  b.allowed_categories`

export async function insertBudget(tx: Queryable, row: BudgetRow, now: Date): Promise<void> {
  await tx.run(sql`
    insert into budgets (id, owner_id, per_job_micro, per_day_micro, per_month_micro, total_micro, allowed_agents,
      allowed_categories, created_at)
    values (${row.id}, ${row.ownerId}, ${row.perJobMicro}, ${row.perDayMicro}, ${row.perMonthMicro},
      ${row.totalMicro}, ${row.allowedAgents}, ${row.allowedCategories}, ${now})`)
}

export function listBudgets(db: Queryable, ids: readonly string[]): Promise<BudgetRow[]> {
  return db.rows(sql`select ${columns} from budgets b where b.id = any(${ids})`)
}

/** Locks the budgets that have caps until the transaction ends, in a fixed order to avoid deadlocks. */
export async function lockBudgets(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    select id from budgets
    where id = any(${ids}) and coalesce(per_day_micro, per_month_micro, total_micro) is not null
    order by id for no key update`)
}

interface SummedRow {
  id: string
  spentOfDay: bigint
  reservedOfDay: bigint
  spentOfMonth: bigint
  reservedOfMonth: bigint
  spentInAll: bigint
  reservedInAll: bigint
}

/**
 * What the jobs of each budget come to. With `onlyCapped`, jobs from before the longest time that has a cap are left out:
 * then what has no cap is not summed up whole.
 */
export async function sumJobs(
  db: Queryable,
  ids: readonly string[],
  { now, onlyCapped, exceptJob = null }: { now: Date; onlyCapped: boolean; exceptJob?: string | null },
): Promise<Map<string, Sums>> {
  const [day, month] = [dayOf(now), monthOf(now)]
  const rows = await db.rows<SummedRow>(sql`
    select id, coalesce(sum(spent) filter (where at >= ${day}), 0)::bigint as spent_of_day,
      coalesce(sum(reserved) filter (where at >= ${day}), 0)::bigint as reserved_of_day,
      coalesce(sum(spent) filter (where at >= ${month}), 0)::bigint as spent_of_month,
      coalesce(sum(reserved) filter (where at >= ${month}), 0)::bigint as reserved_of_month,
      coalesce(sum(spent), 0)::bigint as spent_in_all, coalesce(sum(reserved), 0)::bigint as reserved_in_all
    from (
      select b.id, c.counted_at as at, ${spentOnJob} as spent, ${reservedForJob} as reserved
      from budgets b join budget_jobs c on c.budget_id = b.id join jobs on jobs.id = c.job_id
      where b.id = any(${ids}) and c.job_id is distinct from ${exceptJob}::text
        and c.counted_at >= case when not ${onlyCapped}::boolean or b.total_micro is not null then '-infinity'
          when b.per_month_micro is not null then ${month}::timestamptz else ${day}::timestamptz end
    ) counted group by id`)
  return new Map(rows.map((row) => [row.id, sumsOf(row)]))
}

const sumsOf = (row: SummedRow): Sums => ({
  day: { spentMicro: row.spentOfDay, reservedMicro: row.reservedOfDay },
  month: { spentMicro: row.spentOfMonth, reservedMicro: row.reservedOfMonth },
  total: { spentMicro: row.spentInAll, reservedMicro: row.reservedInAll },
})

export interface CategoryOfAgent {
  id: string
  category: string
}

export function listCategories(db: Queryable, agentIds: readonly string[]): Promise<CategoryOfAgent[]> {
  return db.rows(sql`select id, category from agents where id = any(${agentIds})`)
}

export function findCounted(
  db: Queryable,
  jobId: string,
): Promise<{ budgetId: string; countedAt: Date } | undefined> {
  return db.maybeOne(sql`select budget_id, counted_at from budget_jobs where job_id = ${jobId}`)
}

/** A job counts toward one budget: the last one named. */
export async function saveCounted(tx: Queryable, spends: readonly Spend[], now: Date): Promise<void> {
  await tx.run(sql`
    insert into budget_jobs (job_id, budget_id, counted_at, was_paid_before)
    select job_id, budget_id, ${now}, was_paid_before
    from unnest(${spends.map(({ jobId }) => jobId)}::text[], ${spends.map(({ budgetId }) => budgetId)}::text[],
      ${spends.map(({ wasPaidBefore = false }) => wasPaidBefore)}::boolean[])
      as given (job_id, budget_id, was_paid_before)
    on conflict (job_id) do update set budget_id = excluded.budget_id, counted_at = excluded.counted_at`)
}
