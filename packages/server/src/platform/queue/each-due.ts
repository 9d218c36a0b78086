import { AppError } from '@agent-marketplace/contract'
import { isStatementTimeout } from '../db/errors.ts'

/**
 * Works on each of what is due. One that cannot be dealt with keeps no other waiting: the turn goes on, and fails at its
 * end, so that the log shows it. A database that is away ends the turn, and so does the signal.
 */
export async function forEachDue<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) {
    signal?.throwIfAborted()
    try {
      await work(item)
    } catch (error) {
      if (isAway(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1)
    throw new AggregateError(failures, `${failures.length} that are due could not be dealt with`)
}

/** The database, or another part that all of them need. A statement that takes too long may be this one’s alone. */
const isAway = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'UNAVAILABLE' && !isStatementTimeout(error)
