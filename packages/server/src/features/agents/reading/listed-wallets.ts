import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

/** Wallets of agents that lists show, those that begin with these hex digits, in order: a range of the index by wallet. */
export async function listListedWallets(db: Queryable, digits: string, limit: number): Promise<string[]> {
  const [from, to] = [`0x${digits}`, `0x${digits}g`]
  const rows = await db.rows<{ walletAddress: string }>(sql`
    select wallet_address from agents
    where listed and lower(wallet_address) >= ${from} and lower(wallet_address) < ${to}
    order by lower(wallet_address) limit ${limit}`)
  return rows.map(({ walletAddress }) => walletAddress)
}
