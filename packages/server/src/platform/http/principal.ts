import type { AccountStatus, ApiKeyScope, KycStatus } from '@agent-marketplace/contract'

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
  /** What an API key or a grant may do; a session of a wallet may do everything that its owner may. */
  scopes?: readonly ApiKeyScope[]
  /** The client that acts by a grant: it can ask the owner for more scopes. */
  clientId?: string
  /** How many times the usual limits this credential has. */
  rateFactor?: number
  /** What its spending counts to. `isCapped`: it has caps, or a list of whom it may hire. */
  budget?: { id: string; isCapped: boolean }
}

/** Where a token arrives. */
export interface Arrival {
  clientAddress: string
  /** The path that the caller addressed, as it is declared. */
  route: string
}

/** Turns a token into the principal it stands for; undefined when it is not, or no longer, valid, or for another resource. */
export type Authenticate = (token: string, arrival: Arrival) => Promise<Principal | undefined>
