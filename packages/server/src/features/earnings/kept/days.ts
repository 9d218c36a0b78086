import type { KeptDays } from '../../../house/books/kept-days/days.ts'
import { sql } from '../../../platform/db/sql.ts'
import { earned } from '../earned.ts'
import { summed } from './summed.ts'

/** What accounts earned, by the journal. */
export const earningDays: KeptDays = {
  kept: sql`earning_days`,
  minutes: sql`earning_minutes`,
  due: sql`earning_days_due`,
  entries: sql`earning_entries`,
  of: sql`account`,
  groups: [sql`source`, sql`service_id`, sql`has_job`],
  amounts: [sql`count`, sql`net_micro`, sql`fee_micro`, sql`unverified_micro`],
  anyGroup: sql`'X402', '', false`,
  sums: (ranges, by) => summed(earned(ranges), by),
}
