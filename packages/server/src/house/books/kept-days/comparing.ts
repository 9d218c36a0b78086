import { type Sql, sql } from '../../../platform/db/sql.ts'
import {
  columns,
  type KeptDays,
  minutesKept,
  rangesOfDays,
  rangesOfMinutes,
  startOf,
  type Unit,
} from './days.ts'

/**
 * The days with these keys whose stored sums are wrong: they differ from the journal or, for days kept in minutes, from the
 * total of their minutes. Days that are due are not compared with the journal.
 */
export function daysThatDiffer(days: KeptDays, keys: string[]): Sql {
  const { kept, due, of, groups, amounts } = days
  const row = columns([of, sql`day`, ...groups, ...amounts])
  const chosen = sql`
    select named.*, exists (
      select from ${kept} held where held.${of} = named.${of} and held.day = named.day and held.in_minutes) as in_minutes
    from (select split_part(key, ' ', 1) as ${of}, split_part(key, ' ', 2)::date as day from unnest(${keys}::text[]) key) named`
  const isDue = sql`select from ${due} waiting where waiting.${of} = chosen.${of} and waiting.day = chosen.day`
  return sql`
    with chosen as materialized (select * from (${chosen}) chosen where in_minutes or not exists (${isDue})),
      kept as (select ${row} from ${kept} join chosen using (${of}, day)),
      now as (
        select ${row} from (${days.sums(rangesOfDays(of, sql`chosen`, sql`not in_minutes`), 'day')}) whole
        union all
        select ${columns([of, sql`day`, ...groups, ...amounts.map((amount) => sql`sum(${amount})`)])}
        from (
          select chosen.day, held.* from chosen cross join ${minutesKept(days, sql`chosen`, { from: startOf(sql`chosen.day`), to: startOf(sql`chosen.day + 1`) })}
          where chosen.in_minutes) part
        group by ${columns([of, sql`day`, ...groups])})
    ${differing(days, 'day', sql`${of} || ' ' || day`)}`
}

/** The minutes of busy days with these keys whose stored sums differ from the journal, except those that are due. */
export function minutesThatDiffer(days: KeptDays, keys: string[]): Sql {
  const { kept, minutes, due, of, groups, amounts } = days
  const row = columns([of, sql`minute`, ...groups, ...amounts])
  return sql`
    with chosen as materialized (
      select * from (
        select key, split_part(key, ' ', 1) as ${of}, split_part(key, ' ', 2)::timestamptz as minute
        from unnest(${keys}::text[]) key) named
      where exists (
          select from ${kept} held
          where held.${of} = named.${of} and held.day = (named.minute at time zone 'UTC')::date and held.in_minutes)
        and not exists (
          select from ${due} waiting
          where waiting.${of} = named.${of} and waiting.day = (named.minute at time zone 'UTC')::date
            and coalesce(waiting.minute, named.minute) = named.minute)),
      kept as (select ${row} from ${minutes} join chosen using (${of}, minute)),
      now as (select ${row} from (${days.sums(rangesOfMinutes(of, sql`chosen`), 'minute')}) sums)
    ${differing(days, 'minute', sql`(select key from chosen where chosen.${of} = found.${of} and chosen.minute = found.minute)`)}`
}

/** Rows whose amounts differ between `kept` and `now`. A missing row counts as zero. */
const differing = ({ of, groups, amounts }: KeptDays, by: Unit, key: Sql): Sql => {
  const unit = sql.ident(by)
  const kept = columns(amounts, (amount) => sql`coalesce(kept_${amount}, 0)`)
  const now = columns(amounts, (amount) => sql`coalesce(${amount}, 0)`)
  return sql`
    select ${key} as key, found.* from (
      select ${columns([of, unit, ...groups])},
        ${columns(amounts, (amount) => sql`kept.${amount} as kept_${amount}, now.${amount}`)}
      from kept full join now using (${columns([of, unit, ...groups])})) found
    where (${kept}) is distinct from (${now})`
}
