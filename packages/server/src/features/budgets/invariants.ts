import { isJobPaid, reservedForJob, spentOnJob } from '../../house/books/job-costs.ts'
import { jobMovements } from '../../house/books/journal-reads.ts'
import { type Invariant, inDatabase, type Subject } from '../../money/audit/invariant.ts'
import { keysBy, rowsOf } from '../../money/audit/keys.ts'
import { sql } from '../../platform/db/sql.ts'

const budgets: Subject = {
  name: 'budget',
  list: rowsOf('budgets', 'id'),
  follows: {
    job: keysBy((keys) => sql`select distinct budget_id as key from budget_jobs where job_id = any(${keys})`),
  },
}

const ofBudgets = (keys: string[]) =>
  sql`jobs.id in (select job_id from budget_jobs where budget_id = any(${keys}))`
/** Paying oneself moves nothing, so the journal has no entry for it. */
const movedMoney = sql`lower(jobs.payer_wallet) is distinct from lower(jobs.agent_wallet)`

/** What budgets promise. */
export const budgetInvariants: readonly Invariant[] = [
  inDatabase(
    budgets,
    'K1',
    'What the jobs of a budget have cost is what the books show as paid for them',
    (db, keys) =>
      db.rows(sql`
      with paid as (
        select job_id, sum(paid_micro) as micro from (${jobMovements(ofBudgets(keys))}) movement group by job_id
      )
      select c.budget_id as key, sum(case when ${isJobPaid} then jobs.price_micro else 0 end) as "ofJobs",
        sum(coalesce(paid.micro, 0)) as "ofBooks"
      from budget_jobs c join jobs on jobs.id = c.job_id left join paid on paid.job_id = jobs.id
      where c.budget_id = any(${keys}) and ${movedMoney}
      group by c.budget_id
      having sum(case when ${isJobPaid} then jobs.price_micro else 0 end) <> sum(coalesce(paid.micro, 0))`),
  ),

  // What was given back is left out: a reorganisation can bring it back after its room was given to another job.
  inDatabase(budgets, 'K2', 'No job, day, month or whole of a budget costs more than its cap', (db, keys) =>
    db.rows(sql`
      with costs as (
        select c.budget_id, c.counted_at at time zone 'UTC' as at, ${spentOnJob} + ${reservedForJob} as micro
        from budget_jobs c join jobs on jobs.id = c.job_id
        where c.budget_id = any(${keys}) and not c.was_paid_before and jobs.status <> 'CANCELLED' and jobs.refund_state is null
      ), sums as (
        select budget_id, 'job' as span, max(micro) as micro from costs group by budget_id
        union all
        select budget_id, 'day', sum(micro) from costs group by budget_id, date_trunc('day', at)
        union all
        select budget_id, 'month', sum(micro) from costs group by budget_id, date_trunc('month', at)
        union all
        select budget_id, 'total', sum(micro) from costs group by budget_id
      )
      select sums.budget_id as key, sums.span, sums.micro from sums join budgets b on b.id = sums.budget_id
      where sums.micro > case sums.span when 'job' then b.per_job_micro when 'day' then b.per_day_micro
        when 'month' then b.per_month_micro else b.total_micro end`),
  ),
]
