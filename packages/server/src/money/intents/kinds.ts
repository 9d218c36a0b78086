import { MICRO_PER_USDC } from '@agent-marketplace/contract'
import { Compile } from 'typebox/compile'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { PreparedCall, SenderName } from '../../ports/chain/port.ts'
import type { Account } from '../books/accounts.ts'
import type { Finality, Intent, IntentKind, Settlement } from './intents.ts'

/** Above this amount only what the chain calls `finalized` is final: an outcome, and money that is paid out. */
const FINALIZED_ABOVE_MICRO = 5_000n * MICRO_PER_USDC
export const waitsForFinality = (amountMicro: bigint): boolean => amountMicro > FINALIZED_ABOVE_MICRO

/** A kind with its payload type closed over, so that kinds of all payloads fit into one map. */
export interface RegisteredKind {
  readonly kind: string
  readonly sender: SenderName
  readonly gasLimit: bigint | undefined
  readonly mostGas: bigint | undefined
  /** Throws a TypeError for a payload that does not fit the schema. */
  finalityOf(payload: unknown): Finality
  /** Undefined unless the payload pays out more than may leave before its money is final. */
  largePayerOf(payload: unknown): Account | undefined
  prepare(intent: Intent): Promise<PreparedCall>
  isOwed(intent: Intent): boolean
  onSettled(tx: Transaction, intent: Intent, settlement: Settlement): Promise<void>
  onRejected(tx: Transaction, intent: Intent, reason: string): Promise<void>
  onReverted(tx: Transaction, intent: Intent): Promise<void>
}

export interface Kinds {
  register<Payload>(kind: IntentKind<Payload>): void
  of(name: string): RegisteredKind
}

export function createKinds(): Kinds {
  const kinds = new Map<string, RegisteredKind>()
  return {
    register(kind) {
      if (kinds.has(kind.kind)) throw new Error(`The intent kind ${kind.kind} is registered twice`)
      kinds.set(kind.kind, closeOver(kind))
    },
    of(name) {
      const kind = kinds.get(name)
      if (kind === undefined) throw new Error(`There is no intent kind ${name}`)
      return kind
    },
  }
}

function closeOver<Payload>(kind: IntentKind<Payload>): RegisteredKind {
  const validator = Compile(kind.payload)
  const parse = (payload: unknown): Payload => {
    if (validator.Check(payload)) return payload as Payload
    const [problem] = validator.Errors(payload)
    throw new TypeError(
      `The payload of ${kind.kind} does not fit: ${problem?.instancePath ?? ''} ${problem?.message ?? ''}`,
    )
  }
  const isLarge = (payload: unknown): boolean => waitsForFinality(kind.amountMicro?.(parse(payload)) ?? 0n)
  return {
    kind: kind.kind,
    sender: kind.sender,
    gasLimit: kind.gasLimit,
    mostGas: kind.mostGas,
    finalityOf: (payload) => (isLarge(payload) ? 'finalized' : (kind.finality ?? 'safe')),
    largePayerOf: (payload) => (isLarge(payload) ? kind.paysFrom?.(parse(payload)) : undefined),
    prepare: async (intent) => kind.prepare(parse(intent.payload), intent),
    isOwed: (intent) => kind.isOwed?.(parse(intent.payload), intent) ?? false,
    onSettled: async (tx, intent, settlement) =>
      kind.onSettled?.(tx, intent, parse(intent.payload), settlement),
    onRejected: async (tx, intent, reason) => kind.onRejected?.(tx, intent, parse(intent.payload), reason),
    onReverted: async (tx, intent) => kind.onReverted?.(tx, intent, parse(intent.payload)),
  }
}
