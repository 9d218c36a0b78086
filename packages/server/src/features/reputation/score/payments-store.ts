import type { Exclusion } from '@agent-marketplace/contract/rating'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { saveExclusion } from './score-store.ts'

/** A reported payment outside of jobs that the chain shows. */
export interface PaymentFacts {
  paymentId: string
  /** The owner of the wallet that paid where we know one, else the wallet. */
  payer: string
  payerWallet: string
  amountMicro: bigint
  paidAt: Date
  isCounted: boolean
  /** What the graph said last time. */
  excludedFor: string | null
}

/** Those that count, and those that the graph took out. */
export function listPayments(db: Queryable, agentId: string): Promise<PaymentFacts[]> {
  return db.rows(sql`
    select t.id as "paymentId", coalesce(o.id, a.owner_id, lower(t.payer_wallet)) as payer,
      lower(t.payer_wallet) as "payerWallet", t.amount_micro, t.created_at as "paidAt",
      t.counted as "isCounted", x.reason as "excludedFor"
    -- Each by an index of its own: one condition on both tables would read the payments of all agents.
    from (select id from x402_transactions where agent_id = ${agentId} and counted
        union select job_id from job_exclusions where agent_id = ${agentId}) own
      join x402_transactions t on t.id = own.id
      left join owners o on lower(o.wallet_address) = lower(t.payer_wallet)
      left join agents a on lower(a.wallet_address) = lower(t.payer_wallet)
      left join job_exclusions x on x.job_id = t.id
    where t.agent_id = ${agentId} and t.verification = 'VERIFIED' and t.payer_wallet is not null
    order by t.id`)
}

export async function savePayment(
  tx: Queryable,
  { paymentId, agentId, reason }: { paymentId: string; agentId: string; reason: Exclusion | null },
): Promise<void> {
  await saveExclusion(tx, { jobId: paymentId, agentId, reason })
  await tx.run(sql`update x402_transactions set counted = ${reason === null} where id = ${paymentId}`)
}
