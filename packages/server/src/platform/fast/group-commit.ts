import type { Database } from '../db/database.ts'
import { breaksConnection } from '../db/errors.ts'
import type { Transaction } from '../db/transaction.ts'
import { createGather } from './gather.ts'

/** What became of each item, in their order. An item that is refused has written nothing. */
export type Outcomes<Result> = PromiseSettledResult<Result>[]

/** Turns a refusal of one item into its outcome. */
export function attempt<Result>(decide: () => Result): PromiseSettledResult<Result> {
  try {
    return { status: 'fulfilled', value: decide() }
  } catch (reason) {
    return { status: 'rejected', reason }
  }
}

interface GroupCommitOptions<Item, Result> {
  db: Pick<Database, 'transaction'>
  write: (tx: Transaction, items: readonly Item[]) => Promise<Outcomes<Result>>
  /** Items of one key are written one after another, so that the later one finds what the earlier one left. */
  keyOf?: (item: Item) => string | undefined
  batchLimit?: number
  inFlightLimit?: number
  /** So long a batch waits for a lock before its items part ways, or for longer where batches take longer: see `patience`. */
  lockTimeoutMs?: number
  nowMs?: () => number
}

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
  readonly sinceMs: number
}

/** So many times the usual time is the longest that a batch waits for a lock. */
const MOST_PATIENCE = 10

/**
 * Lets writes that come at the same time share one transaction, and with it one commit. Callers get their result after
 * the commit. A batch that fails, or that one of its items keeps waiting for a lock, is rolled back and each item tries
 * again in a transaction of its own: so a bad one hurts nobody else. Only a lost connection fails all of them, because
 * then nobody knows whether they were written; those queued behind them fail too.
 */
export function createGroupCommit<Item, Result>({
  db,
  write,
  keyOf = () => undefined,
  batchLimit = 32,
  inFlightLimit = 2,
  lockTimeoutMs = 200,
  nowMs = () => performance.now(),
}: GroupCommitOptions<Item, Result>): (item: Item) => Promise<Result> {
  type Batch = Waiting<Item, Result>[]
  const underWay = new Map<string, Promise<Result>>()
  let lost = { atMs: 0, error: undefined as unknown }
  let lastTookMs = 0
  /** Batches under way may wait for each other. On a busy machine that takes longer, and parting would make it busier. */
  const patience = (): number =>
    Math.min(Math.max(lockTimeoutMs, 3 * lastTookMs), MOST_PATIENCE * lockTimeoutMs)

  const writeTogether = async (batch: Batch, options: { lockTimeoutMs?: number }): Promise<void> => {
    const items = batch.map(({ item }) => item)
    const outcomes = await db.transaction((tx) => write(tx, items), options)
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome?.status === 'fulfilled') resolve(outcome.value)
      else
        reject(outcome?.reason ?? new Error('a batch was written without an outcome for each of its items'))
    }
  }

  const send = async (batch: Batch): Promise<void> => {
    if (batch.every(({ sinceMs }) => sinceMs < lost.atMs)) return rejectAll(batch, lost.error)
    const startedMs = nowMs()
    try {
      await writeTogether(batch, { lockTimeoutMs: patience() })
      lastTookMs = nowMs() - startedMs
    } catch (error) {
      if (breaksConnection(error)) {
        lost = { atMs: nowMs(), error }
        return rejectAll(batch, error)
      }
      // Not awaited: a batch that waits for a lock must not hold up later ones.
      for (const waiting of batch) void writeTogether([waiting], {}).catch(waiting.reject)
    }
  }
  const rejectAll = (batch: Batch, error: unknown): void => {
    for (const { reject } of batch) reject(error)
  }
  const add = createGather({ send, batchLimit, inFlightLimit, isPatient: true })

  const join = (item: Item): Promise<Result> => {
    const waiting = { item, sinceMs: nowMs(), ...Promise.withResolvers<Result>() }
    add(waiting)
    return waiting.promise
  }

  return async (item) => {
    const key = keyOf(item)
    if (key === undefined) return join(item)
    for (let twin = underWay.get(key); twin; twin = underWay.get(key)) await twin.catch(() => undefined)
    const joined = join(item)
    underWay.set(key, joined)
    return joined.finally(() => underWay.delete(key))
  }
}
