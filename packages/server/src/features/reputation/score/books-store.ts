import { MIN_COUNTED_MICRO } from '@agent-marketplace/contract/rating'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { isPaidOut } from '../paid-out.ts'

export interface JobFacts {
  jobId: string
  clientId: string
  /** In lower case. */
  payerWallet: string
  priceMicro: bigint
  isEscrow: boolean
  isTooSmall: boolean
  counts: boolean
  isPaidOut: boolean
  /** What the escrow gave to the seller's side, fee included. */
  grossMicro: bigint
  /** Null where a fork took the payment back. */
  paidAt: Date | null
  reviewId: string | null
  rating: number | null
  reviewedAt: Date | null
  isCounted: boolean | null
  isDisproven: boolean
  /** What the graph said last time. */
  excludedFor: string | null
}

/** The jobs of an agent that were paid for, the oldest first. */
export function listPaidJobs(db: Queryable, agentId: string): Promise<JobFacts[]> {
  return db.rows(sql`
    select j.id as "jobId", j.client_id, lower(coalesce(p.payer, j.client_wallet)) as "payerWallet",
      j.price_micro, j.payment_method = 'ESCROW' as "isEscrow",
      j.price_micro < ${MIN_COUNTED_MICRO} as "isTooSmall", j.counts,
      ${isPaidOut} as "isPaidOut",
      coalesce((j.escrow_facts ->> 'sellerGross')::bigint, 0) as "grossMicro", funded.at as "paidAt",
      r.id as "reviewId", r.rating, r.created_at as "reviewedAt", r.counted as "isCounted",
      coalesce(r.kind = 'NOT_DELIVERED' and j.status = 'COMPLETED' and j.ended_at <= j.owed_at, false) as "isDisproven",
      x.reason as "excludedFor"
    from jobs j
      cross join lateral (
        select min(e.created_at) as at from job_events e where e.job_id = j.id and e.type = 'JOB_FUNDED') funded
      left join x402_payments p on p.purpose = 'job' and p.reference = j.id and p.status = 'SETTLED'
      left join reviews r on r.job_id = j.id
      left join job_exclusions x on x.job_id = j.id
    where j.agent_id = ${agentId} and (funded.at is not null or r.id is not null or x.job_id is not null)
    order by j.created_at, j.id`)
}

export interface BuyerRow {
  clientId: string
  isVerified: boolean
  firstPaidAt: Date
  otherSellers: number
}

/** What these buyers are known for, by all that they paid to anybody. */
export function listBuyers(
  db: Queryable,
  clientIds: readonly string[],
  sellerId: string,
): Promise<BuyerRow[]> {
  return db.rows(sql`
    select o.id as "clientId", o.kyc_status = 'VERIFIED' as "isVerified", min(e.created_at) as "firstPaidAt",
      count(distinct j.seller_id) filter (
        where j.seller_id <> ${sellerId} and j.seller_id <> j.client_id and j.price_micro >= ${MIN_COUNTED_MICRO}
      )::integer as "otherSellers"
    from owners o join jobs j on j.client_id = o.id
      join job_events e on e.job_id = j.id and e.type = 'JOB_FUNDED'
    where o.id = any(${clientIds}::text[])
    group by o.id`)
}
