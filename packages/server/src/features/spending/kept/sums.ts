import { dayOf } from '../../../house/books/kept-days/days.ts'
import { keptSums } from '../../../house/books/kept-days/sums.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { rangeOf, type SpendingFilter, spent } from '../spent.ts'
import { spendingDays } from './days.ts'
import { summed } from './summed.ts'

/**
 * Sums of what was spent, by day, kind and agent, and by `since`: the day on which the jobs had last moved money before. It
 * shows whether that was already in the period. Where the period begins within a day it cannot, and everything is added up
 * now.
 */
export function sumsOf(filter: SpendingFilter): Sql {
  const { ownerId, kind, agentId, from, to } = filter
  if (from !== undefined && !isMidnight(from)) return summed(spent(rangeOf(filter), filter), { from })
  return keptSums(spendingDays, {
    keys: [ownerId],
    from,
    to,
    fits: sql`(${kind ?? null}::text is null or kind = ${kind ?? null})
      and (${agentId ?? null}::text is null or agent_id = ${agentId ?? null})`,
    addUp: (ranges) => summed(spent(ranges, filter), { from }),
  })
}

const isMidnight = (moment: Date): boolean => moment.toISOString().endsWith('T00:00:00.000Z')

/** A job counts with its first movement in the period. */
export const isFirstOfJob = (from: Date | undefined): Sql => sql`
  (since = '-infinity' or since < ${from === undefined ? '-infinity' : dayOf(from)}::date)`
