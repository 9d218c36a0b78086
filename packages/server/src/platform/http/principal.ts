import type { AccountStatus, KycStatus } from '@agent-marketplace/contract'

/** Who is calling, as far as the pipeline must know it. Features look up the rest by `ownerId`. */
export interface Principal {
  ownerId: string
  sessionId: string
  expiresAt: Date
  csrfToken: string
  kycStatus: KycStatus
  kycFeePaid: boolean
  isAdmin: boolean
  accountStatus: AccountStatus
}

/** Turns a token into the principal it stands for; undefined when it is not, or no longer, valid. */
export type Authenticate = (token: string) => Promise<Principal | undefined>
