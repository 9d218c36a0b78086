import { escrowAccount, walletAccount } from '../../money/books/accounts.ts'
import { isStanding } from '../../money/books/standing.ts'
import { isTreasury } from '../../money/roles/roles.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** A page of the entries that a statement finds, the newest first. The statement ends in its condition. */
export const newestFirst = (
  found: Sql,
  entry: Sql,
  { limit, offset }: { limit: number; offset: number },
): Sql => sql`${found} order by ${entry}.at desc, ${entry}.seq desc limit ${limit} offset ${offset}`

/** How an export reads on: the next entries after a place in the order of time, the oldest first. */
export interface NextEntries {
  after: { at: Date; seq: bigint } | undefined
  limit: number
}

export const oldestAfter = (found: Sql, entry: Sql, { after, limit }: NextEntries): Sql => sql`
  ${found}
    and (${entry}.at, ${entry}.seq) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.seq ?? 0n}::bigint)
  order by ${entry}.at, ${entry}.seq limit ${limit}`

/** What one entry of the journal moved for a job. Each of its amounts is 0 or more. */
export interface JobMovement {
  entryId: string
  seq: bigint
  at: Date
  jobId: string
  txHash: string | null
  paidMicro: bigint
  refundedMicro: bigint
  payoutMicro: bigint
  feeMicro: bigint
}

const closings = ['escrow.released', 'escrow.refunded', 'escrow.settled', 'escrow.ruled', 'escrow.expired']

/**
 * Every movement of money of the jobs that fit, by the books: what the client paid and got back, what the agent and the
 * platform got. Receipts and spending are both made of these rows, so that they agree.
 */
export const jobMovements = (jobsThatFit: Sql): Sql => sql`
  select entry_id, seq, at, job_id, tx_hash,
    case kind when 'escrow.funded' then escrow when 'x402' then agent + platform else 0 end as paid_micro,
    case when kind = any(${closings}) then -(escrow + agent + platform) when kind = 'x402.refund' then -agent
      else 0 end as refunded_micro,
    case when kind = any(${closings}) or kind = 'x402' then agent else 0 end as payout_micro,
    case when kind = any(${closings}) or kind = 'x402' then platform else 0 end as fee_micro
  from (
    select e.id as entry_id, e.seq, e.at, e.job_id, e.tx_hash, e.kind,
      coalesce(sum(p.amount_micro) filter (
        where p.account = ${walletAccount('')} || lower(jobs.agent_wallet)), 0) as agent,
      coalesce(sum(p.amount_micro) filter (where ${isTreasury(sql`p.account`)}), 0) as platform,
      coalesce(sum(p.amount_micro) filter (
        where p.account = ${escrowAccount('')} || lower(jobs.escrow_key)), 0) as escrow
    from jobs join journal_entries e on e.job_id = jobs.id join journal_postings p on p.entry_id = e.id
    where ${jobsThatFit} and e.kind = any(${[...closings, 'escrow.funded', 'x402', 'x402.refund']})
      and ${isStanding(sql`e`)}
    group by e.id) moved`
