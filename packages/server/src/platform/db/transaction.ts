import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { BaseLogger } from 'pino'
import { breaksConnection, isSerialisationFailure } from './errors.ts'
import { createQueryable, type Queryable, query } from './queryable.ts'
import { sql } from './sql.ts'

const retryLimit = 3
const retryDelayMs = 5

/** A queryable that is one transaction: what needs several statements to happen together, or not at all, asks for this. */
export interface Transaction extends Queryable {}

export interface TransactionOptions {
  /** The longest that a statement waits for a lock, before it fails and nothing has happened; otherwise its own timeout. */
  lockTimeoutMs?: number
}

interface Run<T> extends TransactionOptions {
  client: pg.PoolClient
  work: (tx: Transaction) => Promise<T>
  log: BaseLogger
}

export async function runTransaction<T>({ client, work, log, lockTimeoutMs }: Run<T>): Promise<T> {
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

  await begin(client, lockTimeoutMs)
  let result: T
  try {
    result = await work(tx)
    const { command } = await query(client, sql`commit`)
    // PostgreSQL responds to the commit of a failed transaction with ROLLBACK and no error.
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

async function begin(client: pg.PoolClient, lockTimeoutMs: number | undefined): Promise<void> {
  if (lockTimeoutMs === undefined) await query(client, sql`begin`)
  // Two commands in one message cannot be prepared, so they have no name.
  else
    await query(client, { text: `begin; set local lock_timeout = ${Math.ceil(lockTimeoutMs)}`, values: [] })
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
