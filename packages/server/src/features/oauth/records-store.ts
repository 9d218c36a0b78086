import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the protocol remembers. It is found by the hash of its value alone. */
export interface RecordRow {
  payload: Record<string, unknown>
  expiresAt: Date
  consumedAt: Date | null
}

interface Key {
  model: string
  hash: Uint8Array
}

export interface NewRecord extends Key {
  grantId: string | null
  payload: object
  expiresAt: Date
  now: Date
}

export async function saveRecord(db: Queryable, record: NewRecord): Promise<void> {
  const { model, hash, grantId, payload, expiresAt, now } = record
  await db.run(sql`
    insert into oauth_records (model, id_hash, grant_id, payload, created_at, expires_at)
    values (${model}, ${hash}, ${grantId}, ${sql.json(payload)}, ${now}, ${expiresAt})
    on conflict (model, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`)
}

export function findRecord(db: Queryable, { model, hash }: Key, now: Date): Promise<RecordRow | undefined> {
  return db.maybeOne(sql`
    select payload, expires_at, consumed_at from oauth_records
    where model = ${model} and id_hash = ${hash} and expires_at > ${now}`)
}

/** How many of a kind there are, without looking at more than `most`. */
export async function countRecords(db: Queryable, model: string, most: number, now: Date): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) from (
      select 1 from oauth_records where model = ${model} and expires_at > ${now} limit ${most}
    ) found`)
  return Number(count)
}

/** Whether this is the first use. Of several at once, one is. */
export async function consumeRecord(db: Queryable, { model, hash }: Key, now: Date): Promise<boolean> {
  const count = await db.run(sql`
    update oauth_records set consumed_at = ${now}
    where model = ${model} and id_hash = ${hash} and consumed_at is null`)
  return count === 1
}

export async function removeRecord(db: Queryable, { model, hash }: Key): Promise<void> {
  await db.run(sql`delete from oauth_records where model = ${model} and id_hash = ${hash}`)
}

export async function removeOfGrant(db: Queryable, grantId: string): Promise<void> {
  await db.run(sql`delete from oauth_records where grant_id = ${grantId}`)
}

/** Forgets the oldest of a grant beyond the given number. */
export async function keepNewest(
  db: Queryable,
  { model, grantId, most }: { model: string; grantId: string; most: number },
): Promise<void> {
  await db.run(sql`
    delete from oauth_records where (model, id_hash) in (
      select model, id_hash from oauth_records where grant_id = ${grantId} and model = ${model}
      order by created_at desc offset ${most})`)
}

/** Forgets the one that came first of those that expire by then, and returns whether there was one. */
export async function removeOldest(db: Queryable, model: string, expiringBy: Date): Promise<boolean> {
  const count = await db.run(sql`
    delete from oauth_records where (model, id_hash) in (
      select model, id_hash from oauth_records where model = ${model} and expires_at <= ${expiringBy}
      order by created_at limit 1)`)
  return count === 1
}

export async function lockRecord(tx: Queryable, { model, hash }: Key): Promise<void> {
  await tx.run(
    sql`select 1 from oauth_records where model = ${model} and id_hash = ${hash} for no key update`,
  )
}

export async function saveExpiry(db: Queryable, key: Key, expiresAt: Date): Promise<void> {
  await db.run(sql`
    update oauth_records set expires_at = ${expiresAt} where model = ${key.model} and id_hash = ${key.hash}`)
}

/** A client that somebody has allowed stays as long as what it was allowed. */
export async function keepUntil(db: Queryable, key: Key, expiresAt: Date): Promise<void> {
  await db.run(sql`
    update oauth_records set expires_at = greatest(expires_at, ${expiresAt})
    where model = ${key.model} and id_hash = ${key.hash}`)
}

export async function removeExpired(db: Queryable, now: Date, most: number): Promise<number> {
  return db.run(sql`
    delete from oauth_records where (model, id_hash) in (
      select model, id_hash from oauth_records where expires_at <= ${now} limit ${most})`)
}
