import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/** Uploading the same bytes makes one an owner too: the uploader has them already. */
export async function addFileOwner(db: Queryable, file: { cid: string; ownerId: string }): Promise<void> {
  await db.run(sql`
    insert into file_owners (cid, owner_id) values (${file.cid}, ${file.ownerId}) on conflict do nothing`)
}

export async function ownsFiles(
  db: Queryable,
  { ownerId, cids }: { ownerId: string; cids: string[] },
): Promise<boolean> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) from file_owners where owner_id = ${ownerId} and cid = any(${cids})`)
  return Number(count) === new Set(cids).size
}

export async function isFileOwner(db: Queryable, file: { cid: string; ownerId: string }): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as found from file_owners where cid = ${file.cid} and owner_id = ${file.ownerId}`)
  return row !== undefined
}
