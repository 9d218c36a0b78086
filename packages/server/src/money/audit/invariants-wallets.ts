import { sql } from '../../platform/db/sql.ts'
import type { Account } from '../books/accounts.ts'
import { type Invariant, inDatabase } from './invariant.ts'
import { accounts } from './subjects.ts'

interface Holding {
  number: bigint
  hash: string
  key: Account
  wallets: string[]
  bookedMicro: bigint
}

export const walletChecks: Invariant[] = [
  {
    name: 'M14',
    message: 'Every followed wallet holds what the books say',
    subject: accounts,
    async check({ db, chain }, keys) {
      const { chainId } = chain.facts
      // One statement sees one moment. What was posted ahead of the indexer belongs to a block that it has not come to.
      const holdings = await db.rows<Holding>(sql`
        with unfolded as (
          select account, sum(amount_micro) as amount_micro from unfolded_postings
          where account = any(${keys}) group by account
        ), ahead as (
          select p.account, sum(p.amount_micro) as amount_micro from chain_cursors c
          join journal_entries e on e.chain_id = c.chain_id and e.block_number > c.block_number
          join journal_postings p on p.entry_id = e.id
          where c.chain_id = ${chainId} and p.account = any(${keys}) group by p.account
        )
        select c.block_number as number, c.block_hash as hash, w.account as key, w.wallets,
          coalesce(b.amount_micro, 0) + coalesce(u.amount_micro, 0) - coalesce(a.amount_micro, 0) as "bookedMicro"
        from chain_cursors c cross join (
          select account, array_agg(address) as wallets from watched_wallets
          where account = any(${keys}) and since_block is not null group by account) w
        left join account_balances b on b.account = w.account
        left join unfolded u on u.account = w.account left join ahead a on a.account = w.account
        where c.chain_id = ${chainId}`)
      const [first] = holdings
      if (first === undefined) return []
      const wallets = holdings.flatMap((holding) => holding.wallets)
      const balancesMicro = await chain.reader.getUsdcBalances({ wallets, blockNumber: first.number })
      // During a reorganisation there is nothing to compare with.
      const standing = await chain.reader.getBlock(first.number)
      if (standing?.hash !== first.hash) return undefined
      const heldMicro = new Map(wallets.map((wallet, index) => [wallet, balancesMicro[index] ?? 0n]))
      return holdings.flatMap((holding) => {
        const onChainMicro = holding.wallets.reduce((sum, wallet) => sum + (heldMicro.get(wallet) ?? 0n), 0n)
        return onChainMicro === holding.bookedMicro ? [] : [{ ...holding, onChainMicro }]
      })
    },
  },
  {
    ...inDatabase(accounts, 'M15', 'The kept balances are the sums of the postings', (db, keys) =>
      db.rows(sql`
        select account as key, coalesce(b.amount_micro, 0) as "keptMicro", u.amount_micro as "unfoldedMicro",
          p.amount_micro as "postedMicro"
        from unnest(${keys}::text[]) account
        left join account_balances b using (account)
        cross join lateral (select coalesce(sum(amount_micro), 0) as amount_micro from unfolded_postings
          where unfolded_postings.account = account.account) u
        cross join lateral (select coalesce(sum(amount_micro), 0) as amount_micro from journal_postings
          where journal_postings.account = account.account) p
        where account.account not in ('escrow:', 'owed:')
          and coalesce(b.amount_micro, 0) + u.amount_micro <> p.amount_micro
        union all
        select account, b.amount_micro, 0, one.amount_micro
        from unnest(${keys}::text[]) account join account_balances b using (account)
        cross join lateral (select coalesce(sum(o.amount_micro), 0) as amount_micro from account_balances o
          where starts_with(o.account, account.account) and o.account <> account.account) one
        where account.account in ('escrow:', 'owed:') and b.amount_micro <> one.amount_micro`),
    ),
    // A busy account has millions of postings. M2 and M14 compare the same balances with the chain's.
    isForFullPass: true,
  },
]
