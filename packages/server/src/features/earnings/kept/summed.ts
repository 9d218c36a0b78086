import { type Unit, unitOf } from '../../../house/books/kept-days/days.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'

/** A payment that was looked up on the chain and not found there is listed, but counts in no total. */
export const summed = (earnings: Sql, by: Unit = 'day'): Sql => sql`
  select account, ${unitOf(by, sql`at`)}, source, coalesce(service_id, '') as service_id,
    job_id is not null as has_job, count(*) as count,
    coalesce(sum("netMicro") filter (where verification <> 'UNVERIFIED'), 0) as net_micro,
    coalesce(sum("feeMicro"), 0) as fee_micro,
    coalesce(sum("netMicro") filter (where verification <> 'VERIFIED'), 0) as unverified_micro
  from (${earnings}) earnings group by 1, 2, 3, 4, 5`
