import { AppError } from '@agent-marketplace/contract'
import { isStatementTimeout } from '../db/errors.ts'
import type { Pauses } from './pauses.ts'

/** This many in a row mean that something which all of them need is unavailable. A single one may be the item's own fault. */
const UNAVAILABLE_IN_A_ROW = 3
/** In one log line. */
const SHOWN_FAILURES = 10

/**
 * Works on everything that is due. An item that fails holds up no other: the turn goes on, and rejects at its end with an
 * error that names the failed items, for the log. An unavailable database ends the turn early, and so does the signal.
 */
export async function forEachDue<Item extends { id: string }>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
  { signal, pauses }: { signal?: AbortSignal | undefined; pauses?: Pauses } = {},
): Promise<void> {
  const failures = createFailures()
  let unavailableInRow = 0
  const workOn = async (item: Item): Promise<void> => {
    try {
      await work(item)
      unavailableInRow = 0
      pauses?.succeeded(item.id)
    } catch (error) {
      if (signal?.aborted && error === signal.reason) throw error
      unavailableInRow = isUnavailable(error) ? unavailableInRow + 1 : 0
      if (unavailableInRow === UNAVAILABLE_IN_A_ROW) throw error
      if (unavailableInRow === 0) pauses?.failed(item.id)
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

/** Whether the database, or another part that every item needs, is unavailable. A statement timeout may concern one item alone. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'UNAVAILABLE' && !isStatementTimeout(error)

/** Keeps the first failures of a turn, and counts all of them. */
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
    /** The error that ended the turn, together with the failures before it. */
    with: (end: unknown): unknown => (count === 0 ? end : all([end])),
    throwAny(): void {
      if (count === 1) throw shown[0]
      if (count > 1) throw all()
    },
  }
}
