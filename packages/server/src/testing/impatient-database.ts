import { pino } from 'pino'
import type { Connection } from '../platform/db/connection.ts'
import { createDatabase, type Database } from '../platform/db/database.ts'

const PATIENCE_OF_SEARCH_MS = 200

/** A second pool on a database, as searches have one: it gives a statement up soon. */
export const createImpatientDatabase = (connection: Connection): Database =>
  createDatabase({
    connection,
    poolSize: 4,
    log: pino({ level: 'silent' }),
    statementTimeoutMs: PATIENCE_OF_SEARCH_MS,
  })
