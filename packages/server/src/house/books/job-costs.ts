import { escrowRail } from '@agent-marketplace/contract'
import { sql } from '../../platform/db/sql.ts'

const isEscrow = sql`jobs.payment_method = ${escrowRail.method}`
const isFunded = sql`jobs.escrow_facts ->> 'state' <> 'UNFUNDED'`

/** Whether the client's money has left their wallet for a job, wherever it is now. Reads the table `jobs`. */
export const isJobPaid = sql`case when ${isEscrow} then ${isFunded} else jobs.paid_at is not null end`

/**
 * What a job has cost its client: its price once it is paid, and in the end what did not come back. It follows from the
 * job as it is, so that nothing is given back twice, and what a reorganisation takes back counts again.
 */
export const spentOnJob = sql`
  case when not ${isJobPaid} then 0
    when ${isEscrow} then coalesce((jobs.escrow_facts ->> 'sellerGross')::bigint, jobs.price_micro)
    when jobs.refund_state = 'CONFIRMED' then 0
    else jobs.price_micro end`

/** What a job that is hired and not paid may still cost. */
export const reservedForJob = sql`
  case when ${isJobPaid} or jobs.status = 'CANCELLED' then 0 else jobs.price_micro end`
