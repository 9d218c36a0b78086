import { type Sql, sql } from '../../../platform/db/sql.ts'
import { columns, type KeptDays, minutesKept, rangesOfDays, rangesOfMinutes } from './days.ts'
import { type Bounds, edgesOf, edgesOfKeys, keptOfEdges, restOfEdges, wholeDaysOf } from './edges.ts'

interface Wanted extends Bounds {
  /** Whose days: values of the column `of`. */
  keys: readonly string[]
  /** The condition on stored rows that selects the wanted groups. */
  fits: Sql
  /** Adds up these ranges now, by day, for the wanted groups. */
  addUp: (ranges: Sql) => Sql
}

/**
 * Sums of a period: the stored sums, plus what is added up now for minutes and days that have changed since or are only partly
 * in the period. The rows of a group may add up to zero where nothing is left of it.
 */
export function keptSums(days: KeptDays, { keys, fits, addUp, ...bounds }: Wanted): Sql {
  const { kept, due, of, groups, amounts } = days
  const { first, end } = wholeDaysOf(bounds)
  const isWhole = sql`
    ${of} = any(${keys}) and day >= ${first ?? '-infinity'}::date and day < ${end ?? 'infinity'}::date`
  const hasEdges = edgesOf(bounds).length > 0
  return sql`
    with changed as materialized (
      select found.*, bool_and(minute is not null) over (partition by ${of}, day) and exists (
        select from ${kept} held where held.${of} = found.${of} and held.day = found.day and held.in_minutes) as in_minutes
      from (select distinct ${of}, day, minute from ${due} where ${isWhole}) found)
      ${hasEdges ? sql`, ${edgesOfKeys(days, keys, bounds)}` : sql``}
    select ${columns([of, sql`day`, ...groups, ...amounts])} from ${kept} held
    where ${isWhole} and ${fits} and not exists (
      select from changed where changed.${of} = held.${of} and changed.day = held.day and not changed.in_minutes)
    union all
    select ${columns([sql`held.${of}`, sql`changed.day`, ...groups, ...amounts.map((amount) => sql`-${amount}`)])}
    from changed cross join ${minutesKept(days, sql`changed`, { from: sql`changed.minute`, to: sql`changed.minute + interval '1 minute'` })}
    where changed.in_minutes and ${fits}
    ${hasEdges ? sql`union all ${keptOfEdges(days, fits)}` : sql``}
    union all
    ${addUp(sql`
      ${rangesOfMinutes(of, sql`changed`, sql`in_minutes`)}
      union all ${rangesOfDays(of, sql`changed`, sql`not in_minutes`)}
      ${hasEdges ? sql`union all ${restOfEdges(days)}` : sql``}`)}`
}
