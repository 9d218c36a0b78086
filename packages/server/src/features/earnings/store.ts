import type { EarningSort, EarningSource, X402Verification } from '@agent-marketplace/contract'
import type { NextEntries } from '../../house/books/journal-reads.ts'
import type { Account } from '../../money/books/accounts.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { EarningFilter } from './earned.ts'
import { sumsOf } from './kept/sums.ts'
import { listed } from './listing.ts'
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

export const listEarnings = (
  db: Queryable,
  filter: EarningFilter,
  page: { sort: EarningSort; limit: number; offset: number },
): Promise<EarningRow[]> => db.rows(listed(filter, page))

export const listEarningsAfter = (
  db: Queryable,
  filter: EarningFilter,
  page: NextEntries,
): Promise<EarningRow[]> => db.rows(listed(filter, { sort: 'oldest', ...page }))

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
