import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainEventOf, ChainPort } from '../../ports/chain/port.ts'
import type { StoredEvent } from '../following/event-store.ts'
import { type Account, outsideAccount } from './accounts.ts'
import type { Origin } from './escrow-books.ts'
import { DIRECT_TRANSFER, postEntry, reverseEntry } from './journal.ts'

type Transfer = ChainEventOf<'UsdcTransferred'>

interface Unbooked {
  /** Which of the given transfers it is, counted from 1. */
  number: bigint
  payerAccount: Account | null
  payeeAccount: Account | null
  /** The entry from the time when only one of the two wallets was watched. */
  halfBookedId: string | null
}

/**
 * Transfers from or to a watched wallet that nothing in the books covers: neither an entry at their place, nor the
 * escrow's own events, nor an intent that waits for its outcome. Somebody sent them by themselves. They are money, but
 * nobody's earnings.
 */
export function createDirectTransfers({ facts }: Pick<ChainPort, 'facts'>) {
  const { chainId } = facts
  const escrow = facts.contracts.escrow.toLowerCase()

  const findUnbooked = (tx: Transaction, transfers: Transfer[]): Promise<Unbooked[]> =>
    tx.rows<Unbooked>(sql`
      select t.number, payer.account as "payerAccount", payee.account as "payeeAccount", known.id as "halfBookedId"
      from unnest(${transfers.map(({ transactionHash }) => transactionHash)}::text[],
        ${transfers.map(({ logIndex }) => logIndex)}::int[], ${transfers.map(({ from }) => from.toLowerCase())}::text[],
        ${transfers.map(({ to }) => to.toLowerCase())}::text[],
        ${transfers.map(({ amountMicro }) => amountMicro)}::numeric[])
        with ordinality as t (tx_hash, log_index, payer, payee, amount, number)
      left join watched_wallets payer on payer.address = t.payer
      left join watched_wallets payee on payee.address = t.payee
      left join lateral (
        select e.id, e.kind from journal_entries e
        where e.chain_id = ${chainId} and e.tx_hash = t.tx_hash and e.log_index = t.log_index and e.reverses is null
          and not exists (select 1 from journal_entries r where r.reverses = e.id)) known on true
      where t.amount > 0 and t.payer <> ${escrow} and payer.account is distinct from payee.account
        and not (t.payee = ${escrow} and exists (
          select 1 from chain_events f
          where f.chain_id = ${chainId} and f.tx_hash = t.tx_hash and f.name = 'JobFunded' and f.is_canonical
            and lower(f.args #>> '{terms,client}') = t.payer
            and (f.args #>> '{terms,amountMicro,bigint}')::numeric = t.amount))
        and (known.id is null or known.kind = ${DIRECT_TRANSFER} and exists (
          select 1 from unnest(array[payer.account, payee.account]) as side (account)
          where side.account is not null and not exists (
            select 1 from journal_postings p where p.entry_id = known.id and p.account = side.account)))
        and not exists (
          select 1 from chain_transaction_hashes h join intents i on i.id = h.intent_id
          where h.chain_id = ${chainId} and h.hash = t.tx_hash and i.status = 'SUBMITTED')
      order by t.number`)

  /** After everything that may know what a transfer was for. */
  return async (
    tx: Transaction,
    stored: readonly StoredEvent[],
    originOf: (txHash: string) => Origin,
  ): Promise<void> => {
    const transfers = stored.flatMap(({ event, block }) =>
      event.name === 'UsdcTransferred' ? [{ ...event, block }] : [],
    )
    if (transfers.length === 0) return
    for (const unbooked of await findUnbooked(tx, transfers)) {
      const { number, payerAccount, payeeAccount, halfBookedId } = unbooked
      const transfer = transfers[Number(number) - 1]
      if (transfer === undefined) continue
      if (halfBookedId !== null) await reverseEntry(tx, halfBookedId, 'both wallets are watched now')
      const { amountMicro, block, transactionHash: txHash, logIndex } = transfer
      await postEntry(tx, {
        kind: DIRECT_TRANSFER,
        at: block.time,
        postings: [
          { account: payerAccount ?? outsideAccount(), amountMicro: -amountMicro },
          { account: payeeAccount ?? outsideAccount(), amountMicro },
        ],
        chain: { chainId, txHash, logIndex, blockNumber: block.number, blockHash: block.hash },
        ...originOf(txHash),
      })
    }
  }
}
