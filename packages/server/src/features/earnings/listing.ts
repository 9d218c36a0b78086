import type { EarningSort } from '@agent-marketplace/contract'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type EarningFilter, earningOf, incomeKinds, isIncomeKind, rangesOf, searched } from './earned.ts'
import { finding, isFound, isInRange } from './search/finding.ts'

const orders: Record<EarningSort, Sql> = {
  newest: sql`at desc, seq desc`,
  oldest: sql`at, seq`,
  highest: sql`"netMicro" desc, seq desc`,
  lowest: sql`"netMicro", seq`,
}

/** The same orders of earning entries `known`, each that of an index. */
const entryOrders: Record<EarningSort, Sql> = {
  newest: sql`known.at desc, known.seq desc`,
  oldest: sql`known.at, known.seq`,
  highest: sql`known.amount_micro desc, known.seq desc`,
  lowest: sql`known.amount_micro, known.seq`,
}

/** Of up to so many entries the keys are sorted for a page. */
const FEW = 1_000

export interface Listing {
  sort: EarningSort
  /** Only entries after this one in the order of time. */
  after?: { at: Date; seq: bigint } | undefined
  limit: number
  offset?: number
}

/** A page of what was earned. */
export function listed(filter: EarningFilter, { offset = 0, ...listing }: Listing): Sql {
  const { words = [] } = filter
  const { sort, limit } = listing
  const upTo = { ...listing, limit: offset + limit }
  const page = sql`order by ${orders[sort]} limit ${limit} offset ${offset}`
  if (words.length > 0)
    return sql`with ${finding(rangesOf(filter), words)} ${walked(searched, filter, upTo)} ${page}`
  if (!mayPassOverMost(filter, listing)) return sql`${walked(rangesOf(filter), filter, upTo)} ${page}`
  const areFew = sql`(select count(*) <= ${FEW} from fitting)`
  return sql`
    with fitting as materialized (${keysThatFit(filter)} limit ${FEW + 1})
    select * from (${firstOfFew(areFew, filter, upTo)}) few
    union all
    select * from (${walked(sql`select * from (${rangesOf(filter)}) range where not ${areFew}`, filter, upTo)}) many
    ${page}`
}

/** Whether few entries may fit where an account has many. Exports walk through all of them in any case. */
const mayPassOverMost = ({ source, from, to }: EarningFilter, { sort, after }: Listing): boolean => {
  const isByAmount = sort === 'highest' || sort === 'lowest'
  return after === undefined && (source !== undefined || (isByAmount && (from ?? to) !== undefined))
}

/** The entries that fit, found by the kind of each and its time. */
const keysThatFit = (filter: EarningFilter): Sql => sql`
  select known.* from (${rangesOf(filter)}) range cross join unnest(${incomeKinds(filter.source)}::text[]) as income (kind)
  cross join lateral (
    select known.entry_id, known.account, known.at, known.seq, known.amount_micro from earning_entries known
    where ${isInRange} and known.kind = income.kind and not known.is_reversed offset 0) known`

/** The first earnings of those that fit, where they are few. */
const firstOfFew = (areFew: Sql, filter: EarningFilter, { sort, limit }: Listing): Sql => sql`
  select earning.* from (
    select * from fitting known where ${areFew} order by ${entryOrders[sort]} offset 0) known
  cross join lateral (${earningOf(filter)} offset 0) earning
  order by ${entryOrders[sort]} limit ${limit}`

/** The first earnings of these ranges, by a walk through each in the order of the page. */
const walked = (ranges: Sql, filter: EarningFilter, listing: Listing): Sql =>
  firstOfEach(leadingRanges(ranges, filter, listing), filter, listing)

/**
 * Where a page can come from: from as many accounts as it has entries at most, those whose first entries come first. Of all
 * others one entry is read, however many agents a seller has.
 */
function leadingRanges(ranges: Sql, filter: EarningFilter, listing: Listing): Sql {
  const { sort, limit } = listing
  if (filter.accounts.length <= limit) return ranges
  const firsts = firstOfEach(ranges, filter, { ...listing, limit: 1 })
  return sql`
    select * from (${ranges}) ranges where account in (
      select account from (${firsts}) firsts order by ${orders[sort]} limit ${limit})`
}

/**
 * The first earnings of each range. Entries are passed over in an index, which has all that they are compared by, and are
 * looked up one after the other until there are enough. Each `offset 0` keeps these steps apart: the planner expects of
 * every account what the average has, and would look up and sort all entries of a large one.
 */
const firstOfEach = (ranges: Sql, filter: EarningFilter, { sort, after, limit }: Listing): Sql => sql`
  select earning.* from (${ranges}) range cross join lateral (
    select earning.* from (
      select known.entry_id, known.account, known.at, known.seq, known.amount_micro from earning_entries known
      where ${isInRange} and not known.is_reversed and ${isIncomeKind(sql`known.kind`, filter.source)}
        ${filter.words?.length ? sql`and ${isFound}` : sql``}
        ${after ? sql`and (known.at, known.seq) > (${after.at}::timestamptz, ${after.seq}::bigint)` : sql``}
      order by ${entryOrders[sort]} offset 0) known
    cross join lateral (${earningOf(filter)} offset 0) earning
    order by ${entryOrders[sort]} limit ${limit}) earning`
