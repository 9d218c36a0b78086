import type { ProposalStatus } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Hex, Ruling, SafeSignature } from '../../../ports/chain/port.ts'

export interface ProposalRow {
  id: string
  jobId: string
  escrowKey: Hex
  sellerBps: number
  safeNonce: bigint
  safeTxHash: Hex
  threshold: number
  status: ProposalStatus
  txHash: string | null
  failureReason: string | null
  createdAt: Date
  /** The Safe's owners that have signed, in the order they did. */
  confirmedBy: Hex[]
}

const columns = sql`
  p.id, p.job_id, p.escrow_key, p.seller_bps, p.safe_nonce, p.safe_tx_hash, p.threshold, p.status, p.tx_hash,
  p.failure_reason, p.created_at, array(select c.safe_owner from ruling_confirmations c where c.proposal_id = p.id
    order by c.created_at, c.safe_owner) as confirmed_by`

export function rulingOf(row: ProposalRow): Ruling {
  return { escrowKey: row.escrowKey, sellerBps: row.sellerBps, safeNonce: row.safeNonce }
}

/** Changes to the proposals of a job run one after another. */
export async function lockProposals(tx: Queryable, jobId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${jobId}, 11))`)
}

/** The one proposal to show of each job: the live one or the one that was executed, or else the last that failed. */
export function listNewest(db: Queryable, jobIds: readonly string[]): Promise<ProposalRow[]> {
  return db.rows(sql`
    select distinct on (p.job_id) ${columns} from ruling_proposals p
    where p.job_id = any(${jobIds}) and p.status <> 'REPLACED'
    order by p.job_id, p.status = 'FAILED', p.created_at desc, p.id desc`)
}

export async function findNewest(db: Queryable, jobId: string): Promise<ProposalRow | undefined> {
  const [row] = await listNewest(db, [jobId])
  return row
}

export interface NewProposal extends Ruling {
  id: string
  jobId: string
  safeTxHash: Hex
  threshold: number
  proposedBy: string
  now: Date
}

export async function insertProposal(tx: Queryable, given: NewProposal): Promise<void> {
  await tx.run(sql`
    insert into ruling_proposals (id, job_id, escrow_key, seller_bps, safe_nonce, safe_tx_hash, threshold,
      proposed_by, created_at)
    values (${given.id}, ${given.jobId}, ${given.escrowKey}, ${given.sellerBps}, ${given.safeNonce},
      ${given.safeTxHash}, ${given.threshold}, ${given.proposedBy}, ${given.now})`)
}

export async function replaceProposal(tx: Queryable, id: string): Promise<void> {
  await tx.run(sql`update ruling_proposals set status = 'REPLACED' where id = ${id}`)
}

/** False when this owner's signature was there before. */
export async function insertConfirmation(
  tx: Queryable,
  proposalId: string,
  { owner, signature }: SafeSignature,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into ruling_confirmations (proposal_id, safe_owner, signature, created_at)
    values (${proposalId}, ${owner}, ${signature}, ${now}) on conflict do nothing`)
  return inserted === 1
}

export function listConfirmations(tx: Queryable, proposalId: string): Promise<SafeSignature[]> {
  return tx.rows(sql`
    select safe_owner as owner, signature from ruling_confirmations where proposal_id = ${proposalId}
    order by created_at, safe_owner`)
}

export async function saveSigned(tx: Queryable, id: string): Promise<void> {
  await tx.run(sql`update ruling_proposals set status = 'SIGNED' where id = ${id}`)
}

export async function saveExecuted(tx: Queryable, id: string, txHash: string): Promise<void> {
  await tx.run(sql`
    update ruling_proposals set status = 'EXECUTED', tx_hash = ${txHash}, failure_reason = null where id = ${id}`)
}

/** With the transaction that failed, where it came as far as that. */
export async function saveFailed(
  tx: Queryable,
  id: string,
  { reason, txHash }: { reason: string; txHash: string | null },
): Promise<void> {
  await tx.run(sql`
    update ruling_proposals set status = 'FAILED', failure_reason = ${reason}, tx_hash = ${txHash} where id = ${id}`)
}

/** Its outcome was taken back. It is live again, unless another one has taken its place meanwhile. */
export async function saveSignedAgain(
  tx: Queryable,
  { id, jobId }: { id: string; jobId: string },
): Promise<void> {
  await lockProposals(tx, jobId)
  await tx.run(sql`
    update ruling_proposals set status = 'SIGNED', tx_hash = null, failure_reason = null
    where id = ${id} and not exists (
      select from ruling_proposals other
      where other.job_id = ${jobId} and other.id <> ${id} and other.status in ('OPEN', 'SIGNED'))`)
}
