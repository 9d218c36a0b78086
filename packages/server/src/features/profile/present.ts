import {
  formatMicro,
  type getMe,
  type OwnAgent,
  type Owner,
  type RegisteredOwner,
} from '@agent-marketplace/contract'
import type { ResponseOf } from '../../platform/http/call.ts'

export interface OwnerEarnings {
  totalEarnedMicro: bigint
  availableBalanceMicro: bigint
}

export interface Profile {
  owner: Owner
  entity: RegisteredOwner
  /** Where to continue the verification, while it runs. */
  kycUrl: string | null
  kycRejectionReason: string | null
  agents: OwnAgent[]
  earnings: OwnerEarnings
}

export function presentMe(profile: Profile): ResponseOf<typeof getMe> {
  const { owner, entity, agents, earnings, kycUrl, kycRejectionReason } = profile
  const kyc = { kycUrl, kycRejectionReason }
  return {
    a: { owner: { ...owner, ...kyc } },
    b: {
      data: {
        ...entity,
        ...kyc,
        agentCount: agents.length,
        totalEarned: formatMicro(earnings.totalEarnedMicro),
        availableBalance: formatMicro(earnings.availableBalanceMicro),
        agents,
      },
    },
  }
}
