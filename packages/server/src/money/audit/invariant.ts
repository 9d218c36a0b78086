import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ChainPort } from '../../ports/chain/port.ts'

export interface InvariantDeps {
  db: Database
  chain: ChainPort
}

/** What a rule is about: jobs, journal entries, wallets. Each of them has a key. */
export interface Subject {
  /** The kind under which the database's triggers note changed keys. */
  name: string
  /** The next keys after this one, in their order: how a full pass walks through all of them. */
  list(deps: InvariantDeps, page: KeyPage): Promise<string[]>
  /** By the kind of what has changed: the keys of this subject that it may have broken. */
  follows?: Record<string, (db: Queryable, keys: string[]) => Promise<string[]>>
  /** How many are checked by one statement, where each of them may be about thousands of rows. */
  keysAtOnce?: number
  /** Checked each time, changed or not. */
  isAlwaysDue?: boolean
}

export interface KeyPage {
  /** Empty at the beginning. */
  after: string
  limit: number
}

/** A row that breaks a rule, and the key of its subject. */
export interface BrokenRow extends Record<string, unknown> {
  key: string
}

/**
 * A rule that anyone may check at any moment. It has one definition, for some keys of its subject: the audit calls it with
 * those that have changed, and a full check with all of them, page by page.
 */
export interface Invariant {
  name: string
  message: string
  subject: Subject
  /** Returns the rows that break it; undefined while there is nothing to compare with, so that it is checked again. */
  check(deps: InvariantDeps, keys: string[]): Promise<BrokenRow[] | undefined>
  /** It reads more than a change can justify, and another rule notices within a minute what it explains. */
  isForFullPass?: boolean
}

type Find = (db: Queryable, keys: string[]) => Promise<BrokenRow[]>

/** A rule that one statement can check. */
export const inDatabase = (subject: Subject, name: string, message: string, find: Find): Invariant => ({
  name,
  message,
  subject,
  check: ({ db }, keys) => find(db, keys),
})

/** Where the books stand: the block up to which everything is counted, or nothing before the first one. */
export async function bookedBlock(
  db: Queryable,
  chainId: number,
): Promise<{ number: bigint; hash: string } | undefined> {
  return db.maybeOne(
    sql`select block_number as number, block_hash as hash from chain_cursors where chain_id = ${chainId}`,
  )
}
