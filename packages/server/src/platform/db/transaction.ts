import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { BaseLogger } from 'pino'
import { breaksConnection, isSerialisationFailure } from './errors.ts'
import { createQueryable, type Queryable, query } from './queryable.ts'
import { sql } from './sql.ts'

const retryLimit = 3
const retryDelayMs = 5

export interface Transaction extends Queryable {
  /** Runs `work` once the transaction is committed, and never when it is not. */
  readonly afterCommit: (work: () => void) => void
}

interface TransactionOptions<T> {
  client: pg.PoolClient
  work: (tx: Transaction) => Promise<T>
  log: BaseLogger
}

export async function runTransaction<T>({ client, work, log }: TransactionOptions<T>): Promise<T> {
  const afterCommit: (() => void)[] = []
  let isOpen = true
  const tx: Transaction = {
    ...createQueryable((statement) => {
      // The connection already serves somebody else: a forgotten await must not write into their transaction.
      if (!isOpen) throw new Error(`Statement after the end of its transaction: ${statement.text}`)
      return query(client, statement)
    }),
    afterCommit: (callback) => void afterCommit.push(callback),
  }

  await query(client, sql`begin`)
  let result: T
  try {
    result = await work(tx)
    const { command } = await query(client, sql`commit`)
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error.
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back: an error inside it was swallowed')
  } catch (error) {
    if (!breaksConnection(error)) await query(client, sql`rollback`)
    throw error
  } finally {
    isOpen = false
  }

  for (const callback of afterCommit) {
    try {
      callback()
    } catch (error) {
      log.error({ err: error }, 'work after commit failed')
    }
  }
  return result
}

/** Everything that `work` did was rolled back when it fails to serialise, so it may run again as a whole. */
export async function retrySerialisation<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt > retryLimit || !isSerialisationFailure(error)) throw error
      // Two transactions that collided part ways instead of colliding again.
      await delay(attempt * retryDelayMs * (1 + Math.random()))
    }
  }
}
