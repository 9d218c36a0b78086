import { sql } from '../platform/db/sql.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import type { BlockHeader, ChainEvent, ChainEventName, ChainEventOf } from '../ports/chain/port.ts'
import { createEscrowBooks } from './escrow-books.ts'
import {
  beginCursor,
  type Cursor,
  type EventBlock,
  findOrigins,
  lockCursor,
  moveCursor,
  readCursor,
  type StoredEvent,
  storeBlocks,
  storeEvents,
} from './event-store.ts'
import { markFinal } from './intent-store.ts'
import type { MoneyDeps } from './money-deps.ts'
import { applyOutcomes, freeMissing, type Lookup, lookUpOutcomes } from './outcomes.ts'
import { createRollback } from './rollback.ts'

export type EventHandler<Name extends ChainEventName> = (
  tx: Transaction,
  event: ChainEventOf<Name>,
  block: EventBlock,
) => Promise<void>

export interface Indexer {
  /** Runs in the transaction that stores the event; `undo` in the one that takes it back. Before the engine starts. */
  onEvent<Name extends ChainEventName>(
    name: Name,
    handler: EventHandler<Name>,
    undo: EventHandler<Name>,
  ): void
  /** Reads on from where it stands, one range at a time; answers whether anything moved. */
  advance(): Promise<boolean>
  /** A person has looked at a fork deeper than the engine may guess about: follow the chain as it is now. */
  resume(): Promise<void>
}

type AnyHandler = (tx: Transaction, stored: StoredEvent) => Promise<void>

/** What one look at the chain found, checked to be of one piece. */
interface Findings {
  tip: BlockHeader
  headers: Map<bigint, BlockHeader>
  events: ChainEvent[]
  lookup: Lookup
  finality: { safeNumber: bigint; finalizedNumber: bigint } | undefined
}

/**
 * The only writer of what happened on the chain. Events, the journal, the features' handlers and the outcomes of intents
 * go into one database transaction with the cursor, so that each block counts once and as a whole.
 */
