import type { JobStatus, PaymentMethod } from '@agent-marketplace/contract'
import { type JobMovement, jobMovements } from '../../house/books/journal-reads.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

export interface ReceiptJob {
  id: string
  title: string
  status: JobStatus
  paymentMethod: PaymentMethod
  clientId: string
  sellerId: string
  clientWallet: string
  sellerWallet: string
  agentWallet: string
  agentName: string
  /** Verified ones alone; whether it is a person's is beside it. */
  clientName: string | null
  clientIsPerson: boolean
  sellerName: string | null
  sellerIsPerson: boolean
  createdAt: Date
  deliveredAt: Date | null
  endedAt: Date | null
}

export function findReceiptJob(db: Queryable, jobId: string): Promise<ReceiptJob | undefined> {
  return db.maybeOne(sql`
    select jobs.id, jobs.title, jobs.status, jobs.payment_method, jobs.client_id, jobs.seller_id, jobs.client_wallet,
      jobs.seller_wallet, jobs.agent_wallet, agents.name as agent_name, jobs.created_at, jobs.ended_at,
      case client.kyc_status when 'VERIFIED' then client.entity_name end as client_name,
      upper(client.entity_type) is not distinct from 'INDIVIDUAL' as client_is_person,
      case seller.kyc_status when 'VERIFIED' then seller.entity_name end as seller_name,
      upper(seller.entity_type) is not distinct from 'INDIVIDUAL' as seller_is_person,
      (select max(d.delivered_at) from job_deliveries d where d.job_id = jobs.id) as delivered_at
    from jobs join agents on agents.id = jobs.agent_id join owners client on client.id = jobs.client_id
      join owners seller on seller.id = jobs.seller_id
    where jobs.id = ${jobId}`)
}

/** Oldest first. */
export function listMovements(db: Queryable, jobId: string): Promise<JobMovement[]> {
  return db.rows(sql`${jobMovements(sql`jobs.id = ${jobId}`)} order by seq`)
}
