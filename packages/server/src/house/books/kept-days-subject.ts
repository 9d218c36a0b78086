import type { Subject } from '../../money/audit/invariant.ts'
import { readKeys } from '../../money/audit/keys.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { KeptDays } from './kept-days.ts'

/** A day of one owner may have ten thousand entries, and a statement has ten seconds. */
const DAYS_AT_ONCE = 50

/** Days that have entries, or sums that are kept. The key of one is whose it is and its date. */
export const daysOf = (name: string, { entries, kept, of }: KeptDays): Subject => ({
  name,
  keysAtOnce: DAYS_AT_ONCE,
  list: ({ db }, { after, limit }) => {
    const [whose = '', day = '-infinity'] = after === '' ? [] : after.split(' ')
    // From one day to the next by the index: a day may have a thousand entries.
    return readKeys(
      db,
      sql`
      with recursive busy as (
        (select ${of}, (at at time zone 'UTC')::date as day, 1 as place from ${entries}
          where (${of}, at) >= (${whose}, (${day}::date + 1)::timestamp at time zone 'UTC')
          order by ${of}, at limit 1)
        union all
        select next.${of}, (next.at at time zone 'UTC')::date, place + 1
        from busy cross join lateral (
          select e.${of}, e.at from ${entries} e
          where (e.${of}, e.at) >= (busy.${of}, (busy.day + 1)::timestamp at time zone 'UTC')
          order by e.${of}, e.at limit 1) next
        where place < ${limit}::int
      )
      select ${of} || ' ' || day as key from (
        select ${of}, day from busy
        union
        (select ${of}, day from ${kept}
          where (${of}, day) > (${whose}, ${day}::date) order by ${of}, day limit ${limit})) found
      order by ${of}, day limit ${limit}`,
    )
  },
})

/** The days of these keys, as a relation named `chosen`. */
export const daysNamedBy = (keys: string[], { of }: KeptDays): Sql => sql`
  (select split_part(key, ' ', 1) as ${of}, split_part(key, ' ', 2)::date as day from unnest(${keys}::text[]) key) chosen`
