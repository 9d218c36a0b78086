import { earningSources } from '@agent-marketplace/contract'
import { dayOf, rangesOfDays } from '../../../house/books/kept-days.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type EarningFilter, earned, rangesOf } from '../earned.ts'

const DAY_MS = 24 * 3600_000

/**
 * Sums of what was earned, by account, day, source and service: the kept ones of whole days, and what is added up now of
 * days that have changed since, or that are not wanted as a whole. With words everything is added up now.
 */
export function sumsOf(filter: EarningFilter): Sql {
  const { accounts, source, from, to, words } = filter
  if (words?.length) return summed(earned(rangesOf(filter), filter))
  const first = from === undefined ? undefined : dayOf(new Date(from.getTime() + DAY_MS - 1))
  const end = to === undefined ? undefined : dayOf(to)
  if (first !== undefined && end !== undefined && first >= end)
    return summed(earned(rangesOf(filter), filter))
  const isWhole = sql`account = any(${accounts})
    and day >= ${first ?? '-infinity'}::date and day < ${end ?? 'infinity'}::date`
  const changed = rangesOfDays(sql`account`, sql`earning_days_due`, isWhole)
  return sql`
    select account, day, source, service_id, has_job, count, net_micro, fee_micro,
      unverified_micro
    from earning_days kept where ${isWhole} and source = any(${source ? [source] : earningSources})
      and not exists (select 1 from earning_days_due due where due.account = kept.account and due.day = kept.day)
    union all
    ${summed(earned(sql`${changed} union all ${edgesOf(filter, { first, end })}`, { source }))}`
}

/** The parts of days before the first and after the last whole one. */
function edgesOf(
  { accounts, from, to }: EarningFilter,
  { first, end }: { first: string | undefined; end: string | undefined },
): Sql {
  return sql`
    select account, edge.since, edge.until from unnest(${accounts}::text[]) account, (values
      (${from ?? null}::timestamptz, ${first ?? null}::date::timestamp at time zone 'UTC'),
      (${end ?? null}::date::timestamp at time zone 'UTC', ${to ?? null}::timestamptz)) as edge (since, until)
    where edge.since < edge.until`
}

/** What was looked up on the chain and is not there is listed, and is in no total. */
export const summed = (earnings: Sql): Sql => sql`
  select account, (at at time zone 'UTC')::date as day, source, coalesce(service_id, '') as service_id,
    job_id is not null as has_job, count(*) as count,
    coalesce(sum("netMicro") filter (where verification <> 'UNVERIFIED'), 0) as net_micro,
    coalesce(sum("feeMicro"), 0) as fee_micro,
    coalesce(sum("netMicro") filter (where verification <> 'VERIFIED'), 0) as unverified_micro
  from (${earnings}) earnings group by 1, 2, 3, 4, 5`
