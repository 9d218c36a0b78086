import { type KeptDays, rangesOfDays } from '../../../house/books/kept-days.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { spent } from '../spent.ts'
import { summed } from './sums.ts'

/** What owners spent on these days, by the journal. */
export const sumsOfDays = (days: Sql): Sql => summed(spent(rangesOfDays(sql`owner_id`, days)))

export const spendingDays: KeptDays = {
  kept: sql`spending_days`,
  due: sql`spending_days_due`,
  entries: sql`spending_entries`,
  of: sql`owner_id`,
  keep: (chosen) => sql`
    insert into spending_days (owner_id, day, kind, agent_id, since, count, paid_micro, refunded_micro)
    select owner_id, day, kind, agent_id, since, count, paid_micro, refunded_micro from (${sumsOfDays(chosen)}) sums`,
}
