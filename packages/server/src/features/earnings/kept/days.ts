import { type KeptDays, rangesOfDays } from '../../../house/books/kept-days.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { earned } from '../earned.ts'
import { summed } from './sums.ts'

/** What these days of accounts earned, by the journal. */
export const sumsOfDays = (days: Sql): Sql => summed(earned(rangesOfDays(sql`account`, days)))

export const earningDays: KeptDays = {
  kept: sql`earning_days`,
  due: sql`earning_days_due`,
  entries: sql`earning_entries`,
  of: sql`account`,
  keep: (chosen) => sql`
    insert into earning_days (account, day, source, service_id, has_job, count, fee_micro, net_micro, unverified_micro)
    select account, day, source, service_id, has_job, count, fee_micro, net_micro, unverified_micro
    from (${sumsOfDays(chosen)}) sums`,
}
