import type pg from 'pg'
import { explainFailure } from './errors.ts'
import { runQuery } from './row-query.ts'
import type { Sql } from './sql.ts'

/** What a store needs: the database itself and a transaction both are one. Rows are camelCase: `created_at` is `createdAt`. */
export interface Queryable {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** The only row; none or several is a programming error. */
  one<Row>(statement: Sql): Promise<Row>
  maybeOne<Row>(statement: Sql): Promise<Row | undefined>
  /** The number of rows changed. */
  run(statement: Sql): Promise<number>
  /** Runs `work` once what was written here is committed, and never when it is not. Outside a transaction that is now. */
  readonly afterCommit: (work: () => void) => void
}

export function createQueryable(execute: (statement: Sql) => Promise<pg.QueryResult>): Queryable {
  const maybeOne = async <Row>(statement: Sql): Promise<Row | undefined> => {
    const { rows } = await execute(statement)
    if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}: ${statement.text}`)
    return rows[0]
  }

  return {
    maybeOne,
    rows: async (statement) => (await execute(statement)).rows,
    run: async (statement) => (await execute(statement)).rowCount ?? 0,
    afterCommit: (work) => work(),
    async one<Row>(statement: Sql) {
      const row = await maybeOne<Row>(statement)
      if (row === undefined) throw new Error(`Expected one row, got none: ${statement.text}`)
      return row
    },
  }
}

type Command = Pick<Sql, 'text' | 'values'> & Partial<Pick<Sql, 'name'>>

export async function query(client: pg.ClientBase, { text, values, name }: Command): Promise<pg.QueryResult> {
  try {
    return await runQuery(client, { text, values, name })
  } catch (error) {
    // The stack of the error begins at the socket; from here on it shows who ran the statement.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw explainFailure(error)
  }
}
