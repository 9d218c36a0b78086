import type { SpendingKind } from '@agent-marketplace/contract'
import { isMovingKind, movement } from '../../house/books/journal-reads.ts'
import type { Period } from '../../house/books/period.ts'
import { isStanding } from '../../money/books/standing.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface SpendingFilter extends Partial<Period> {
  ownerId: string
  kind?: SpendingKind | undefined
  agentId?: string | undefined
}

type PlatformKind = Exclude<SpendingKind, 'JOB'>

/** The journal entries of what owners pay to the platform. */
const platformKinds: Record<PlatformKind, string> = {
  SUBSCRIPTION: 'subscription.pull',
  VERIFICATION: 'kyc.fee',
}

const isPlatformKind = (kind: Sql): Sql => sql`${kind} = any(${Object.values(platformKinds)})`
const isOfPlatform = isPlatformKind(sql`e.kind`)
const kindOf = sql`
  case e.kind when ${platformKinds.SUBSCRIPTION} then 'SUBSCRIPTION' when ${platformKinds.VERIFICATION} then 'VERIFICATION'
    else 'JOB' end`

/** What an entry cost its owner: a job's payment or refund, a period of a plan, the verification fee. */
const cost = sql`
  select case when ${isOfPlatform} then (
      select sum(p.amount_micro) from journal_postings p where p.entry_id = e.id and p.amount_micro > 0)
    else paid_micro end as paid_micro, case when ${isOfPlatform} then 0 else refunded_micro end as refunded_micro
  from (${movement}) moved`

/** Where to look: an owner, and the time from and up to which their entries count. */
export const rangeOf = ({ ownerId, from, to }: SpendingFilter): Sql => sql`
  select ${ownerId}::text as owner_id, ${from ?? '-infinity'}::timestamptz as since, ${to ?? 'infinity'}::timestamptz as until`

type Narrowing = Pick<SpendingFilter, 'kind' | 'agentId'>

/**
 * What was spent in these ranges, by those entries `known` that meet the condition. List, sums and export are all made of
 * these rows. Neither reversed entries nor their reversals count.
 */
export const spent = (ranges: Sql, narrowing: Narrowing = {}, condition: Sql = sql`true`): Sql => sql`
  select spending.* from (${ranges}) range
  cross join lateral (${entriesIn(narrowing)} and ${condition}) known cross join lateral (${spendingOf(narrowing)}) spending`

/** A page of entries `known`: of those that fit, the first in this order. */
interface Page {
  where?: Sql
  order: Sql
  limit: number
  offset?: number
}

/**
 * A page of what was spent. Entries are passed over in an index, which has all that they are chosen by, and are looked up
 * one after the other until there are enough. Each `offset 0` keeps these steps apart: the planner may expect of an owner
 * what the average has, and would look up and sort all entries of a large one.
 */
export const spentFirst = (
  filter: SpendingFilter,
  { where = sql``, order, limit, offset = 0 }: Page,
): Sql => sql`
  select spending.* from (${rangeOf(filter)}) range
  cross join lateral (${entriesIn(filter)} ${where} order by ${order} offset 0) known
  cross join lateral (${spendingOf(filter)} offset 0) spending
  order by ${order} limit ${limit} offset ${offset}`

const entriesIn = (narrowing: Narrowing): Sql => sql`
  select known.entry_id, known.owner_id, known.agent_id, known.at, known.seq from spending_entries known
  where known.owner_id = range.owner_id and known.at >= range.since and known.at < range.until
    and ${fits(narrowing)}`

/** What an entry `known` is to its owner, or nothing. */
const spendingOf = ({ kind }: Narrowing): Sql => sql`
  select known.owner_id, e.id as entry_id, e.seq, e.at, ${kindOf} as kind, cost.paid_micro, cost.refunded_micro, e.job_id,
    jobs.title as job_title, nullif(known.agent_id, '') as agent_id, agents.name as agent_name,
    agents.wallet_address as agent_wallet, e.tx_hash
  from journal_entries e left join jobs on jobs.id = e.job_id left join agents on agents.id = jobs.agent_id
    cross join lateral (${cost}) cost
  where e.id = known.entry_id and ${isStanding(sql`e`)} and (${kind ?? null}::text is null or ${kindOf} = ${kind ?? null})
    and (${isOfPlatform} or jobs.id is not null and ${isMovingKind(sql`e.kind`)}) and (cost.paid_micro > 0 or cost.refunded_micro > 0)`

/** Only jobs have an agent. Most of what does not fit is passed over by that, and by the kind of the journal entry. */
const fits = ({ kind, agentId }: Narrowing): Sql => {
  const isOfJob = sql`known.agent_id <> '' and ${isMovingKind(sql`known.kind`)}`
  if (agentId !== undefined) return sql`known.agent_id = ${agentId} and ${isOfJob}`
  if (kind === undefined) return sql`(${isOfJob} or ${isPlatformKind(sql`known.kind`)})`
  return kind === 'JOB' ? isOfJob : sql`known.agent_id = '' and known.kind = ${platformKinds[kind]}`
}
