import { jobMovements } from '../../../house/books/journal-reads.ts'
import { dayOf, rangesOfDays } from '../../../house/books/kept-days.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { rangeOf, type SpendingFilter, spent } from '../spent.ts'

/**
 * Sums of what was spent, by day, kind and agent, and by the day since which the jobs had moved nothing: the kept ones of
 * whole days, and what is added up now of days that have changed since, or of a last day that is not wanted as a whole. A
 * period that begins within a day is added up now.
 */
export function sumsOf(filter: SpendingFilter): Sql {
  const { ownerId, kind, agentId, from, to } = filter
  const end = to === undefined ? undefined : dayOf(to)
  const isKept = from === undefined || (isMidnight(from) && (end === undefined || dayOf(from) < end))
  if (!isKept) return summed(spent(rangeOf(filter), filter), from)
  const isWhole = sql`owner_id = ${ownerId}
    and day >= ${from ? dayOf(from) : '-infinity'}::date and day < ${end ?? 'infinity'}::date`
  const changed = rangesOfDays(sql`owner_id`, sql`spending_days_due`, isWhole)
  const rest = sql`${changed} union all ${edgeOf(filter, end)}`
  return sql`
    select owner_id, day, kind, agent_id, since, count, paid_micro, refunded_micro from spending_days kept
    where ${isWhole} and (${kind ?? null}::text is null or kind = ${kind ?? null})
      and (${agentId ?? null}::text is null or agent_id = ${agentId ?? null})
      and not exists (select 1 from spending_days_due due where due.owner_id = kept.owner_id and due.day = kept.day)
    union all
    ${summed(spent(rest, filter), from)}`
}

const isMidnight = (moment: Date): boolean => moment.toISOString().endsWith('T00:00:00.000Z')

/** The part of a day after the last whole one. */
const edgeOf = ({ ownerId, to }: SpendingFilter, end: string | undefined): Sql => sql`
  select ${ownerId}::text, edge.since, edge.until
  from (values (${end ?? null}::date::timestamp at time zone 'UTC', ${to ?? null}::timestamptz)) as edge (since, until)
  where edge.since < edge.until`

/** When the job of a row had last moved money before it. */
const before = sql`
  select max(earlier.at) as at from (${jobMovements(sql`jobs.id = one.job_id`)}) earlier
  where (earlier.paid_micro > 0 or earlier.refunded_micro > 0) and (earlier.at, earlier.seq) < (one.at, one.seq)`

/** `since` is without a beginning where the jobs had moved nothing, or nothing in a period that begins at `from`. */
export const summed = (spending: Sql, from?: Date): Sql => sql`
  select owner_id, (one.at at time zone 'UTC')::date as day, kind, coalesce(agent_id, '') as agent_id,
    case when before.at >= ${from ?? '-infinity'}::timestamptz then (before.at at time zone 'UTC')::date
      else '-infinity' end as since,
    count(*) as count, sum(paid_micro) as paid_micro, sum(refunded_micro) as refunded_micro
  from (${spending}) one left join lateral (${before}) before on true group by 1, 2, 3, 4, 5`

/** A job counts with its first movement in the period. */
export const isFirstOfJob = (from: Date | undefined): Sql => sql`
  (since = '-infinity' or since < ${from === undefined ? '-infinity' : dayOf(from)}::date)`
