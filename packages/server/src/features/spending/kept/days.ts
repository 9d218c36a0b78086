import type { KeptDays } from '../../../house/books/kept-days/days.ts'
import { sql } from '../../../platform/db/sql.ts'
import { spent } from '../spent.ts'
import { summed } from './summed.ts'

/** What owners spent, by the journal. */
export const spendingDays: KeptDays = {
  kept: sql`spending_days`,
  minutes: sql`spending_minutes`,
  due: sql`spending_days_due`,
  entries: sql`spending_entries`,
  of: sql`owner_id`,
  groups: [sql`kind`, sql`agent_id`, sql`since`],
  amounts: [sql`count`, sql`paid_micro`, sql`refunded_micro`],
  anyGroup: sql`'JOB', '', '-infinity'::date`,
  sums: (ranges, by) => summed(spent(ranges), { by }),
}
