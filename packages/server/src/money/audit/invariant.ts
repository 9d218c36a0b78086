import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ChainPort } from '../../ports/chain/port.ts'

export interface InvariantDeps {
  db: Database
  chain: ChainPort
}

/** A rule that anyone may check at any moment. Returns the rows that break it. */
export interface Invariant {
  name: string
  message: string
  check(deps: InvariantDeps): Promise<Record<string, unknown>[]>
}

/** A rule that one statement can check. */
export const inDatabase = (
  name: string,
  message: string,
  find: (db: Queryable) => Promise<Record<string, unknown>[]>,
): Invariant => ({ name, message, check: ({ db }) => find(db) })

/** Where the books stand: the block up to which everything is counted, or nothing before the first one. */
export async function bookedBlock(
  db: Queryable,
  chainId: number,
): Promise<{ number: bigint; hash: string } | undefined> {
  return db.maybeOne(
    sql`select block_number as number, block_hash as hash from chain_cursors where chain_id = ${chainId}`,
  )
}
