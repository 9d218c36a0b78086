import { sql } from '../../platform/db/sql.ts'
import type { Account } from '../books/accounts.ts'
import type { Invariant } from './invariant.ts'

interface Holding {
  number: bigint
  hash: string
  account: Account
  wallets: string[]
  bookedMicro: bigint
}

export const walletChecks: Invariant[] = [
  {
    name: 'M14',
    message: 'Every followed wallet holds what the books say',
    async check({ db, chain }) {
      const { chainId } = chain.facts
      // One statement sees one moment. What was posted ahead of the indexer belongs to a block that it has not come to.
      const holdings = await db.rows<Holding>(sql`
        select c.block_number as number, c.block_hash as hash, w.account, array_agg(w.address) as wallets, coalesce((
          select sum(p.amount_micro) from journal_postings p join journal_entries e on e.id = p.entry_id
          where p.account = w.account and (e.block_number is null or e.block_number <= c.block_number)), 0) as "bookedMicro"
        from chain_cursors c cross join watched_wallets w
        where c.chain_id = ${chainId} and w.since_block is not null
        group by c.block_number, c.block_hash, w.account`)
      const [first] = holdings
      if (first === undefined) return []
      const wallets = holdings.flatMap((holding) => holding.wallets)
      const balancesMicro = await chain.reader.getUsdcBalances({ wallets, blockNumber: first.number })
      // During a reorganisation there is nothing to compare with.
      const standing = await chain.reader.getBlock(first.number)
      if (standing?.hash !== first.hash) return []
      const heldMicro = new Map(wallets.map((wallet, index) => [wallet, balancesMicro[index] ?? 0n]))
      return holdings.flatMap((holding) => {
        const onChainMicro = holding.wallets.reduce((sum, wallet) => sum + (heldMicro.get(wallet) ?? 0n), 0n)
        return onChainMicro === holding.bookedMicro ? [] : [{ ...holding, onChainMicro }]
      })
    },
  },
]
