import { type EarningSource, earningSources } from '@agent-marketplace/contract'
import type { Period } from '../../house/books/period.ts'
import { type Account, claimedAccount, outsideAccount, walletAccount } from '../../money/books/accounts.ts'
import { isStanding } from '../../money/books/standing.ts'
import { isTreasury } from '../../money/roles/roles.ts'
import { hasWords } from '../../platform/db/search-words.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { anchorsOf } from './search/anchors.ts'
import { finding, isFound, isInRange } from './search/finding.ts'

export interface EarningFilter extends Partial<Period> {
  /** The accounts whose income it is: of wallets, and of what their owners claim. */
  accounts: readonly Account[]
  source?: EarningSource | undefined
  /** Each of them must be there. */
  words?: readonly string[]
}

/** The journal entries that pay a seller. Whatever else a wallet receives (refunds, claims, deposits) is not income. */
const kindsOf: Record<EarningSource, readonly string[]> = {
  ESCROW: ['escrow.released', 'escrow.settled', 'escrow.ruled'],
  X402: ['x402', 'x402.claimed'],
}

const sourceOf = (kind: Sql): Sql => {
  const cases = earningSources.map((source) => sql`when ${kind} = any(${kindsOf[source]}) then ${source}`)
  return sql`case ${sql.join(cases, sql` `)} end`
}

/** The kinds of entries that are income; with a source, income from it. */
export const incomeKinds = (source?: EarningSource): readonly string[] =>
  source ? kindsOf[source] : Object.values(kindsOf).flat()

export const isIncomeKind = (kind: Sql, source?: EarningSource): Sql =>
  sql`${kind} = any(${incomeKinds(source)})`

/** The id of the record in the payment log that a claim's posting names. */
export const loggedByClaim = (posting: Sql): Sql =>
  sql`substr(${posting}.account, ${outsideAccount('claim:').length + 1}::int)`

/** An owner's claim refers to a record of the payment log, which has the transaction and whether the chain confirmed it. */
const claim: Sql = sql`
  select logged.id, logged.tx_key, logged.named_log_index, logged.verification from journal_postings c
  join x402_transactions logged on logged.id = ${loggedByClaim(sql`c`)}
  where e.kind = 'x402.claimed' and c.entry_id = e.id`

/**
 * Whether the very payment that is claimed is income of that wallet already, by whatever way it came into the books. Other
 * income of the same transaction is another payment.
 */
const isKnownIncome: Sql = sql`
  exists (
    select 1 from journal_entries k join journal_postings paid on paid.entry_id = k.id
    where k.tx_hash = claim.tx_key and ${isIncomeKind(sql`k.kind`)} and ${isStanding(sql`k`)}
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

/** Where to look: accounts, each with the time from and up to which its entries count. */
export const rangesOf = ({ accounts, from, to }: EarningFilter): Sql => sql`
  select account, ${from ?? '-infinity'}::timestamptz as since, ${to ?? 'infinity'}::timestamptz as until
  from unnest(${accounts}::text[]) account`

type Narrowing = Pick<EarningFilter, 'source' | 'words'>

/**
 * What counts as income in these ranges. The platform's share is in the same entry. Neither reversed entries nor their
 * reversals count.
 */
export const earned = (ranges: Sql, narrowing: Narrowing = {}): Sql =>
  narrowing.words?.length
    ? sql`with ${finding(ranges, narrowing.words)} ${earnedIn(searched, narrowing, isFound)}`
    : earnedIn(ranges, narrowing)

/** The ranges of a statement that begins with `finding`. */
export const searched: Sql = sql`select * from searched`

/**
 * Each `offset 0` keeps a step apart from the next: entries are looked up one after the other, whatever the planner expects
 * of a range. It knows only what the average account has, and might read the whole journal for a few entries.
 */
const earnedIn = (ranges: Sql, narrowing: Narrowing, condition: Sql = sql`true`): Sql => sql`
  select earning.* from (${ranges}) range
  cross join lateral (
    select known.* from earning_entries known
    where ${isInRange} and not known.is_reversed and ${condition} offset 0) known
  cross join lateral (${earningOf(narrowing)} offset 0) earning`

/** The income that an entry `known` of a `range` is, or nothing. */
export const earningOf = ({ source, words = [] }: Narrowing): Sql => sql`
  select ${earningColumns(feeOf)}
  from journal_entries e join journal_postings p on p.entry_id = e.id
    left join jobs job on job.id = e.job_id left join lateral (${claim}) claim on true
  where e.id = known.entry_id and p.account = known.account and ${isIncome(source)} and ${hasRemaining(words)}`

const feeOf: Sql = sql`
  coalesce((select f.amount_micro from journal_postings f
    where f.entry_id = e.id and ${isTreasury(sql`f.account`)}), 0)`

/** What is shown of an entry `e`: its posting `p` in the seller's wallet, its `job` and its `claim`. */
export const earningColumns = (fee: Sql): Sql => sql`
  e.id as "entryId", e.seq, e.at, ${sourceOf(sql`e.kind`)} as source, p.account, p.amount_micro as "netMicro",
  ${fee} as "feeMicro", e.job_id, job.title as job_title, job.service_id,
  coalesce(e.tx_hash, substring(claim.tx_key from '^0x[0-9a-f]{64}$')) as "txHash",
  coalesce(claim.verification, 'VERIFIED') as verification`

export const isIncome = (source?: EarningSource): Sql => sql`
  ${isStanding(sql`e`)} and ${isIncomeKind(sql`e.kind`, source)}
  and (claim.tx_key is null or not ${isKnownIncome}) and not ${isRefunded}`

/**
 * Whether an entry that was found by the anchors has the other words as well; always true where all words are anchors.
 * Wallets are compared as the books write them, without the kind of account.
 */
const hasRemaining = (words: readonly string[]): Sql =>
  anchorsOf(words).length === words.length
    ? sql`true`
    : hasWords(words, {
        names: sql`concat_ws(' ', job.title, range.name,
          (select entity_name from owners where owners.id = job.client_id))`,
        identifiers: [
          sql`e.job_id`,
          sql`e.tx_hash`,
          sql`claim.tx_key`,
          sql`job.client_wallet`,
          sql`(select substring(payer.account from '0x[0-9a-f]{40}$') from journal_postings payer
            where payer.entry_id = e.id and payer.amount_micro < 0
              and starts_with(payer.account, ${walletAccount('')}) limit 1)`,
        ],
      })
