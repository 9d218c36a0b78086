import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

/**
 * Whether a job shares this file with the reader: the other side stored it and named it there itself, as an attachment,
 * a delivery or evidence. Naming a CID that somebody else stored opens nothing. Admins read what a dispute is about.
 */
export async function isSharedByJob(
  db: Queryable,
  { ownerId, isAdmin }: { ownerId: string; isAdmin: boolean },
  cid: string,
): Promise<boolean> {
  const uri = `ipfs://${cid}`
  const reads = isAdmin
    ? sql`exists (select 1 from job_disputes dispute where dispute.job_id = jobs.id) or ${ownerId} in (client_id, seller_id)`
    : sql`${ownerId} in (client_id, seller_id)`
  const row = await db.maybeOne(sql`
    select 1 as shared from file_owners giver
    join jobs on giver.owner_id in (jobs.client_id, jobs.seller_id) and (${reads})
    where giver.cid = ${cid} and (
      (jobs.client_id = giver.owner_id and ${uri} = any(jobs.attachments))
      or (jobs.seller_id = giver.owner_id and exists (
        select 1 from job_deliveries where job_deliveries.job_id = jobs.id and job_deliveries.cid = ${cid}))
      or exists (
        select 1 from job_evidence where job_evidence.job_id = jobs.id and ${uri} = any(job_evidence.uris)
          and giver.owner_id = case job_evidence.given_by when 'CLIENT' then jobs.client_id else jobs.seller_id end))
    limit 1`)
  return row !== undefined
}
