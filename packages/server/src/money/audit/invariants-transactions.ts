import { sql } from '../../platform/db/sql.ts'
import type { SenderName } from '../../ports/chain/port.ts'
import { type BrokenRow, type Invariant, inDatabase } from './invariant.ts'
import { intents, whole } from './subjects.ts'

const senders: SenderName[] = ['operator', 'spender']

export const transactionChecks: Invariant[] = [
  inDatabase(
    intents,
    'M6',
    'An intent takes effect at most once, by the one transaction that it names',
    (db, keys) =>
      db.rows(sql`
      select i.id as key, i.key as name, i.status, i.tx_hash, count(t.*)::int as mined
      from intents i left join chain_transactions t on t.intent_id = i.id and t.status = 'MINED'
      where i.id = any(${keys})
      group by i.id
      having count(t.*) > 1
        or (i.status = 'SETTLED' and (count(t.*) <> 1 or min(t.tx_hash) is distinct from i.tx_hash))
        or (i.status in ('PENDING', 'SUBMITTED') and count(t.*) > 0)`),
  ),
  inDatabase(
    intents,
    'M13',
    'What is submitted has exactly one live transaction, and what has one is submitted',
    (db, keys) =>
      db.rows(sql`
      select i.id as key, i.key as name, i.status, count(t.*)::int as live
      from intents i left join chain_transactions t on t.intent_id = i.id and t.status = 'OPEN'
      where i.id = any(${keys})
      group by i.id having (i.status = 'SUBMITTED') <> (count(t.*) = 1)`),
  ),
  {
    name: 'M13',
    message: 'Nothing was sent that is not stored, and no nonce is missing before one that waits',
    subject: whole,
    async check({ db, chain }) {
      const rows: BrokenRow[] = []
      for (const sender of senders) {
        const address = chain.relay.addressOf(sender)
        const minedNonce = await chain.relay.getNonce({ address, at: 'latest' })
        const stored = await db.maybeOne<{ nextNonce: bigint; waiting: bigint }>(sql`
          select s.next_nonce, (select count(*) from chain_transactions t where t.chain_id = s.chain_id
            and t.sender = s.address and t.nonce >= ${minedNonce}) as waiting
          from chain_signers s where s.chain_id = ${chain.facts.chainId} and s.address = ${address}`)
        if (stored && stored.nextNonce - BigInt(minedNonce) !== stored.waiting) {
          rows.push({ key: address, minedNonce, ...stored })
        }
      }
      return rows
    },
  },
]
