import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainEvent, ChainEventName, ChainEventOf } from '../../ports/chain/port.ts'
import { createDirectTransfers } from '../books/direct-transfers.ts'
import { createEscrowBooks, type EscrowBooksDeps, type Origin } from '../books/escrow-books.ts'
import { asStored, type EventBlock, findOrigins, type StoredEvent, storeEvents } from './event-store.ts'

export type EventHandler<Name extends ChainEventName> = (
  tx: Transaction,
  event: ChainEventOf<Name>,
  block: EventBlock,
) => Promise<void>

type AnyHandler = (tx: Transaction, stored: StoredEvent) => Promise<void>

export interface Findings {
  events: ChainEvent[]
  /** In Unix seconds. */
  timeOf: (blockNumber: bigint) => number
  /** Outcomes of our own transactions. Reported after the events, and before anything counts as done by others. */
  recordOutcomes?: (tx: Transaction) => Promise<void>
}

export interface Recorder {
  /** Runs in the transaction that stores the event; `undo` in the one that takes it back. Before the engine starts. */
  onEvent<Name extends ChainEventName>(
    name: Name,
    handler: EventHandler<Name>,
    undo: EventHandler<Name>,
  ): void
  record(tx: Transaction, findings: Findings): Promise<void>
  undo(tx: Transaction, stored: StoredEvent): Promise<void>
}

/** Writes down what was found on the chain: the events, what they mean in money, and whatever the features make of them. */
export function createRecorder(deps: EscrowBooksDeps): Recorder {
  const { chainId } = deps.facts
  const handlers = new Map<ChainEventName, { handle: AnyHandler; undo: AnyHandler }[]>()
  const keepEscrowBooks = createEscrowBooks(deps)
  const bookDirectTransfers = createDirectTransfers(deps)

  const readOrigins = async (tx: Transaction, events: ChainEvent[]): Promise<(txHash: string) => Origin> => {
    const hashes = new Set(events.map(({ transactionHash }) => transactionHash))
    const origins = await findOrigins(tx, chainId, [...hashes])
    return (txHash) => {
      const origin = origins.get(txHash)
      return { intentId: origin?.intentId, requestId: origin?.requestId ?? undefined }
    }
  }

  return {
    onEvent(name, handler, undo) {
      const list = handlers.get(name) ?? []
      // The map is keyed by name, so an event that reaches this handler is one of that name.
      const adapt =
        (work: typeof handler): AnyHandler =>
        (tx, { event, block }) =>
          work(tx, event as Parameters<typeof handler>[1], block)
      handlers.set(name, [...list, { handle: adapt(handler), undo: adapt(undo) }])
    },

    async record(tx, { events, timeOf, recordOutcomes }) {
      const fresh = await storeEvents(tx, chainId, events, timeOf)
      const originOf = await readOrigins(tx, events)
      for (const stored of fresh) {
        await keepEscrowBooks(tx, stored, originOf(stored.event.transactionHash))
        for (const { handle } of handlers.get(stored.event.name) ?? []) await handle(tx, stored)
      }
      await recordOutcomes?.(tx)
      const all = events.map((event) => asStored(event, timeOf))
      await bookDirectTransfers(tx, all, originOf)
    },

    async undo(tx, stored) {
      for (const { undo } of (handlers.get(stored.event.name) ?? []).toReversed()) await undo(tx, stored)
    },
  }
}
