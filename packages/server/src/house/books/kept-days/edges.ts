import { type Sql, sql } from '../../../platform/db/sql.ts'
import { columns, dayOf, type KeptDays, minutesKept, rangesOfMinutes, unitOf } from './days.ts'

const DAY_MS = 24 * 3600_000

/** A period, open where it has no end. */
export interface Bounds {
  from?: Date | undefined
  to?: Date | undefined
}

/** The whole days of a period: from `first` up to `end`, which is not among them. */
export const wholeDaysOf = ({ from, to }: Bounds) => ({
  first: from && dayOf(new Date(from.getTime() + DAY_MS - 1)),
  end: to && dayOf(to),
})

/** The parts of days before the first and after the last whole one. */
export function edgesOf({ from, to }: Bounds): { since: Date; until: Date }[] {
  const { first, end } = wholeDaysOf({ from, to })
  if (from && to && first && end && first > end) return [{ since: from, until: to }]
  const edges = [
    ...(from && first ? [{ since: from, until: new Date(first) }] : []),
    ...(to && end ? [{ since: new Date(end), until: to }] : []),
  ]
  return edges.filter(({ since, until }) => since < until)
}

/**
 * The edges of a period for each of these keys, as the common table expression `edges`. Where the day is kept in minutes,
 * the stored minutes from `first_minute` up to `end_minute` count, except those in the second expression,
 * `changed_of_edges`, which lists each changed minute once, however often it has changed.
 */
export function edgesOfKeys({ kept, due, of }: KeptDays, keys: readonly string[], bounds: Bounds): Sql {
  const edges = edgesOf(bounds)
  const [since, until] = [edges.map((edge) => edge.since), edges.map((edge) => edge.until)]
  const isOfEdge = sql`day_of.${of} = edge.${of} and day_of.day = edge.day`
  return sql`
    edges as materialized (
      select edge.*, first_minute < end_minute
        and exists (select from ${kept} day_of where ${isOfEdge} and in_minutes)
        and not exists (select from ${due} day_of where ${isOfEdge} and minute is null) as in_minutes
      from (
        select key as ${of}, begins, ends, ${unitOf('day', sql`begins`)},
          date_trunc('minute', begins + interval '1 minute' - interval '1 microsecond', 'UTC') as first_minute,
          date_trunc('minute', ends, 'UTC') as end_minute
        from unnest(${keys}::text[]) key, unnest(${since}::timestamptz[], ${until}::timestamptz[]) as edge (begins, ends)) edge),
    changed_of_edges as materialized (
      select distinct edges.${of}, minute from edges join ${due} waiting on waiting.${of} = edges.${of} and waiting.day = edges.day
      where in_minutes and minute >= first_minute and minute < end_minute)`
}

/** The stored sums of minutes that count for the edges. */
export const keptOfEdges = (days: KeptDays, fits: Sql): Sql => {
  const { of, groups, amounts } = days
  return sql`
    select ${columns([sql`edges.${of}`, sql`edges.day`, ...groups, ...amounts])}
    from edges cross join ${minutesKept(days, sql`edges`, { from: sql`edges.first_minute`, to: sql`edges.end_minute` })}
    where edges.in_minutes and ${fits} and not exists (
      select from changed_of_edges changed where changed.${of} = held.${of} and changed.minute = held.minute)`
}

/** The rest of the edges, as ranges to be added up now. */
export const restOfEdges = ({ of }: KeptDays): Sql => sql`
  select ${of}, begins as since, ends as until from edges where not in_minutes
  union all select ${of}, begins, first_minute from edges where in_minutes and begins < first_minute
  union all select ${of}, end_minute, ends from edges where in_minutes and end_minute < ends
  union all ${rangesOfMinutes(of, sql`changed_of_edges`)}`
