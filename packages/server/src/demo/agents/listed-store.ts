import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/** Whether each of these wallets is a seller's who has listed an agent. */
export async function haveAllListed(db: Queryable, sellerWallets: readonly string[]): Promise<boolean> {
  const wallets = sellerWallets.map((wallet) => wallet.toLowerCase())
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::integer as count from owners
    where lower(wallet_address) = any(${wallets}) and exists (select from agents where owner_id = owners.id)`)
  return count === wallets.length
}
