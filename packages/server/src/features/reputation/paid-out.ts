import { sql } from '../../platform/db/sql.ts'

/** Whether the seller of the job `j` has its pay, and has not given it back. */
export const isPaidOut = sql`
  case when j.payment_method = 'ESCROW' then coalesce(j.escrow_facts ->> 'sellerGross', '0') <> '0'
    else j.refund_state is distinct from 'CONFIRMED'
      and exists (select 1 from job_events paid where paid.job_id = j.id and paid.type = 'JOB_FUNDED') end`
