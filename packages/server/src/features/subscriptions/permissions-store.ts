import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'

export interface PermissionRow {
  hash: string
  subscriptionId: string
  ownerId: string
  permission: unknown
  signature: Hex
  agentQuota: number | null
  priceMicro: bigint
  revokedAt: Date | null
}

/** The hash is the primary key: a permission that anyone ever used here is taken. */
export async function insertPermission(
  tx: Queryable,
  row: Omit<PermissionRow, 'revokedAt'> & { createdAt: Date },
): Promise<void> {
  await tx.run(sql`
    insert into spend_permissions (hash, subscription_id, owner_id, permission, signature, agent_quota, price_micro,
      created_at)
    values (${row.hash}, ${row.subscriptionId}, ${row.ownerId}, ${sql.json(row.permission)}, ${row.signature},
      ${row.agentQuota}, ${row.priceMicro}, ${row.createdAt})`)
}

export function findPermission(db: Queryable, hash: string): Promise<PermissionRow | undefined> {
  return db.maybeOne(sql`
    select hash, subscription_id, owner_id, permission, signature, agent_quota, price_micro, revoked_at
    from spend_permissions where hash = ${hash}`)
}

export async function readPermissionRow(db: Queryable, hash: string): Promise<PermissionRow> {
  const row = await findPermission(db, hash)
  if (row === undefined) throw new Error(`there is no spend permission ${hash}`)
  return row
}

/** The account that last paid for a subscription of this owner. */
export async function findPayingAccount(db: Queryable, ownerId: string): Promise<string | undefined> {
  const row = await db.maybeOne<{ account: string }>(sql`
    select p.permission ->> 'account' as account
    from spend_permissions p join subscription_pulls u on u.permission_hash = p.hash
    where p.owner_id = ${ownerId} and u.status = 'SETTLED' order by u.settled_at desc, u.id desc limit 1`)
  return row?.account
}

export async function saveRevoked(tx: Queryable, hash: string, at: Date | null): Promise<void> {
  await tx.run(sql`update spend_permissions set revoked_at = ${at} where hash = ${hash}`)
}
