import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { BlockHeader, ChainEvent } from '../../ports/chain/port.ts'
import { DIRECT_TRANSFER, reverseEntry } from '../books/journal.ts'
import { dropFoundJobs } from '../books/set-aside.ts'
import { storeBlocks } from './cursor-store.ts'
import { decodeEvent, subjectOf } from './event-codec.ts'
import type { StoredEvent } from './event-store.ts'
import type { Recorder } from './recorder.ts'

const REASON = 'an earlier event was found'

/**
 * Books events that were missed when their blocks were read; returns how many. What follows on such an event, about the
 * same job or permission, was booked without it: it is taken back, newest first, and booked again after it.
 */
export async function recordLate(
  tx: Transaction,
  { recorder, chainId }: { recorder: Pick<Recorder, 'record' | 'undo'>; chainId: number },
  { events, headers }: { events: readonly ChainEvent[]; headers: ReadonlyMap<bigint, BlockHeader> },
): Promise<number> {
  const missing = await listMissing(tx, chainId, events)
  if (missing.length === 0) return 0
  await storeBlocks(tx, chainId, [...headers.values()])
  const later = await listLater(tx, chainId, missing)
  for (const stored of later.toReversed()) await recorder.undo(tx, stored)
  await withdraw(tx, chainId, later)
  const hashes = missing.map(({ transactionHash }) => transactionHash)
  await reverseStanding(
    tx,
    sql`e.chain_id = ${chainId} and e.tx_hash = any(${hashes}::text[])
    and e.kind = ${DIRECT_TRANSFER}`,
  )
  const transfers = await listTransfers(tx, chainId, hashes)

  const times = new Map(
    [...later, ...transfers].map(({ block }) => [block.number, block.time.getTime() / 1000]),
  )
  for (const { number, timestamp } of headers.values()) times.set(number, timestamp)
  const all = [...missing, ...later.map(({ event }) => event), ...transfers.map(({ event }) => event)]
  await recorder.record(tx, {
    events: all.toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex),
    timeOf: (blockNumber) => times.get(blockNumber) ?? 0,
  })
  await dropFoundJobs(tx, chainId)
  return missing.length
}

async function listMissing(
  tx: Transaction,
  chainId: number,
  events: readonly ChainEvent[],
): Promise<ChainEvent[]> {
  const known = await tx.rows<{ txHash: string; logIndex: number }>(sql`
    select tx_hash, log_index from chain_events
    where chain_id = ${chainId} and is_canonical
      and tx_hash = any(${events.map(({ transactionHash }) => transactionHash)}::text[])`)
  const isKnown = new Set(known.map(({ txHash, logIndex }) => `${txHash}:${logIndex}`))
  return events.filter(({ transactionHash, logIndex }) => !isKnown.has(`${transactionHash}:${logIndex}`))
}

interface EventRow {
  args: unknown
  number: bigint
  hash: string
  time: Date
}

const fromRow = ({ args, ...block }: EventRow): StoredEvent => ({ event: decodeEvent(args), block })

/** Fees went to the new treasury from there on. */
const isTreasuryChange = (event: ChainEvent): boolean =>
  event.name === 'RoleChanged' && event.role === 'treasury'

/** What is booked about the same jobs and permissions and stands after the first event that each of them misses. */
async function listLater(tx: Transaction, chainId: number, missing: ChainEvent[]): Promise<StoredEvent[]> {
  const inOrder = missing.filter((event) => 'key' in event || 'hash' in event || isTreasuryChange(event))
  if (inOrder.length === 0) return []
  const rows = await tx.rows<EventRow>(sql`
    select distinct e.args, e.block_number as number, e.block_hash as hash, e.block_time as time, e.log_index
    from chain_events e join unnest(${inOrder.map(subjectOf)}::text[],
      ${inOrder.map(({ blockNumber }) => blockNumber)}::bigint[], ${inOrder.map(({ logIndex }) => logIndex)}::int[])
      as m (subject, block_number, log_index)
      on e.subject = m.subject or m.subject = 'treasury' and e.name = 'JobClosed'
    where e.chain_id = ${chainId} and e.is_canonical
      and (e.block_number, e.log_index) > (m.block_number, m.log_index)
    order by e.block_number, e.log_index`)
  return rows.map(({ args, number, hash, time }) => fromRow({ args, number, hash, time }))
}

/** They do not count until they are recorded again; of the journal only what the recorder itself posts for them. */
async function withdraw(tx: Transaction, chainId: number, stored: readonly StoredEvent[]): Promise<void> {
  const places = sql`unnest(${stored.map(({ event }) => event.transactionHash)}::text[],
    ${stored.map(({ event }) => event.logIndex)}::int[]) as p (tx_hash, log_index)`
  await reverseStanding(
    tx,
    sql`e.chain_id = ${chainId} and e.kind like 'escrow.%' and exists (
    select 1 from ${places} where p.tx_hash = e.tx_hash and p.log_index = e.log_index)`,
  )
  await tx.run(sql`
    update chain_events v set is_canonical = false from ${places}
    where v.chain_id = ${chainId} and v.tx_hash = p.tx_hash and v.log_index = p.log_index`)
}

async function reverseStanding(tx: Transaction, condition: ReturnType<typeof sql>): Promise<void> {
  const entries = await tx.rows<{ id: string }>(sql`
    select e.id from journal_entries e where ${condition} and e.reverses is null
      and not exists (select 1 from journal_entries r where r.reverses = e.id)
    order by e.seq desc`)
  for (const { id } of entries) await reverseEntry(tx, id, REASON)
}

/** A transfer in the same transaction may have been taken for one that nobody ordered. */
async function listTransfers(tx: Transaction, chainId: number, hashes: string[]): Promise<StoredEvent[]> {
  const rows = await tx.rows<EventRow>(sql`
    select args, block_number as number, block_hash as hash, block_time as time from chain_events
    where chain_id = ${chainId} and is_canonical and name = 'UsdcTransferred' and tx_hash = any(${hashes}::text[])`)
  return rows.map(fromRow)
}
