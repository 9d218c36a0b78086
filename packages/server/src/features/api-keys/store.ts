import type { ApiKeyScope } from '@agent-marketplace/contract'
import type { CredentialRow, Holder } from '../../house/credentials/credential.ts'
import { createCredentialStore, works } from '../../house/credentials/credential-store.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

export interface ApiKeyRow extends CredentialRow<ApiKeyScope> {
  name: string
  prefix: string
}

export const keys = createCredentialStore<ApiKeyRow>(sql`api_keys`, sql`c.name, c.prefix`)

export function insertKey(
  tx: Queryable,
  { hash, ...row }: Omit<ApiKeyRow, 'lastUsedAt'> & { hash: Uint8Array },
): Promise<ApiKeyRow> {
  return tx.one(sql`
    insert into api_keys as c (id, owner_id, name, prefix, key_hash, scopes, created_at, expires_at)
    values (${row.id}, ${row.ownerId}, ${row.name}, ${row.prefix}, ${hash}, ${row.scopes}, ${row.createdAt},
      ${row.expiresAt})
    returning ${keys.columns}`)
}

export async function revokeKey(
  tx: Queryable,
  { id, ownerId, now }: { id: string; ownerId: string; now: Date },
): Promise<boolean> {
  const count = await tx.run(sql`
    update api_keys c set revoked_at = ${now} where c.id = ${id} and c.owner_id = ${ownerId} and ${works(now)}`)
  return count === 1
}

export const findHolderByHash = (
  db: Queryable,
  hash: Uint8Array,
  now: Date,
): Promise<Holder<ApiKeyRow> | undefined> => keys.findHolder(db, sql`c.key_hash = ${hash}`, now)
