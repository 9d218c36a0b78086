import { escrowAccount, walletAccount } from '../../money/books/accounts.ts'
import { isStanding } from '../../money/books/standing.ts'
import { isTreasury } from '../../money/roles/roles.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** How an export reads on: the next entries after a place in the order of time, the oldest first. */
export interface NextEntries {
  after: { at: Date; seq: bigint } | undefined
  limit: number
}

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

const movingKinds = [...closings, 'escrow.funded', 'x402', 'x402.refund']

/** Whether entries of this kind can move money of their job. */
export const isMovingKind = (kind: Sql): Sql => sql`${kind} = any(${movingKinds})`

/** What an entry `e` moved for its job, a row of `jobs`: what the client paid and got back, what the agent and the platform got. */
export const movement: Sql = sql`
  select
    case e.kind when 'escrow.funded' then escrow when 'x402' then agent + platform else 0 end as paid_micro,
    case when e.kind = any(${closings}) then -(escrow + agent + platform) when e.kind = 'x402.refund' then -agent
      else 0 end as refunded_micro,
    case when e.kind = any(${closings}) or e.kind = 'x402' then agent else 0 end as payout_micro,
    case when e.kind = any(${closings}) or e.kind = 'x402' then platform else 0 end as fee_micro
  from (
    select coalesce(sum(p.amount_micro) filter (
        where p.account = ${walletAccount('')} || lower(jobs.agent_wallet)), 0) as agent,
      coalesce(sum(p.amount_micro) filter (where ${isTreasury(sql`p.account`)}), 0) as platform,
      coalesce(sum(p.amount_micro) filter (
        where p.account = ${escrowAccount('')} || lower(jobs.escrow_key)), 0) as escrow
    from journal_postings p where p.entry_id = e.id) sums`

/**
 * Every movement of money of the jobs that fit, by the books. Receipts and spending are both made of these, so that they
 * agree.
 */
export const jobMovements = (jobsThatFit: Sql): Sql => sql`
  select e.id as entry_id, e.seq, e.at, e.job_id, e.tx_hash, moved.*
  from jobs join journal_entries e on e.job_id = jobs.id cross join lateral (${movement}) moved
  where ${jobsThatFit} and ${isMovingKind(sql`e.kind`)} and ${isStanding(sql`e`)}`