export function createIndexer(deps: MoneyDeps): Indexer {
  const { db, chain, faults, settings, alert } = deps
  const { reader } = chain
  const { chainId } = chain.facts
  const handlers = new Map<ChainEventName, { handle: AnyHandler; undo: AnyHandler }[]>()
  const keepBooks = createEscrowBooks(chain)
  const rollback = createRollback(deps, async (tx, stored) => {
    for (const { undo } of (handlers.get(stored.event.name) ?? []).toReversed()) await undo(tx, stored)
  })

  const begin = async (): Promise<Cursor | undefined> => {
    const block = await reader.getBlock(settings.startBlock)
    if (block) await db.transaction((tx) => beginCursor(tx, chainId, block))
    return readCursor(db, chainId)
  }

  /** Near the head every range ends within the depth that may fork, so that a fork never takes back more than that. */
  const endOfRange = (cursor: bigint, head: bigint): bigint => {
    const anchor = head - BigInt(settings.maxReorgDepth)
    const limit = cursor < anchor ? anchor : head
    const furthest = cursor + BigInt(settings.blockRange)
    if (furthest < limit) return furthest
    return limit
  }

  /** Undefined when the chain moved under our eyes: the next look will be of one piece. */
  const look = async (cursor: Cursor): Promise<Findings | undefined> => {
    const head = await reader.getBlock('latest')
    if (head === undefined || head.number < cursor.blockNumber) return undefined
    const toBlock = endOfRange(cursor.blockNumber, head.number)
    const tip = toBlock === head.number ? head : await reader.getBlock(toBlock)
    if (tip === undefined) return undefined
    const fromBlock = cursor.blockNumber + 1n
    const inRange = fromBlock <= toBlock ? await reader.getEvents({ fromBlock, toBlock }) : []
    const { mined, missing } = await lookUpOutcomes(deps)
    const lookup = { mined: mined.filter(({ blockNumber }) => blockNumber <= toBlock), missing }
    const own = lookup.mined.flatMap((outcome) => (outcome.status === 'success' ? outcome.events : []))
    const events = unique([...inRange, ...own])

    const headers = new Map([[tip.number, tip]])
    for (const { blockNumber } of [...events, ...lookup.mined]) {
      if (headers.has(blockNumber)) continue
      const header = await reader.getBlock(blockNumber)
      if (header) headers.set(blockNumber, header)
    }
    const isOfOnePiece = [...events, ...lookup.mined].every(
      ({ blockNumber, blockHash }) => headers.get(blockNumber)?.hash === blockHash,
    )
    // Both ends must still stand: a fork in the meantime may have taken the block that this range is to follow.
    const tipNow = await reader.getBlock(tip.number)
    const cursorNow = await reader.getBlock(cursor.blockNumber)
    const stands = tipNow?.hash === tip.hash && cursorNow?.hash === cursor.blockHash
    if (!isOfOnePiece || !stands) return undefined
    return { tip, headers, events, lookup, finality: await readFinality() }
  }

  const readFinality = async (): Promise<Findings['finality']> => {
    const [safe, finalized] = await Promise.all([reader.getBlock('safe'), reader.getBlock('finalized')])
    return safe && { safeNumber: safe.number, finalizedNumber: finalized?.number ?? 0n }
  }

  const store = (cursor: Cursor, findings: Findings): Promise<string[]> =>
    db.transaction(async (tx) => {
      if (!(await lockCursor(tx, chainId, cursor))) return []
      const { tip, headers, events, lookup, finality } = findings
      const timeOf = (blockNumber: bigint): number => headers.get(blockNumber)?.timestamp ?? 0
      await storeBlocks(tx, chainId, [...headers.values()])
      const fresh = await storeEvents(tx, chainId, events, timeOf)
      const origins = await findOrigins(tx, chainId, [
        ...new Set(fresh.map(({ event }) => event.transactionHash)),
      ])
      for (const stored of fresh) {
        const origin = origins.get(stored.event.transactionHash)
        await keepBooks(tx, stored, { intentId: origin?.intentId, requestId: origin?.requestId ?? undefined })
        for (const { handle } of handlers.get(stored.event.name) ?? []) await handle(tx, stored)
      }
      await applyOutcomes(tx, deps, lookup.mined, timeOf)
      const freed = await freeMissing(tx, deps, lookup.missing)
      await moveCursor(tx, chainId, tip, finality)
      if (finality) await markFinal(tx, finality)
      await faults.reach('settlement.storing')
      return freed
    })

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

    async advance() {
      const cursor = (await readCursor(db, chainId)) ?? (await begin())
      if (cursor === undefined || cursor.haltedReason !== null) return false
      if (await rollback.isForked(cursor)) return rollback.run(cursor, settings.maxReorgDepth)
      const findings = await look(cursor)
      if (findings === undefined) return false
      await faults.reach('settlement.read')
      const { tip, lookup } = findings
      const hasNews = tip.number > cursor.blockNumber || lookup.mined.length + lookup.missing.length > 0
      if (!hasNews) {
        if (findings.finality) await markFinal(db, findings.finality)
        return false
      }
      const freed = await store(cursor, findings)
      await faults.reach('settlement.stored')
      for (const intentId of freed) {
        await alert('A nonce of ours was used elsewhere; its intent goes out again', { intentId })
      }
      return tip.number > cursor.blockNumber || lookup.mined.length + freed.length > 0
    },

    async resume() {
      const cursor = await readCursor(db, chainId)
      if (cursor === undefined || cursor.haltedReason === null) return
      if (await rollback.isForked(cursor)) await rollback.run(cursor, Number.POSITIVE_INFINITY)
      await db.run(sql`update chain_cursors set halted_reason = null where chain_id = ${chainId}`)
    },
  }
}

/** The same log may be found by its block and by its transaction. */
function unique(events: ChainEvent[]): ChainEvent[] {
  const byPlace = new Map(events.map((event) => [`${event.transactionHash}:${event.logIndex}`, event]))
  return [...byPlace.values()].sort(
    (a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex,
  )
}
