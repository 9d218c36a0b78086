import type { AccountStatus, KycStatus } from '@agent-marketplace/contract'
import { type OwnerRow, ownerColumns } from '../../house/owner-record.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface OwnersPage {
  q: string | undefined
  kycStatus: KycStatus | undefined
  accountStatus: AccountStatus | undefined
  limit: number
  offset: number
}

function conditionOf({ q, kycStatus, accountStatus }: OwnersPage): Sql {
  const conditions = [sql`true`]
  if (q !== undefined && q.trim() !== '') conditions.push(matching(q.trim()))
  if (kycStatus !== undefined) conditions.push(sql`kyc_status = ${kycStatus}`)
  if (accountStatus !== undefined) conditions.push(sql`account_status = ${accountStatus}`)
  return sql.join(conditions, sql` and `)
}

/** A whole address is looked up; anything else may be part of a name or email. */
function matching(q: string): Sql {
  if (/^0x[0-9a-f]{40}$/i.test(q)) return sql`lower(wallet_address) = lower(${q})`
  const pattern = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql`(entity_name ilike ${pattern} or email ilike ${pattern})`
}

export function listOwners(db: Queryable, page: OwnersPage): Promise<OwnerRow[]> {
  return db.rows(sql`
    select ${ownerColumns} from owners where ${conditionOf(page)}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`)
}

export async function countOwners(db: Queryable, page: OwnersPage): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from owners where ${conditionOf(page)}`,
  )
  return Number(count)
}

export function lockOwnerRow(tx: Queryable, ownerId: string): Promise<OwnerRow | undefined> {
  return tx.maybeOne(sql`select ${ownerColumns} from owners where id = ${ownerId} for no key update`)
}

export function saveAccountStatus(tx: Queryable, ownerId: string, status: AccountStatus): Promise<OwnerRow> {
  return tx.one(
    sql`update owners set account_status = ${status} where id = ${ownerId} returning ${ownerColumns}`,
  )
}
