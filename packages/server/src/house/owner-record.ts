import type { AccountStatus, KycStatus, Owner, RegisteredOwner } from '@agent-marketplace/contract'
import type { Queryable } from '../platform/db/queryable.ts'
import { sql } from '../platform/db/sql.ts'

/** An owner as stored. Their own feature and the admins' read and show the same. */
export interface OwnerRow {
  id: string
  walletAddress: string
  email: string | null
  entityType: string | null
  entityName: string | null
  kycStatus: KycStatus
  kycFeePaid: boolean
  accountStatus: AccountStatus
  createdAt: Date
}

export const ownerColumns = sql`
  id, wallet_address, email, entity_type, entity_name, kyc_status, kyc_fee_paid, account_status, created_at`

/**
 * Decisions about an owner's credentials, subscriptions and the agents that these pay for take this lock first, so that they
 * happen one after another. Rows that merely refer to the owner do not wait.
 */
export async function lockOwner(tx: Queryable, ownerId: string): Promise<void> {
  await tx.one(sql`select id from owners where id = ${ownerId} for no key update`)
}

export function presentOwner(row: OwnerRow, isAdmin: boolean): Owner {
  return {
    id: row.id,
    walletAddress: row.walletAddress,
    email: row.email,
    kycStatus: row.kycStatus,
    kycFeePaid: row.kycFeePaid,
    isAdmin,
    accountStatus: row.accountStatus,
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentEntity(row: OwnerRow, isAdmin: boolean): RegisteredOwner {
  return {
    ...presentOwner(row, isAdmin),
    entityType: row.entityType ?? '',
    entityName: row.entityName ?? '',
  }
}
