import type { ActivityDay } from '@agent-marketplace/contract'
import { isTreasury } from '../../money/roles/roles.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

interface ActivityRow {
  date: string
  jobs: number
  volumeMicro: bigint
  feesMicro: bigint
  buyers: number
  sellers: number
}

/** How the market is doing, by day: payments from the jobs' own history, fees from the journal. */
export function createActivity({ db, clock }: { db: Database; clock: Clock }) {
  return async (days: number): Promise<ActivityDay[]> => {
    const today = clock.now().toISOString().slice(0, 10)
    // Named as a value, so that the plan knows how few rows of all there are lie behind it.
    const since = addSeconds(new Date(`${today}T00:00:00.000Z`), -(days - 1) * 24 * 3600)
    const rows = await db.rows<ActivityRow>(sql`
      with span as (
        select day::date as day from generate_series(
          ${today}::date - ${days - 1}::integer, ${today}::date, interval '1 day') as day),
      paid as (
        select (event.created_at at time zone 'UTC')::date as day, count(*) as jobs, sum(price_micro) as volume,
          count(distinct client_id) as buyers, count(distinct seller_id) as sellers
        from job_events event join jobs on jobs.id = event.job_id
        where event.type = 'JOB_FUNDED' and event.created_at >= ${since}
        group by 1),
      fees as (
        select (at at time zone 'UTC')::date as day, sum(amount_micro) as amount
        from journal_entries entry join journal_postings posting on posting.entry_id = entry.id
        where ${isTreasury(sql`posting.account`)} and entry.job_id is not null and at >= ${since}
        group by 1)
      select to_char(span.day, 'YYYY-MM-DD') as date, coalesce(jobs, 0)::integer as jobs,
        coalesce(volume, 0)::bigint as volume_micro, coalesce(amount, 0)::bigint as fees_micro,
        coalesce(buyers, 0)::integer as buyers, coalesce(sellers, 0)::integer as sellers
      from span left join paid using (day) left join fees using (day) order by span.day`)
    return rows.map(({ date, jobs, volumeMicro, feesMicro, buyers, sellers }) => ({
      date,
      jobs,
      volume: volumeMicro.toString(),
      fees: feesMicro.toString(),
      buyers,
      sellers,
    }))
  }
}
