import { MAX_MESSAGES_PER_HOUR } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { EarlierThan } from './pages.ts'
import type { Visitor } from './room-door.ts'
import type { Written } from './rules.ts'

export interface MessageRow {
  id: string
  seq: bigint
  sentBy: 'CLIENT' | 'SELLER'
  text: string
  attachments: string[]
  files: string[]
  createdAt: Date
}

const columns = sql`id, seq, sent_by, text, attachments, files, created_at`

export function insertMessage(
  db: Queryable,
  message: Omit<MessageRow, 'seq'> & { jobId: string; senderId: string },
): Promise<MessageRow> {
  const { id, jobId, senderId, sentBy, text, attachments, files, createdAt } = message
  return db.one(sql`
    insert into job_messages (id, job_id, sender_id, sent_by, text, attachments, files, created_at)
    values (${id}, ${jobId}, ${senderId}, ${sentBy}, ${text}, ${attachments}, ${files}, ${createdAt}) returning ${columns}`)
}

/** What this party wrote in the job, in all and lately. */
export function countMessages(
  db: Queryable,
  { jobId, sentBy, since }: { jobId: string; sentBy: MessageRow['sentBy']; since: Date },
): Promise<Written> {
  const isRecent = sql`created_at > ${since}`
  return db.one(sql`
    select count(*)::integer as total, (count(*) filter (where ${isRecent}))::integer as recent,
      min(created_at) filter (where ${isRecent}) as oldest
    from job_messages where job_id = ${jobId} and sent_by = ${sentBy}`)
}

/** Newest first. */
export function listMessages(db: Queryable, { jobId, before, limit }: EarlierThan): Promise<MessageRow[]> {
  return db.rows(sql`
    select ${columns} from job_messages
    where job_id = ${jobId} and (${before ?? null}::bigint is null or seq < ${before ?? null}::bigint)
    order by seq desc limit ${limit}`)
}

/** What the client wrote after one message and up to another, oldest first. */
export function listClientMessages(
  db: Queryable,
  jobId: string,
  { after, upTo }: { after: bigint; upTo: bigint | null },
): Promise<MessageRow[]> {
  return db.rows(sql`
    select ${columns} from job_messages
    where job_id = ${jobId} and sent_by = 'CLIENT' and seq > ${after}
      and (${upTo}::bigint is null or seq <= ${upTo}::bigint)
    order by seq limit ${MAX_MESSAGES_PER_HOUR}`)
}

/** Whether a message shares this file with the reader: a party of its job, or an admin who may have to rule on it. */
export async function isSharedByMessage(
  db: Queryable,
  { ownerId, isAdmin }: Visitor,
  cid: string,
): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as shared from job_messages message
    join jobs on jobs.id = message.job_id
    join file_owners giver on giver.cid = ${cid} and giver.owner_id = message.sender_id
    where message.attachments @> array[${`ipfs://${cid}`}] and (${ownerId} in (jobs.client_id, jobs.seller_id)
      or ${isAdmin} and exists (select 1 from job_disputes dispute where dispute.job_id = jobs.id))
    limit 1`)
  return row !== undefined
}
