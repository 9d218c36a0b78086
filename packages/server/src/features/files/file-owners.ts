import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/** Uploading the same bytes makes one an owner too: the uploader has them already. */
export async function addFileOwner(db: Queryable, file: { cid: string; ownerId: string }): Promise<void> {
  await db.run(sql`
    insert into file_owners (cid, owner_id) values (${file.cid}, ${file.ownerId}) on conflict do nothing`)
}

export async function isFileOwner(db: Queryable, file: { cid: string; ownerId: string }): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as found from file_owners where cid = ${file.cid} and owner_id = ${file.ownerId}`)
  return row !== undefined
}
