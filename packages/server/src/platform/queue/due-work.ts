import { type Sql, sql } from '../db/sql.ts'
import { forEachDue } from './each-due.ts'
import { createPauses } from './pauses.ts'

/** Where something stands among what is due: by its time, and by its id where times are equal. */
export interface DuePlace {
  id: string
  /** As the database writes it: a Date would lose its microseconds. */
  at: string
}

/** For an order by both columns. */
export const isBehind = (at: Sql, id: Sql, place: DuePlace | undefined): Sql =>
  place === undefined ? sql`true` : sql`(${at}, ${id}) > (${place.at}::timestamptz, ${place.id})`

/** A turn takes one of the few places that all ticks share, so it is over after this time. */
const TURN_MS = 20_000

interface DuePages<Row, Turn> {
  /** A page of what is due, behind this one. */
  list: (after: Row | undefined, turn: Turn) => Promise<Row[]>
  nowMs?: () => number
}

interface DueWork<Row, Turn> extends DuePages<Row, Turn> {
  work: (row: Row, turn: Turn) => Promise<unknown>
}

/**
 * Works on what is due in a turn, which is given what `list` and `work` need, such as its time. However many cannot be dealt
 * with, the others are not kept waiting: what has failed comes behind all that has not, and is tried less and less often.
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
    // One of them at least, also where the others take all of the time.
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
 * What is due, page by page, until there is none or the time of a turn is over. Each page begins behind the one before, so
 * that those that stay due keep nothing else from being found. A turn that ends early is continued by the next one, which
 * comes to the others as well.
 */
export function createDuePages<Row, Turn = void>({
  list,
  nowMs = () => performance.now(),
}: DuePages<Row, Turn>): (turn: Turn) => AsyncGenerator<Row> {
  let leftAt: Row | undefined

  async function* behind(place: Row | undefined, turn: Turn): AsyncGenerator<Row> {
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
      for await (const row of behind(place, turn)) {
        leftAt = row
        yield row
        if (nowMs() >= endMs) return
      }
    }
    leftAt = undefined
  }
}
