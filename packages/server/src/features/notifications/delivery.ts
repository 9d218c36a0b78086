import type { Queryable } from '../../platform/db/queryable.ts'
import type { Log } from '../../platform/log/log.ts'
import { presentEvent } from './present.ts'
import { listNewNotifications, type NotificationRow, type StreamCursor } from './store.ts'

/** Who gets an owner's notifications as text, from `seq` on. */
export interface Receiver {
  readonly ownerId: string
  /** The last one sent. */
  seq: bigint
  send(text: string): void
}

export interface Delivery {
  /** The receiver gets what is there behind its `seq`, and from then on everything new. */
  add(receiver: Receiver): void
  remove(receiver: Receiver): void
  deliverTo(ownerId: string): void
  /** Also what nobody announced, and what the database did not give before. */
  deliverToAll(): void
}

const ROWS_PER_OWNER = 100
const OWNERS_PER_ROUND = 500

/**
 * Moves new rows from the table to the receivers. One statement runs at a time and serves every owner that became due
 * while the one before ran, so a storm of messages costs one connection and few statements.
 */
export function createDelivery({ db, log }: { db: Queryable; log: Log }): Delivery {
  const receivers = new Map<string, Set<Receiver>>()
  const due = new Set<string>()
  let isRunning = false

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      while (due.size > 0) await runRound()
    } catch (error) {
      log.warn({ err: error }, 'notifications could not be read for their streams')
    } finally {
      isRunning = false
    }
  }

  async function runRound(): Promise<void> {
    const round = [...due].slice(0, OWNERS_PER_ROUND)
    const cursors = takeCursors(round)
    const startOf = new Map(cursors.map(({ ownerId, seq }) => [ownerId, seq]))
    const rows = await listNewNotifications(db, cursors, ROWS_PER_OWNER).catch((error) => {
      for (const ownerId of round) due.add(ownerId)
      throw error
    })
    for (const [ownerId, owned] of Map.groupBy(rows, (row) => row.ownerId)) {
      for (const receiver of receivers.get(ownerId) ?? []) {
        // One that came back meanwhile may be further behind than what was read: the next round is for it.
        if (receiver.seq >= (startOf.get(ownerId) ?? 0n)) sendNew(receiver, owned)
      }
      if (owned.length === ROWS_PER_OWNER) due.add(ownerId)
    }
  }

  /** Owners leave the list before the table is read: what is announced meanwhile puts them on it again. */
  function takeCursors(ownerIds: readonly string[]): StreamCursor[] {
    const cursors: StreamCursor[] = []
    for (const ownerId of ownerIds) {
      due.delete(ownerId)
      let seq: bigint | undefined
      for (const receiver of receivers.get(ownerId) ?? []) {
        if (seq === undefined || receiver.seq < seq) seq = receiver.seq
      }
      if (seq !== undefined) cursors.push({ ownerId, seq })
    }
    return cursors
  }

  function markDue(ownerId: string): void {
    if (!receivers.has(ownerId)) return
    due.add(ownerId)
    void run()
  }

  return {
    add(receiver) {
      const others = receivers.get(receiver.ownerId)
      if (others) others.add(receiver)
      else receivers.set(receiver.ownerId, new Set([receiver]))
      markDue(receiver.ownerId)
    },
    remove(receiver) {
      const others = receivers.get(receiver.ownerId)
      others?.delete(receiver)
      if (others?.size === 0) receivers.delete(receiver.ownerId)
    },
    deliverTo: markDue,
    deliverToAll() {
      for (const ownerId of receivers.keys()) due.add(ownerId)
      void run()
    },
  }
}

function sendNew(receiver: Receiver, rows: readonly NotificationRow[]): void {
  const fresh = rows.filter((row) => row.seq > receiver.seq)
  const last = fresh.at(-1)
  if (!last) return
  receiver.seq = last.seq
  receiver.send(fresh.map(presentEvent).join(''))
}
