import type { EarningSort, EarningSource, X402Verification } from '@agent-marketplace/contract'
import type { NextEntries } from '../../house/books/journal-reads.ts'
import type { Account } from '../../money/books/accounts.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type EarningFilter, earnedIn, rangesOf, searched } from './earned.ts'
import { sumsOf } from './kept/sums.ts'
import { finding } from './search/finding.ts'
import { sumsOfFound } from './search/sums.ts'

/** What an agent's wallet received for one paid-out job or one payment. */
export interface EarningRow {
  entryId: string
  seq: bigint
  at: Date
  source: EarningSource
  account: Account
  netMicro: bigint
  feeMicro: bigint
  jobId: string | null
  jobTitle: string | null
  serviceId: string | null
  txHash: string | null
  verification: X402Verification
}

/** Sums of everything or, with words, of what they find. */
const sumsFor = (filter: EarningFilter): Sql => (filter.words?.length ? sumsOfFound(filter) : sumsOf(filter))

const orders: Record<EarningSort, Sql> = {
  newest: sql`at desc, seq desc`,
  oldest: sql`at, seq`,
  highest: sql`"netMicro" desc, seq desc`,
  lowest: sql`"netMicro", seq`,
}

/** The same orders of earning entries `known`, by which no more is read of each account than the page can show. */
const entryOrders: Record<EarningSort, Sql> = {
  newest: sql`known.at desc, known.seq desc`,
  oldest: sql`known.at, known.seq`,
  highest: sql`known.amount_micro desc, known.seq desc`,
  lowest: sql`known.amount_micro, known.seq`,
}

interface Page {
  sort: EarningSort
  where?: Sql
  /** The offset of the page's end: how many entries there are up to it. */
  count: number
}

/**
 * Where a page of `count` entries can come from: from as many accounts at most, those whose first entries come first. Of all
 * others one entry is read, however many agents a seller has.
 */
function leadingRanges(ranges: Sql, filter: EarningFilter, { sort, where, count }: Page): Sql {
  if (filter.accounts.length <= count) return ranges
  const firsts = earnedIn(ranges, filter, { where, order: entryOrders[sort], limit: 1 })
  return sql`
    select * from (${ranges}) ranges where account in (
      select account from (${firsts}) firsts order by ${orders[sort]} limit ${count})`
}

/** All entries that the page can show, in no order. */
function candidates(filter: EarningFilter, page: Page): Sql {
  const { words = [] } = filter
  const { sort, where, count } = page
  const isSearch = words.length > 0
  const ranges = leadingRanges(isSearch ? searched : rangesOf(filter), filter, page)
  const found = earnedIn(ranges, filter, { where, order: entryOrders[sort], limit: count })
  return isSearch ? sql`with ${finding(rangesOf(filter), words)} ${found}` : found
}

export const listEarnings = (
  db: Queryable,
  filter: EarningFilter,
  { sort, limit, offset }: { sort: EarningSort; limit: number; offset: number },
): Promise<EarningRow[]> =>
  db.rows(sql`
    ${candidates(filter, { sort, count: offset + limit })}
    order by ${orders[sort]} limit ${limit} offset ${offset}`)

export const listEarningsAfter = (
  db: Queryable,
  filter: EarningFilter,
  { after, limit }: NextEntries,
): Promise<EarningRow[]> => {
  const where = sql`and (known.at, known.seq) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.seq ?? 0n}::bigint)`
  return db.rows(sql`
    ${candidates(filter, { sort: 'oldest', where, count: limit })} order by at, seq limit ${limit}`)
}

export interface EarningTotals {
  count: bigint
  netMicro: bigint
  feeMicro: bigint
  /** What is only claimed: in the net while it is looked up, and out of it when it was not found. */
  unverifiedMicro: bigint
}

export function sumEarnings(db: Queryable, filter: EarningFilter): Promise<EarningTotals> {
  return db.one(sql`
    select coalesce(sum(count), 0)::bigint as count, coalesce(sum(net_micro), 0) as net_micro,
      coalesce(sum(fee_micro), 0) as fee_micro, coalesce(sum(unverified_micro), 0) as unverified_micro
    from (${sumsFor(filter)}) sums`)
}

export interface DayRow {
  /** In UTC, as `2026-11-15`. */
  day: string
  source: EarningSource
  netMicro: bigint
  unverifiedMicro: bigint
}

export function sumEarningsByDay(db: Queryable, filter: EarningFilter): Promise<DayRow[]> {
  return db.rows(sql`
    select day, source, sum(net_micro) as net_micro, sum(unverified_micro) as unverified_micro
    from (${sumsFor(filter)}) sums group by day, source having sum(count) > 0`)
}

export interface GroupRow {
  account: Account
  /** Null by agent, and for what was paid without a service. */
  serviceId: string | null
  serviceName: string | null
  hasJob: boolean
  count: bigint
  netMicro: bigint
  feeMicro: bigint
}

/** Sums of the same rows as the list; of each account, or also of each service that its jobs ordered. */
export function sumEarningsByGroup(
  db: Queryable,
  filter: EarningFilter,
  by: 'agent' | 'service',
): Promise<GroupRow[]> {
  const isByService = by === 'service'
  return db.rows(sql`
    select sums.*, (
      select offer ->> 'name' from agents, jsonb_array_elements(agents.services) offer
      where lower(agents.wallet_address) = substring(sums.account from '0x[0-9a-f]{40}$')
        and offer ->> 'id' = sums.service_id) as service_name
    from (
      select account, case when ${isByService} then nullif(service_id, '') end as service_id,
        ${isByService} and has_job as has_job, sum(count)::bigint as count, sum(net_micro) as net_micro,
        sum(fee_micro) as fee_micro
      from (${sumsFor(filter)}) kept group by 1, 2, 3 having sum(count) > 0) sums`)
}
