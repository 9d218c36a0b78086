import { AppError } from '@agent-marketplace/contract'
import { isStatementTimeout } from '../db/errors.ts'
import type { Pauses } from './pauses.ts'

/** So many in a row mean that something is away which all of them need. One may be the fault of what is worked on. */
const AWAY_IN_A_ROW = 3
/** A log line holds no more of them. */
const SHOWN_FAILURES = 10

/**
 * Works on each of what is due. One that cannot be dealt with keeps no other waiting: the turn goes on, and fails at its
 * end, so that the log shows which it was. A database that is away ends the turn, and so does the signal.
 */
export async function forEachDue<Item extends { id: string }>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
  { signal, pauses }: { signal?: AbortSignal | undefined; pauses?: Pauses } = {},
): Promise<void> {
  const failures = createFailures()
  let away = 0
  const workOn = async (item: Item): Promise<void> => {
    try {
      await work(item)
      away = 0
      pauses?.succeeded(item.id)
    } catch (error) {
      if (signal?.aborted && error === signal.reason) throw error
      away = isAway(error) ? away + 1 : 0
      if (away === AWAY_IN_A_ROW) throw error
      if (away === 0) pauses?.failed(item.id)
      failures.add(item, error)
    }
  }
  try {
    for await (const item of items) {
      signal?.throwIfAborted()
      if (!pauses?.isPaused(item.id)) await workOn(item)
    }
  } catch (error) {
    throw failures.with(error)
  }
  failures.throwAny()
}

/** The database, or another part that all of them need. A statement that takes too long may be this one’s alone. */
export const isAway = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'UNAVAILABLE' && !isStatementTimeout(error)

/** The first of the failures of a turn, and how many there were. */
function createFailures() {
  const shown: Error[] = []
  let count = 0
  const all = (more: unknown[] = []): AggregateError =>
    new AggregateError([...shown, ...more], `${count} that are due could not be dealt with`)

  return {
    add({ id }: { id: string }, cause: unknown): void {
      count += 1
      if (shown.length < SHOWN_FAILURES) shown.push(new Error(`${id} could not be dealt with`, { cause }))
    },
    /** What ended the turn hides none of them. */
    with: (end: unknown): unknown => (count === 0 ? end : all([end])),
    throwAny(): void {
      if (count === 1) throw shown[0]
      if (count > 1) throw all()
    },
  }
}
