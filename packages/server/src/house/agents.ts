import type { Queryable } from '../platform/db/queryable.ts'

/** An agent as far as payments to it go. */
export interface PaidAgent {
  id: string
  ownerId: string
  walletAddress: string
}

/** Finds an agent by its id, or by its wallet in any letter case. */
export type AgentOf = (db: Queryable, idOrWallet: string) => Promise<PaidAgent | undefined>
