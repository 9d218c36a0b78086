import {
  formatMicro,
  type getMe,
  type OwnAgent,
  type Owner,
  type RegisteredOwner,
  type registerOwner,
} from '@agent-marketplace/contract'
import type { ResponseOf } from '../../platform/http/call.ts'
import type { Registered } from './registration.ts'
import type { OwnerRow } from './store.ts'

export interface OwnerEarnings {
  totalEarnedMicro: bigint
  availableBalanceMicro: bigint
}

export interface Profile {
  row: OwnerRow
  /** Where the verification goes on, while it runs. */
  kycUrl: string | null
  kycRejectionReason: string | null
  isAdmin: boolean
  agents: OwnAgent[]
  earnings: OwnerEarnings
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

function presentEntity(row: OwnerRow, isAdmin: boolean): RegisteredOwner {
  return {
    ...presentOwner(row, isAdmin),
    entityType: row.entity_type ?? '',
    entityName: row.entity_name ?? '',
  }
}

export function presentMe(profile: Profile): ResponseOf<typeof getMe> {
  const { row, isAdmin, agents, earnings, kycUrl, kycRejectionReason } = profile
  const kyc = { kycUrl, kycRejectionReason }
  return {
    a: { owner: { ...presentOwner(row, isAdmin), ...kyc } },
    b: {
      data: {
        ...presentEntity(row, isAdmin),
        ...kyc,
        agentCount: agents.length,
        totalEarned: formatMicro(earnings.totalEarnedMicro),
        availableBalance: formatMicro(earnings.availableBalanceMicro),
        agents,
      },
    },
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
