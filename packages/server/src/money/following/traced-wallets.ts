import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { listFollowed, renewWatchVersion } from './watched-wallets.ts'

/**
 * Wallets whose transfers are read although the journal does not keep their books: those of buyers and sellers. Triggers
 * on what people pay and sell add to them.
 */
export async function listTraced(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(
    sql`select address from traced_wallets where since_block is not null`,
  )
  return rows.map(({ address }) => address)
}

/** Those that wait to be taken up, the oldest first. */
export async function listNewTraced(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(sql`
    select address from traced_wallets where since_block is null order by created_at, address limit ${limit}`)
  return rows.map(({ address }) => address)
}

/** They are read together with everything else from now on; blocks that were being read without them do not count. */
export async function markTraced(
  db: Queryable,
  { chainId, addresses, sinceBlock }: { chainId: number; addresses: string[]; sinceBlock: bigint },
): Promise<void> {
  await db.run(
    sql`update traced_wallets set since_block = ${sinceBlock} where address = any(${addresses}::text[])`,
  )
  await renewWatchVersion(db, chainId)
}

/** Whose transfers are read: the watched, whose signed authorizations count too, and the traced. */
export interface ReadWallets {
  all: ReadonlySet<string>
  watched: ReadonlySet<string>
}

/** The lists are long and seldom change: they are read once for each version of them. */
export function createReadWallets(db: Queryable): (version: bigint) => Promise<ReadWallets> {
  let known: { version: bigint; wallets: ReadWallets } | undefined
  return async (version) => {
    if (known?.version !== version) {
      const [watched, traced] = await Promise.all([listFollowed(db), listTraced(db)])
      known = { version, wallets: { all: new Set([...watched, ...traced]), watched: new Set(watched) } }
    }
    return known.wallets
  }
}
