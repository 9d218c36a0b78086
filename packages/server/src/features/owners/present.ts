import type { Owner, RegisteredOwner, registerOwner } from '@agent-marketplace/contract'
import { type OwnerRow, presentEntity } from '../../house/owner-record.ts'
import type { KnownSeller } from '../../house/sellers.ts'
import type { ResponseOf } from '../../platform/http/call.ts'
import type { Registered } from './registration.ts'

/** The verified name of a company; null for a person, and for a name that is not verified. */
export function knownSellerOf({
  walletAddress,
  kycStatus,
  entityType,
  entityName,
}: Pick<OwnerRow, 'walletAddress' | 'kycStatus' | 'entityType' | 'entityName'>): KnownSeller {
  const isVouchedFor = kycStatus === 'VERIFIED' && entityType?.toUpperCase() !== 'INDIVIDUAL'
  return { walletAddress, verifiedBusiness: isVouchedFor ? entityName : null }
}

/** An owner as they see themselves. */
export interface Profile {
  owner: Owner
  entity: RegisteredOwner
  /** Where to continue the verification, while it runs. */
  kycUrl: string | null
  kycRejectionReason: string | null
}

export function presentRegistration(
  { owner, session }: Registered,
  isAdmin: boolean,
): ResponseOf<typeof registerOwner> {
  return {
    data: {
      owner: presentEntity(owner, isAdmin),
      kycSessionId: session.sessionId,
      kycUrl: session.url,
    },
  }
}
