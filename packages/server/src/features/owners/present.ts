import type { Owner, RegisteredOwner, registerOwner } from '@agent-marketplace/contract'
import type { ResponseOf } from '../../platform/http/call.ts'
import type { Registered } from './registration.ts'
import type { OwnerRow } from './store.ts'

/** An owner as they see themselves. */
export interface Profile {
  owner: Owner
  entity: RegisteredOwner
  /** Where the verification goes on, while it runs. */
  kycUrl: string | null
  kycRejectionReason: string | null
}

export function presentOwner(row: OwnerRow, isAdmin: boolean): Owner {
  return {
    id: row.id,
    walletAddress: row.wallet_address,
    email: row.email,
    kycStatus: row.kyc_status,
    kycFeePaid: row.kyc_fee_paid,
    isAdmin,
    accountStatus: row.account_status,
    createdAt: row.created_at.toISOString(),
  }
}

export function presentEntity(row: OwnerRow, isAdmin: boolean): RegisteredOwner {
  return {
    ...presentOwner(row, isAdmin),
    entityType: row.entity_type ?? '',
    entityName: row.entity_name ?? '',
  }
}

export function presentRegistration(
  { owner, session }: Registered,
  isAdmin: boolean,
): ResponseOf<typeof registerOwner> {
  return {
    data: {
      owner: presentEntity(owner, isAdmin),
      kycSessionId: session.session_id,
      kycUrl: session.url,
    },
  }
}
