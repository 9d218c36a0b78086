import type { TSchema } from 'typebox'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainEvent, PreparedCall, SenderName } from '../../ports/chain/port.ts'
import type { Account } from '../books/accounts.ts'
import type { GasCharge } from '../limits/gas-budget.ts'

export type { ChainEvent, PreparedCall, SenderName } from '../../ports/chain/port.ts'

/** An outcome that is not known is no end: the intent stays SUBMITTED and is looked up. */
export type IntentStatus = 'PENDING' | 'SUBMITTED' | 'SETTLED' | 'REJECTED'

export interface Intent {
  id: string
  kind: string
  key: string
  payload: unknown
  sender: SenderName
  status: IntentStatus
  /** Why it was rejected. */
  reason: string | null
  /** The transaction that carries it: the mined one, or the newest that was signed. */
  txHash: string | null
  requestId: string | null
  createdAt: Date
  /** Whether its outcome is deep enough in the chain for its amount. */
  final: boolean
}

/** What the mined transaction of an intent did. */
export interface Settlement {
  chainId: number
  txHash: string
  blockNumber: bigint
  blockHash: string
  blockTime: Date
  events: ChainEvent[]
}

/** `confirmed`: one block; `safe`: the chain's own tag. Amounts above 5,000 USDC always wait for `finalized`. */
export type Finality = 'confirmed' | 'safe' | 'finalized'

/** A kind of money movement. Its handlers run in the transaction that marks the intent, so effect and mark are one. */
export interface IntentKind<Payload = unknown> {
  /** `escrow.deposit`, `x402.settle`, `withdrawal`, `subscription.pull` … */
  kind: string
  /** Checked when an intent is made, and again when it is read back. Amounts are strings in it. */
  payload: TSchema
  sender: SenderName
  /** `safe` unless said otherwise. */
  finality?: Exclude<Finality, 'finalized'>
  /** What it moves, to choose how deep its block must be. */
  amountMicro?(payload: Payload): bigint
  /**
   * The account that a payout is taken from. More than 5,000 USDC leave it only once the block in which the money came in
   * is finalized.
   */
  paysFrom?(payload: Payload): Account
  /** An upper bound spares the search for the least gas, which costs several executions. */
  gasLimit?: bigint
  /** What the service pays for at most: a call that needs more is rejected. For calls whose cost somebody else decides. */
  mostGas?: bigint
  /** Reads may happen here. Throws IntentRejected when the call can never succeed; any other error means: later again. */
  prepare(payload: Payload, intent: Intent): Promise<PreparedCall>
  /**
   * What the platform owes is tried until it succeeds, however often a trial is refused. Only `prepare` ends it, where the
   * chain itself shows that it can never be.
   */
  isOwed?(payload: Payload, intent: Intent): boolean
  onSettled?(tx: Transaction, intent: Intent, payload: Payload, settlement: Settlement): Promise<void>
  onRejected?(tx: Transaction, intent: Intent, payload: Payload, reason: string): Promise<void>
  /** A reorganisation took the block of the outcome away, be it a settlement or a revert: the intent is SUBMITTED again. */
  onReverted?(tx: Transaction, intent: Intent, payload: Payload): Promise<void>
}

export interface NewIntent {
  kind: string
  /** Unique forever. */
  key: string
  payload: unknown
  requestId: string | null
  /** Intents of one lane go out one after another: each waits for the outcome of those before it. */
  lane?: string
  /** Whose gas budget it is taken from, when somebody asked for it. What the service does by itself has none. */
  charge?: GasCharge
  /** The id of an intent: this one goes out once the outcome of that one is final. */
  afterFinal?: string
}

export interface Intents {
  /** Before the engine starts. */
  register<Payload>(kind: IntentKind<Payload>): void
  /** The same key again returns the intent that is there; with another payload or kind it is a CONFLICT. */
  create(tx: Transaction, intent: NewIntent): Promise<Intent>
  find(db: Queryable, key: string): Promise<Intent | undefined>
  /** Resolves when the intent is settled or rejected, or at the time limit with what is known by then. */
  waitFor(intentId: string, timeoutMs: number): Promise<Intent>
  /** There may be work. */
  kick(): void
}

/** Thrown by `prepare`: the call can never succeed, and this is why. */
export class IntentRejected extends Error {
  override readonly name = 'IntentRejected'
  readonly code = 'INTENT_REJECTED'
  readonly reason: string

  constructor(reason: string) {
    super(`the intent is rejected: ${reason}`)
    this.reason = reason
  }
}
