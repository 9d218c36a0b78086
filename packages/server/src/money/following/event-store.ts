import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainEvent, ChainEventName, ChainEventOf, EventPlace, Hex } from '../../ports/chain/port.ts'
import { decodeEvent, encodeEvent, subjectOf } from './event-codec.ts'

export interface StoredEvent {
  event: ChainEvent
  block: EventBlock
}

export interface EventBlock {
  number: bigint
  hash: string
  time: Date
}

export function asStored(event: ChainEvent, timeOf: (blockNumber: bigint) => number): StoredEvent {
  const { blockNumber: number, blockHash: hash } = event
  return { event, block: { number, hash, time: new Date(timeOf(number) * 1000) } }
}

/** Stores events and returns those that count from now on, in order: the new ones, and those whose transaction came back. */
export async function storeEvents(
  db: Queryable,
  chainId: number,
  events: ChainEvent[],
  timeOf: (blockNumber: bigint) => number,
): Promise<StoredEvent[]> {
  if (events.length === 0) return []
  const fresh = await db.rows<{ txHash: string; logIndex: number }>(sql`
    insert into chain_events (chain_id, tx_hash, log_index, block_number, block_hash, block_time, name, subject, args)
    select ${chainId}, e.tx_hash, e.log_index, e.block_number, e.block_hash, to_timestamp(e.time), e.name, e.subject,
      e.args::jsonb
    from unnest(${events.map(({ transactionHash }) => transactionHash)}::text[],
      ${events.map(({ logIndex }) => logIndex)}::int[], ${events.map(({ blockNumber }) => blockNumber)}::bigint[],
      ${events.map(({ blockHash }) => blockHash)}::text[],
      ${events.map(({ blockNumber }) => timeOf(blockNumber))}::float8[],
      ${events.map(({ name }) => name)}::text[], ${events.map(subjectOf)}::text[], ${events.map(encodeEvent)}::text[])
      as e (tx_hash, log_index, block_number, block_hash, time, name, subject, args)
    on conflict (chain_id, tx_hash, log_index) do update
      set is_canonical = true, block_number = excluded.block_number, block_hash = excluded.block_hash,
        block_time = excluded.block_time, name = excluded.name, subject = excluded.subject, args = excluded.args
      where not chain_events.is_canonical
    returning tx_hash, log_index`)
  const isFresh = new Set(fresh.map(({ txHash, logIndex }) => `${txHash}:${logIndex}`))
  return events
    .filter((event) => isFresh.has(`${event.transactionHash}:${event.logIndex}`))
    .map((event) => asStored(event, timeOf))
}

interface EventRow {
  args: unknown
  blockNumber: bigint
  blockHash: string
  blockTime: Date
}

const fromRow = ({ args, blockNumber, blockHash, blockTime }: EventRow): StoredEvent => ({
  event: decodeEvent(args),
  block: { number: blockNumber, hash: blockHash, time: blockTime },
})

/** Takes back all events above a block, newest first. */
export async function dropEventsAbove(
  db: Queryable,
  chainId: number,
  blockNumber: bigint,
): Promise<StoredEvent[]> {
  const rows = await db.rows<EventRow & { logIndex: number }>(sql`
    update chain_events set is_canonical = false
    where chain_id = ${chainId} and block_number > ${blockNumber} and is_canonical
    returning args, block_number, block_hash, block_time, log_index`)
  await db.run(sql`delete from chain_blocks where chain_id = ${chainId} and number > ${blockNumber}`)
  return rows
    .toSorted((a, b) => Number(b.blockNumber - a.blockNumber) || b.logIndex - a.logIndex)
    .map(fromRow)
}

/** The event of that name about that subject which stands on the chain now; the newest if there are several. */
export async function findEvent<Name extends ChainEventName>(
  db: Queryable,
  { name, subject }: { name: Name; subject: string },
): Promise<ChainEventOf<Name> | undefined> {
  const row = await db.maybeOne<EventRow>(sql`
    select args, block_number, block_hash, block_time
    from chain_events where subject = ${subject} and name = ${name} and is_canonical
    order by block_number desc, log_index desc limit 1`)
  return row === undefined ? undefined : (fromRow(row).event as ChainEventOf<Name>)
}

/** All events on the chain about a subject, in order. Nothing more is recorded until the caller's transaction ends. */
export async function listEventsOf(
  tx: Transaction,
  { chainId, subject }: { chainId: number; subject: string },
): Promise<StoredEvent[]> {
  await tx.run(sql`select 1 from chain_cursors where chain_id = ${chainId} for share`)
  const rows = await tx.rows<EventRow>(sql`
    select args, block_number, block_hash, block_time
    from chain_events where chain_id = ${chainId} and subject = ${subject} and is_canonical
    order by block_number, log_index`)
  return rows.map(fromRow)
}

/** Whether this very event stands in the books. No fork takes it back before the caller's transaction ends. */
export async function isRecorded(tx: Transaction, chainId: number, event: EventPlace): Promise<boolean> {
  const row = await tx.maybeOne(sql`
    select 1 as recorded from chain_events
    where chain_id = ${chainId} and tx_hash = ${event.transactionHash} and log_index = ${event.logIndex}
      and block_hash = ${event.blockHash} and is_canonical
    for share`)
  return row !== undefined
}

/** Which of these transactions are ours, and for which intent and request they were made. */
export async function findOrigins(
  db: Queryable,
  chainId: number,
  hashes: Hex[],
): Promise<Map<string, { intentId: string; requestId: string | null }>> {
  if (hashes.length === 0) return new Map()
  const rows = await db.rows<{ hash: string; intentId: string; requestId: string | null }>(sql`
    select h.hash, h.intent_id, i.request_id
    from chain_transaction_hashes h join intents i on i.id = h.intent_id
    where h.chain_id = ${chainId} and h.hash = any(${hashes}::text[])`)
  return new Map(rows.map(({ hash, ...origin }) => [hash, origin]))
}
