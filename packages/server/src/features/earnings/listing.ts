import type { EarningSort, EarningSource } from '@agent-marketplace/contract'
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
  const { source, from, to, words = [] } = filter
  const { sort, limit } = listing
  const upTo = { ...listing, limit: offset + limit }
  const page = sql`order by ${orders[sort]} limit ${limit} offset ${offset}`
  const ranges = rangesOf(filter)
  if (words.length > 0) {
    const walk = { ranges: searched, fits: sql`${isIncomeKind(sql`known.kind`, source)} and ${isFound}` }
    return sql`with ${finding(ranges, words)} ${walked(walk, filter, upTo)} ${page}`
  }
  const isByAmount = sort === 'highest' || sort === 'lowest'
  if (isByAmount && (source ?? from ?? to) !== undefined) return sql`${fewOrMany(filter, upTo)} ${page}`
  const walk =
    source === undefined
      ? { ranges, fits: isIncomeKind(sql`known.kind`) }
      : {
          ranges: sql`select * from (${ranges}) range, ${kindsOfIncome(source)}`,
          fits: sql`known.kind = range.kind`,
        }
  return sql`${walked(walk, filter, upTo)} ${page}`
}

const kindsOfIncome = (source?: EarningSource): Sql =>
  sql`unnest(${incomeKinds(source)}::text[]) as income (kind)`

/**
 * The first by amount of a source or a period, for which a walk may pass over most entries of an account. Where few fit,
 * their keys are sorted instead; where many do, they are not far apart.
 */
function fewOrMany(filter: EarningFilter, listing: Listing): Sql {
  const { sort, limit } = listing
  const ranges = rangesOf(filter)
  const fitting = fittingOf(filter)
  const areFew = sql`(select count(*) <= ${FEW} from fitting)`
  const many = {
    ranges: sql`select * from (${ranges}) range where not ${areFew} and exists (${fitting})`,
    fits: isIncomeKind(sql`known.kind`, filter.source),
  }
  return sql`
    with fitting as materialized (
      select known.* from (${ranges}) range cross join lateral (${fitting}) known limit ${FEW + 1})
    select * from (
      select earning.* from (
        select * from fitting known where ${areFew} order by ${entryOrders[sort]} offset 0) known
      cross join lateral (${earningOf(filter)} offset 0) earning
      order by ${entryOrders[sort]} limit ${limit}) few
    union all
    select * from (${walked(many, filter, listing)}) many`
}

/** The entries of a `range` that fit, found by the kind of each and its time. */
const fittingOf = ({ source }: EarningFilter): Sql => sql`
  select known.* from ${kindsOfIncome(source)} cross join lateral (
    select known.entry_id, known.account, known.at, known.seq, known.amount_micro from earning_entries known
    where ${isInRange} and known.kind = income.kind and not known.is_reversed offset 0) known`

/** Where to look, and the condition on the entries `known` of a `range`. */
interface Walk {
  ranges: Sql
  fits: Sql
}

/** The first earnings of all ranges. */
const walked = (walk: Walk, filter: EarningFilter, listing: Listing): Sql =>
  firstOfEach({ ...walk, ranges: leadingRanges(walk, filter, listing) }, filter, listing)

/**
 * Where a page can come from: from as many accounts as it has entries at most, those whose first entries come first. Of all
 * others one entry is read, however many agents a seller has.
 */
function leadingRanges(walk: Walk, filter: EarningFilter, listing: Listing): Sql {
  const { sort, limit } = listing
  if (filter.accounts.length <= limit) return walk.ranges
  const firsts = firstOfEach(walk, filter, { ...listing, limit: 1 })
  return sql`
    select * from (${walk.ranges}) ranges where account in (
      select account from (${firsts}) firsts order by ${orders[sort]} limit ${limit})`
}

/**
 * The first earnings of each range. Entries are passed over in an index, which has all that they are compared by, and are
 * looked up one after the other until there are enough. Each `offset 0` keeps these steps apart: the planner expects of
 * every account what the average has, and would look up and sort all entries of a large one.
 */
const firstOfEach = (
  { ranges, fits }: Walk,
  filter: EarningFilter,
  { sort, after, limit }: Listing,
): Sql => sql`
  select earning.* from (${ranges}) range cross join lateral (
    select earning.* from (
      select known.entry_id, known.account, known.at, known.seq, known.amount_micro from earning_entries known
      where ${isInRange} and not known.is_reversed and ${fits}
        ${after ? sql`and (known.at, known.seq) > (${after.at}::timestamptz, ${after.seq}::bigint)` : sql``}
      order by ${entryOrders[sort]} offset 0) known
    cross join lateral (${earningOf(filter)} offset 0) earning
    order by ${entryOrders[sort]} limit ${limit}) earning`
