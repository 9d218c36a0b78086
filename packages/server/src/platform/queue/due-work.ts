import { type Sql, sql } from '../db/sql.ts'
import { forEachDue } from './each-due.ts'
import { createPauses } from './pauses.ts'

/** A position among what is due: ordered by time, and by id where times are equal. */
export interface DuePlace {
  id: string
  /** As the database writes it: a Date would lose its microseconds. */
  at: string
}

/** The condition that a row comes after this place, in an order by both columns. */
export const isAfter = (at: Sql, id: Sql, place: DuePlace | undefined): Sql =>
  place === undefined ? sql`true` : sql`(${at}, ${id}) > (${place.at}::timestamptz, ${place.id})`

/** A turn takes one of the few places that all ticks share, so it ends after this time. */
const TURN_MS = 20_000

interface DuePages<Row, Turn> {
  /** The page of what is due that comes after this row; the first page where there is none. */
  list: (after: Row | undefined, turn: Turn) => Promise<Row[]>
  nowMs?: () => number
}

interface DueWork<Row, Turn> extends DuePages<Row, Turn> {
  work: (row: Row, turn: Turn) => Promise<unknown>
}

/**
 * Returns a function that works on what is due for one turn. Its argument is passed on to `list` and `work`: most often the
 * time of the turn. Failures hold up nothing else, however many there are: what has failed is tried after everything that
 * has not, and less and less often.
 */
export function createDueWork<Row extends { id: string }, Turn = void>({
  work,
  list,
  nowMs = () => performance.now(),
}: DueWork<Row, Turn>) {
  const pagesOf = createDuePages({ list, nowMs })
  const pauses = createPauses()

  async function* dueIn(turn: Turn): AsyncGenerator<Row> {
    const endMs = nowMs() + TURN_MS
    const failed = new Map<string, Row>()
    for await (const row of pagesOf(turn)) {
      if (!pauses.hasFailed(row.id)) yield row
      else if (!pauses.isPaused(row.id)) failed.set(row.id, row)
    }
    // At least one of them, even when the others have used up the time.
    for (const row of [...failed.values()].sort(pauses.byTurn)) {
      yield row
      if (nowMs() >= endMs) return
    }
  }

  return (turn: Turn, signal?: AbortSignal): Promise<void> => {
    pauses.beginTurn()
    return forEachDue(dueIn(turn), (row) => work(row, turn), { signal, pauses })
  }
}

/**
 * What is due, page by page, until there is no more or the turn has used up its time. Each page begins after the one before,
 * so that rows which stay due do not hide others. A turn that ended early is continued by the next one, which then starts
 * again from the first page.
 */
export function createDuePages<Row, Turn = void>({
  list,
  nowMs = () => performance.now(),
}: DuePages<Row, Turn>): (turn: Turn) => AsyncGenerator<Row> {
  let leftAt: Row | undefined

  async function* rowsAfter(place: Row | undefined, turn: Turn): AsyncGenerator<Row> {
    for (let after = place; ; ) {
      const page = await list(after, turn)
      if (page.length === 0) return
      yield* page
      after = page.at(-1)
    }
  }

  return async function* (turn) {
    const endMs = nowMs() + TURN_MS
    for (const place of leftAt === undefined ? [undefined] : [leftAt, undefined]) {
      for await (const row of rowsAfter(place, turn)) {
        leftAt = row
        yield row
        if (nowMs() >= endMs) return
      }
    }
    leftAt = undefined
  }
}
