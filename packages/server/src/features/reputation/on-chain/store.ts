import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Payment } from './documents.ts'

/** Keeps a document under its hash, for good. */
export async function saveDocument(
  db: Queryable,
  { hash, body }: { hash: string; body: string },
): Promise<void> {
  await db.run(sql`
    insert into feedback_documents (hash, body) values (${hash}, ${body}) on conflict (hash) do nothing`)
}

export async function findDocument(db: Queryable, hash: string): Promise<string | undefined> {
  const row = await db.maybeOne<{ body: string }>(
    sql`select body from feedback_documents where hash = ${hash}`,
  )
  return row?.body
}

/** What a reviewed job says about itself on chain. */
export interface ReviewedWork {
  category: string
  sellerWallet: string
  agentWallet: string
  onChainAgentId: bigint | null
}

export function findReviewedWork(db: Queryable, jobId: string): Promise<ReviewedWork> {
  return db.one(sql`
    select jobs.category, jobs.seller_wallet, jobs.agent_wallet, agents.on_chain_agent_id
    from jobs join agents on agents.id = jobs.agent_id where jobs.id = ${jobId}`)
}

/** The transfer that reached the agent: the x402 payment itself, or the escrow's payout of what the client deposited. */
export function findPayment(db: Queryable, jobId: string): Promise<Payment | undefined> {
  return db.maybeOne(sql`
    select coalesce(paid.payer, jobs.client_wallet) as payer, jobs.agent_wallet as payee, e.tx_hash
    from jobs join job_events e on e.job_id = jobs.id and e.tx_hash is not null
      and e.type = any(case jobs.payment_method
        when 'ESCROW' then array['ESCROW_RELEASED', 'ESCROW_SETTLED', 'ESCROW_RULED'] else array['JOB_FUNDED'] end)
    left join x402_payments paid on paid.purpose = 'job' and paid.reference = jobs.id and paid.status = 'SETTLED'
    where jobs.id = ${jobId} order by e.seq desc limit 1`)
}

/** Where the review stands in the registry; nulls while it does not. */
export async function saveFeedback(
  db: Queryable,
  reviewId: string,
  { txHash, index }: { txHash: string; index: bigint } | { txHash: null; index: null },
): Promise<void> {
  await db.run(sql`update reviews set tx_hash = ${txHash}, feedback_index = ${index} where id = ${reviewId}`)
}

export async function addRound(db: Queryable, reviewId: string, by: 1 | -1): Promise<void> {
  await db.run(sql`update reviews set feedback_round = feedback_round + ${by} where id = ${reviewId}`)
}
