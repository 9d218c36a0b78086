import type { Figures } from '../../steady/steady-client.ts'
import type { Told } from '../../steady/story.ts'

export interface OwnProfile {
  /** Of the last change that was acknowledged; 0 before the first. */
  version: number
  reads: number
  /** Reads that showed an older version than was acknowledged before them. */
  stale: string[]
}

/** What the service has acknowledged to one buyer and one seller, kept outside of it. */
export interface Ledger {
  figures: Figures
  /** Every job that was created, also where its story did not end. */
  hired: string[]
  told: Told[]
  withdrawals: { id: string; amountMicro: bigint }[]
  /** Permissions that were accepted: each is charged once. */
  charges: number
  quota: number
  profile: OwnProfile
  /** What went another way than it must. */
  problems: string[]
}

export const newLedger = (): Ledger => ({
  figures: { acknowledged: 0, repeated: 0 },
  hired: [],
  told: [],
  withdrawals: [],
  charges: 0,
  quota: 0,
  profile: { version: 0, reads: 0, stale: [] },
  problems: [],
})
