import { earningSources } from '@agent-marketplace/contract'
import { keptSums } from '../../../house/books/kept-days/sums.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type EarningFilter, earned, rangesOf } from '../earned.ts'
import { earningDays } from './days.ts'
import { summed } from './summed.ts'

/** Sums of what was earned, by account, day, source and service. With words everything is added up now. */
export function sumsOf(filter: EarningFilter): Sql {
  const { accounts, source, words, from, to } = filter
  if (words?.length) return summed(earned(rangesOf(filter), filter))
  return keptSums(earningDays, {
    keys: accounts,
    from,
    to,
    fits: sql`source = any(${source ? [source] : earningSources})`,
    addUp: (ranges) => summed(earned(ranges, { source })),
  })
}
