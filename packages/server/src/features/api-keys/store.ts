import type { AccountStatus, ApiKeyScope, KycStatus } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

export interface ApiKeyRow {
  id: string
  ownerId: string
  name: string
  prefix: string
  scopes: ApiKeyScope[]
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
}

const columns = sql`k.id, k.owner_id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.last_used_at`
const works = (now: Date) => sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`

export function insertKey(
  tx: Queryable,
  { hash, ...row }: Omit<ApiKeyRow, 'lastUsedAt'> & { hash: Uint8Array },
): Promise<ApiKeyRow> {
  return tx.one(sql`
    insert into api_keys as k (id, owner_id, name, prefix, key_hash, scopes, created_at, expires_at)
    values (${row.id}, ${row.ownerId}, ${row.name}, ${row.prefix}, ${hash}, ${row.scopes}, ${row.createdAt},
      ${row.expiresAt})
    returning ${columns}`)
}

export function listKeys(db: Queryable, ownerId: string, now: Date): Promise<ApiKeyRow[]> {
  return db.rows(sql`
    select ${columns} from api_keys k where k.owner_id = ${ownerId} and ${works(now)}
    order by k.created_at desc, k.id desc`)
}

/** Nobody else makes a key for this owner until the transaction ends. */
export async function countKeysLocked(tx: Queryable, ownerId: string, now: Date): Promise<number> {
  await tx.one(sql`select id from owners where id = ${ownerId} for no key update`)
  const { count } = await tx.one<{ count: bigint }>(
    sql`select count(*) from api_keys k where k.owner_id = ${ownerId} and ${works(now)}`,
  )
  return Number(count)
}

export async function revokeKey(
  tx: Queryable,
  { id, ownerId, now }: { id: string; ownerId: string; now: Date },
): Promise<boolean> {
  const count = await tx.run(sql`
    update api_keys k set revoked_at = ${now} where k.id = ${id} and k.owner_id = ${ownerId} and ${works(now)}`)
  return count === 1
}

/** A key with its owner, as far as the pipeline must know them. */
export interface KeyHolder extends ApiKeyRow {
  kycStatus: KycStatus
  kycFeePaid: boolean
  accountStatus: AccountStatus
  isCapped: boolean
}

const holders = sql`
  select ${columns}, o.kyc_status, o.kyc_fee_paid, o.account_status, b.is_capped
  from api_keys k join owners o on o.id = k.owner_id join budgets b on b.id = k.id`

export function findHolder(db: Queryable, hash: Uint8Array, now: Date): Promise<KeyHolder | undefined> {
  return db.maybeOne(sql`${holders} where k.key_hash = ${hash} and ${works(now)}`)
}

export function findHolderById(db: Queryable, id: string, now: Date): Promise<KeyHolder | undefined> {
  return db.maybeOne(sql`${holders} where k.id = ${id} and ${works(now)}`)
}

export async function saveUsed(db: Queryable, id: string, minute: Date): Promise<void> {
  await db.run(sql`update api_keys set last_used_at = ${minute} where id = ${id}`)
}
