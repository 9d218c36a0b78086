import { dayOf } from '../../../house/books/kept-days/days.ts'
import { keptSums } from '../../../house/books/kept-days/sums.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { rangeOf, type SpendingFilter, spent } from '../spent.ts'
import { spendingDays } from './days.ts'
import { moves, summed } from './summed.ts'

/**
 * Sums of what was spent, by day, kind and agent, and by `since`: the day on which the jobs had last moved money before. It
 * shows whether that was already in the period, but where the period begins within that day: see `resumed`.
 */
export function sumsOf(filter: SpendingFilter): Sql {
  const { ownerId, kind, agentId, from, to } = filter
  return keptSums(spendingDays, {
    keys: [ownerId],
    from,
    to,
    fits: sql`(${kind ?? null}::text is null or kind = ${kind ?? null})
      and (${agentId ?? null}::text is null or agent_id = ${agentId ?? null})`,
    addUp: (ranges) => summed(spent(ranges, filter), { from: from && midnightBefore(from) }),
  })
}

/** A job counts with its first movement in the period; those of `resumed` count besides. */
export const isFirstOfJob = (from: Date | undefined): Sql => sql`
  (since = '-infinity' or since < ${from === undefined ? '-infinity' : dayOf(from)}::date)`

/**
 * How many jobs of each agent moved money on the day on which the period begins, but before that moment, and again in the
 * period. There are none unless sums in `days` have that day as their `since`.
 */
export function resumed({ from, to, ...filter }: SpendingFilter, days: Sql): Sql {
  if (from === undefined) return sql`select null as agent_id, 0 as jobs where false`
  const earlier = { ...filter, from: midnightBefore(from), to: from }
  const isInPeriod = sql`later.at >= ${from} and later.at < ${to ?? 'infinity'}::timestamptz`
  // Looked at first, because it is cheap and few have it. The planner would read the journal for all of them at once.
  const hasLater = sql`exists (
    select from journal_entries e join journal_entries later on later.job_id = e.job_id
    where e.id = known.entry_id and ${isInPeriod} offset 0)`
  return sql`
    select agent_id, count(distinct job_id)::integer as jobs from (${spent(rangeOf(earlier), earlier, hasLater)}) earlier
    where exists (select from ${days} where since = ${dayOf(from)}::date)
      and exists (select from (${moves(sql`jobs.id = earlier.job_id`)}) later where ${isInPeriod})
    group by agent_id`
}

const midnightBefore = (moment: Date): Date => new Date(dayOf(moment))
