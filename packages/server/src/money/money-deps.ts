import type { BaseLogger } from 'pino'
import type { Database } from '../platform/db/database.ts'
import type { ChainPort } from '../ports/chain/port.ts'
import type { Alert } from './audit/alert.ts'
import type { Faults } from './faults.ts'
import type { Kinds } from './intents/kinds.ts'

export interface MoneySettings {
  /** While one batch goes out, the next one is stored, and the one after it tried. In turn, a simulation can be repeated. */
  overlapsBatches: boolean
  /** How many intents of one sender go out together. */
  batchSize: number
  /** How long a claimed intent belongs to its worker. */
  leaseSeconds: number
  /**
   * How many responses must agree, each at a later block, before a surprise is believed: a failed simulation, a nonce used by someone else, a
   * transaction that is gone. One where the node is our own; more where nodes that differ share one address.
   */
  agreeingResponses: number
  /** About as long as a block takes: when a refused trial is made again. */
  refusalPauseSeconds: number
  /** After this time without news stored bytes are sent again. */
  resendAfterSeconds: number
  /** After this time in the node's pool a transaction is replaced, with the same nonce and a higher fee. */
  replaceAfterSeconds: number
  /** So many replacements, then the nonce is filled with an empty transaction. */
  maxReplacements: number
  /** For this long a nonce that the chain has passed without any of our hashes may still turn up. */
  foreignAfterSeconds: number
  /** A fork that replaces more blocks than this is nothing to guess about: payouts stop. */
  maxReorgDepth: number
  /** How many blocks one request for the events of a job spans. */
  blockRange: number
  /** Where a fresh database begins to read; the block of the escrow's deployment. */
  startBlock: bigint
  /** How often the chain is looked at when nothing else calls. */
  pollMs: number
}

/** Fits Base: blocks every two seconds, `safe` after about two minutes. */
export const defaultMoneySettings: MoneySettings = {
  overlapsBatches: true,
  batchSize: 50,
  leaseSeconds: 30,
  agreeingResponses: 1,
  refusalPauseSeconds: 2,
  resendAfterSeconds: 20,
  replaceAfterSeconds: 60,
  maxReplacements: 8,
  foreignAfterSeconds: 600,
  maxReorgDepth: 200,
  blockRange: 2_000,
  startBlock: 0n,
  pollMs: 1_000,
}

/** What every part of the engine is given. */
export interface MoneyDeps {
  db: Database
  chain: ChainPort
  kinds: Kinds
  log: BaseLogger
  alert: Alert
  faults: Faults
  settings: MoneySettings
}
