import { AppError, UPLOAD_BYTES_PER_DAY } from '@agent-marketplace/contract'
import { addSeconds } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

const DAY_SECONDS = 24 * 3600

interface Upload {
  ownerId: string
  sizeBytes: number
  now: Date
}

/**
 * Refuses an owner who has stored enough for today: files are kept for good, so disk space is the limit that counts. It
 * looks before the bytes are kept and counts after; many at once may pass by as much as they carry.
 */
export async function checkUploads(db: Queryable, { ownerId, sizeBytes, now }: Upload): Promise<void> {
  const { bytes, oldest } = await db.one<{ bytes: bigint; oldest: Date | null }>(sql`
    select coalesce(sum(size_bytes), 0) as bytes, min(uploaded_at) as oldest from file_uploads
    where owner_id = ${ownerId} and uploaded_at > ${addSeconds(now, -DAY_SECONDS)}`)
  if (oldest === null || bytes + BigInt(sizeBytes) <= UPLOAD_BYTES_PER_DAY) return
  const freeAgainMs = addSeconds(oldest, DAY_SECONDS).getTime() - now.getTime()
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: `You have stored ${bytes} bytes within 24 hours; ${UPLOAD_BYTES_PER_DAY} are the most.`,
    details: { retryAfterSeconds: Math.max(1, Math.ceil(freeAgainMs / 1000)) },
  })
}

export async function countUpload(db: Queryable, { ownerId, sizeBytes, now }: Upload): Promise<void> {
  await db.run(sql`
    delete from file_uploads where owner_id = ${ownerId} and uploaded_at <= ${addSeconds(now, -DAY_SECONDS)}`)
  await db.run(sql`
    insert into file_uploads (owner_id, size_bytes, uploaded_at) values (${ownerId}, ${sizeBytes}, ${now})`)
}
