import pg from 'pg'
import type { BaseLogger } from 'pino'
import { type Connection, keepAlive, types } from './connection.ts'
import { breaksConnection, explainFailure } from './errors.ts'
import { openListener } from './listen.ts'
import { createQueryable, type Queryable, query } from './queryable.ts'
import { sql } from './sql.ts'
import {
  retrySerialisation,
  runTransaction,
  type Transaction,
  type TransactionOptions,
} from './transaction.ts'

/** A process that stops in the middle of a transaction gives its row locks back after this time. */
const idleInTransactionTimeoutMs = 30_000

export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction and retries it after a serialisation failure or deadlock, so `work` must do
   * nothing outside the transaction. A connection lost during commit is UNAVAILABLE: the outcome is unknown.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Calls `onGap` after each reconnect, because messages sent meanwhile are lost, and `onLost` when the connection breaks.
   * Resolves to a function that stops.
   */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onGap: () => void,
    onLost?: () => void,
  ): Promise<() => Promise<void>>
  ping(): Promise<void>
  close(): Promise<void>
  readonly pool: pg.Pool
}

export interface DatabaseOptions {
  connection: Connection
  poolSize: number
  log: BaseLogger
  /** A caller waits this long for a free or new connection before it gets the error that the database is unavailable. */
  connectTimeoutMs?: number
  statementTimeoutMs?: number
  /** How often a listening connection is checked. */
  listenCheckMs?: number
}

export function createDatabase({
  connection,
  poolSize,
  log,
  connectTimeoutMs = 3_000,
  statementTimeoutMs = 10_000,
  listenCheckMs = 5_000,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The server ends a slow statement first; this ends the wait for a server that no longer responds at all.
    query_timeout: statementTimeoutMs + 1_000,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    ...keepAlive,
  })
  // A connection can break while a transaction holds it and no statement runs: without a listener that ends the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'database connection lost')),
  )
  let isClosing = false
  // pg ends its pool before the last sockets are closed, so a server that stops right after may still cut one: no news.
  pool.on('error', (error) => {
    if (!isClosing) log.warn({ err: error }, 'idle database connection lost')
  })

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error) => {
      throw explainFailure(error)
    })
    let isBroken = false
    try {
      return await work(client)
    } catch (error) {
      isBroken = breaksConnection(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }

  const queryable = createQueryable((statement) =>
    retrySerialisation(() => withClient((client) => query(client, statement))),
  )
  const stopListeners = new Set<() => Promise<void>>()

  return {
    ...queryable,
    pool,
    transaction: (work, options) =>
      retrySerialisation(() => withClient((client) => runTransaction({ client, work, log, ...options }))),
    ping: async () => void (await queryable.one(sql`select 1 as alive`)),

    async listen(channel, onMessage, onGap, onLost = () => undefined) {
      const stop = await openListener({
        connection,
        channel,
        checkMs: listenCheckMs,
        onMessage,
        onGap,
        onLost,
        log,
      })
      stopListeners.add(stop)
      return async () => {
        stopListeners.delete(stop)
        await stop()
      }
    },

    async close() {
      isClosing = true
      await Promise.all([...stopListeners].map((stop) => stop()))
      stopListeners.clear()
      await pool.end()
    },
  }
}
