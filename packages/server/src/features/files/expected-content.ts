import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { NewId } from '../../platform/id/id.ts'
import { isAfter } from '../../platform/queue/due-work.ts'
import type { Announce } from '../../ports/storage/port.ts'
import { lockContent, type Unneeded, type UnneededPage } from './job-files/store.ts'

/** Records bytes that are about to be stored outside of a job. The record comes first, so that a crash leaves no unknown bytes. */
export interface Expectation {
  announce: Announce
  /** In the transaction that records the bytes, or removes them. */
  end: (tx: Queryable) => Promise<boolean>
}

export function expectContent(deps: { db: Database; clock: Clock; newId: NewId }): Expectation {
  const id = deps.newId()
  return {
    announce: (cid) => saveExpected(deps.db, { id, cid, at: deps.clock.now() }),
    end: (tx) => endExpected(tx, id),
  }
}

/** Under the lock of the content: what is being removed at this moment is gone before it is stored again. */
async function saveExpected(
  db: Database,
  { id, cid, at }: { id: string; cid: string; at: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockContent(tx, cid)
    await tx.run(sql`insert into expected_content (id, cid, expected_at) values (${id}, ${cid}, ${at})`)
  })
}

export async function endExpected(tx: Queryable, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from expected_content where id = ${id}`)) === 1
}

/** Of processes that died meanwhile, or of storage that failed. */
export function listOverdue(
  db: Queryable,
  { before, after, limit }: { before: Date } & UnneededPage,
): Promise<Unneeded[]> {
  return db.rows(sql`
    select id, cid, expected_at::text as at from expected_content
    where expected_at <= ${before} and ${isAfter(sql`expected_at`, sql`id`, after)}
    order by expected_at, id limit ${limit}`)
}
