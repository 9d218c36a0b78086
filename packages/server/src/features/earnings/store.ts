import {
  type EarningSort,
  type EarningSource,
  earningSources,
  type X402Verification,
} from '@agent-marketplace/contract'
import { isStanding, type NextEntries, oldestAfter } from '../../house/books/journal-reads.ts'
import type { Period } from '../../house/books/period.ts'
import { type Account, claimedAccount, outsideAccount, walletAccount } from '../../money/books/accounts.ts'
import { isTreasury } from '../../money/roles/roles.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { hasWords } from '../../platform/db/search-words.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

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

export interface EarningFilter extends Partial<Period> {
  /** The accounts whose income it is: of wallets, and of what their owners claim. */
  accounts: readonly Account[]
  source?: EarningSource | undefined
  /** Each of them must be there. */
  words?: readonly string[]
}

/** The journal entries that pay a seller. Whatever else a wallet receives (refunds, claims, deposits) is not income. */
const sourceOf = (kind: Sql): Sql => sql`
  case when ${kind} in ('escrow.released', 'escrow.settled', 'escrow.ruled') then 'ESCROW'
    when ${kind} in ('x402', 'x402.claimed') then 'X402' end`

/** An owner's claim refers to a record of the payment log, which has the transaction and whether the chain confirmed it. */
const claim: Sql = sql`
  select logged.id, logged.tx_key, logged.named_log_index, logged.verification from journal_postings c
  join x402_transactions logged on logged.id = substr(c.account, ${outsideAccount('claim:').length + 1}::int)
  where e.kind = 'x402.claimed' and c.entry_id = e.id`

/**
 * Whether the very payment that is claimed is income of that wallet already, by whatever way it came into the books. Other
 * income of the same transaction is another payment.
 */
const isKnownIncome: Sql = sql`
  exists (
    select 1 from journal_entries k join journal_postings paid on paid.entry_id = k.id
    where k.tx_hash = claim.tx_key and ${sourceOf(sql`k.kind`)} is not null and ${isStanding(sql`k`)}
      and paid.amount_micro = p.amount_micro
      and paid.account = replace(p.account, ${claimedAccount('')}, ${walletAccount('')})
      and (claim.named_log_index is null or claim.named_log_index = k.log_index)
      and not exists (
        select 1 from x402_transactions other
        where other.tx_key = claim.tx_key and other.log_index = k.log_index and other.id <> claim.id
          and other.verification = 'VERIFIED'))`

/** The pay of a job that was refunded is no income. */
const isRefunded: Sql = sql`
  (e.kind = 'x402' and e.job_id is not null and exists (
    select 1 from journal_entries back
    where back.job_id = e.job_id and back.kind = 'x402.refund' and ${isStanding(sql`back`)}))`

/** The platform's share is in the same entry. Neither reversed entries nor their reversals count. */
const earned = (filter: EarningFilter): Sql => sql`
  select e.id as "entryId", e.seq, e.at, ${sourceOf(sql`e.kind`)} as source, p.account, p.amount_micro as "netMicro",
    coalesce((select f.amount_micro from journal_postings f
      where f.entry_id = e.id and ${isTreasury(sql`f.account`)}), 0) as "feeMicro",
    e.job_id, job.title as job_title, job.service_id, coalesce(e.tx_hash, substring(claim.tx_key from '^0x[0-9a-f]{64}$')) as "txHash",
    coalesce(claim.verification, 'VERIFIED') as verification
  from journal_postings p join journal_entries e on e.id = p.entry_id left join jobs job on job.id = e.job_id
    left join lateral (${claim}) claim on true
  where p.account = any(${filter.accounts}) and p.amount_micro > 0 and ${isStanding(sql`e`)}
    and ${sourceOf(sql`e.kind`)} = any(${filter.source ? [filter.source] : earningSources})
    and e.at >= ${filter.from ?? '-infinity'}::timestamptz and e.at < ${filter.to ?? 'infinity'}::timestamptz
    and (claim.tx_key is null or not ${isKnownIncome}) and not ${isRefunded}
    and ${filter.words?.length ? isFoundBy(filter.words) : sql`true`}`

/** Wallets are looked for as they stand in the books, without the kind of their account. */
const isFoundBy = (words: readonly string[]): Sql =>
  hasWords(words, {
    names: sql`concat_ws(' ', job.title,
      (select name from agents where lower(agents.wallet_address) = substring(p.account from '0x[0-9a-f]{40}$')),
      (select entity_name from owners where owners.id = job.client_id))`,
    identifiers: [
      sql`e.job_id`,
      sql`e.tx_hash`,
      sql`claim.tx_key`,
      sql`job.client_wallet`,
      sql`(select substring(payer.account from '0x[0-9a-f]{40}$') from journal_postings payer
        where payer.entry_id = e.id and payer.amount_micro < 0 and starts_with(payer.account, ${walletAccount('')}) limit 1)`,
    ],
  })

const orders: Record<EarningSort, Sql> = {
  newest: sql`e.at desc, e.seq desc`,
  oldest: sql`e.at, e.seq`,
  highest: sql`p.amount_micro desc, e.seq desc`,
  lowest: sql`p.amount_micro, e.seq`,
}

export const listEarnings = (
  db: Queryable,
  filter: EarningFilter,
  { sort, limit, offset }: { sort: EarningSort; limit: number; offset: number },
): Promise<EarningRow[]> =>
  db.rows(sql`${earned(filter)} order by ${orders[sort]} limit ${limit} offset ${offset}`)

export const listEarningsAfter = (
  db: Queryable,
  filter: EarningFilter,
  next: NextEntries,
): Promise<EarningRow[]> => db.rows(oldestAfter(earned(filter), sql`e`, next))

export interface EarningTotals {
  count: bigint
  netMicro: bigint
  feeMicro: bigint
  /** What is only claimed: in the net while it is looked up, and out of it when it was not found. */
  unverifiedMicro: bigint
}

/** Of rows of `earned`. What the chain was asked for and does not show is listed, and is in no total. */
const countedMicro: Sql = sql`
  coalesce(sum("netMicro") filter (where verification <> 'UNVERIFIED'), 0) as "netMicro"`

const unverifiedMicro: Sql = sql`
  coalesce(sum("netMicro") filter (where verification <> 'VERIFIED'), 0) as "unverifiedMicro"`

export function sumEarnings(db: Queryable, filter: EarningFilter): Promise<EarningTotals> {
  return db.one(sql`
    select count(*) as count, ${countedMicro}, coalesce(sum("feeMicro"), 0) as "feeMicro",
      ${unverifiedMicro}
    from (${earned(filter)}) earnings`)
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
    select (at at time zone 'UTC')::date as day, source, ${countedMicro}, ${unverifiedMicro}
    from (${earned(filter)}) earnings group by 1, 2`)
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
      select account, case when ${isByService} then service_id end as service_id,
        ${isByService} and job_id is not null as has_job, count(*) as count, ${countedMicro},
        coalesce(sum("feeMicro"), 0) as "feeMicro"
      from (${earned(filter)}) earnings group by 1, 2, 3) sums`)
}

/** What each account holds by the journal; accounts without a posting are left out. */
export async function balancesOf(db: Queryable, accounts: readonly Account[]): Promise<Map<Account, bigint>> {
  const rows = await db.rows<{ account: Account; amountMicro: bigint }>(sql`
    select account, sum(amount_micro) as "amountMicro" from journal_postings
    where account = any(${accounts}) group by account`)
  return new Map(rows.map(({ account, amountMicro }) => [account, amountMicro]))
}
