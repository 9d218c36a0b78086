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

/** A turn takes one of the few places that all ticks share, so it goes no further. */
const ROWS_IN_A_TURN = 10_000

interface DuePages<Row, Turn> {
  /** A page of what is due, behind this one. */
  list: (after: Row | undefined, turn: Turn) => Promise<Row[]>
  rowsInATurn?: number
}

interface DueWork<Row, Turn> extends DuePages<Row, Turn> {
  work: (row: Row, turn: Turn) => Promise<unknown>
}

/**
 * Works on what is due in a turn, which is given what `list` and `work` need, such as its time. However many cannot be dealt
 * with, the others are not kept waiting, and what fails again and again is tried less and less often.
 */
export function createDueWork<Row extends { id: string }, Turn = void>({
  work,
  ...pages
}: DueWork<Row, Turn>) {
  const pagesOf = createDuePages(pages)
  const pauses = createPauses()
  return (turn: Turn, signal?: AbortSignal): Promise<void> => {
    pauses.beginTurn()
    return forEachDue(pagesOf(turn), (row) => work(row, turn), { signal, pauses })
  }
}

/**
 * What is due, page by page, until there is none. Each page begins behind the one before, so that those that stay due keep
 * nothing else from being found. A turn that ends early is continued by the next one, which comes to the others as well.
 */
export function createDuePages<Row, Turn = void>({
  list,
  rowsInATurn = ROWS_IN_A_TURN,
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
    let count = 0
    for (const place of leftAt === undefined ? [undefined] : [leftAt, undefined]) {
      for await (const row of behind(place, turn)) {
        if (count === rowsInATurn) return
        count += 1
        leftAt = row
        yield row
      }
    }
    leftAt = undefined
  }
}
