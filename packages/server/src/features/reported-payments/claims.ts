import { type Account, claimedAccount, outsideAccount } from '../../money/books/accounts.ts'
import { postEntry, reverseEntry } from '../../money/books/journal.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { lockLog } from './store.ts'

/**
 * Claims: payments that the payee's own owner reports, before the chain shows them or although it never does. They stand
 * in the journal between two accounts that nobody holds: they are listed as earnings and count in no balance.
 */
const CLAIM = 'x402.claimed'

/** Names the record that a claim rests on. Earnings read there what became of it. */
const restingOn = (logId: string): Account => outsideAccount(`claim:${logId}`)

/** Once for each record, however often it is reported, and only while the chain has not shown it. */
export async function bookClaim(tx: Transaction, logId: string): Promise<void> {
  const row = await lockLog(tx, logId)
  const isToItself = row.payerWallet?.toLowerCase() === row.payeeWallet.toLowerCase()
  if (row.verification === 'VERIFIED' || isToItself) return
  const claims = await findClaims(tx, logId)
  if (claims.some(({ isStanding }) => isStanding)) return
  await postEntry(tx, {
    kind: CLAIM,
    at: row.createdAt,
    postings: [
      { account: claimedAccount(row.payeeWallet), amountMicro: row.amountMicro },
      { account: restingOn(logId), amountMicro: -row.amountMicro },
    ],
    reference: { agentId: row.agentId, ownerId: row.payeeOwnerId },
  })
}

/** The chain has shown the payment, and it is booked as such. */
export async function releaseClaim(tx: Transaction, logId: string): Promise<void> {
  for (const { id, isStanding } of await findClaims(tx, logId)) {
    if (isStanding) await reverseEntry(tx, id, 'verified on chain')
  }
}

/** The chain has taken the payment back: what was a claim before is one again. */
export async function restoreClaim(tx: Transaction, logId: string): Promise<void> {
  const claims = await findClaims(tx, logId)
  if (claims.length > 0) await bookClaim(tx, logId)
}

interface Claim {
  id: string
  isStanding: boolean
}

function findClaims(db: Queryable, logId: string): Promise<Claim[]> {
  return db.rows(sql`
    select e.id, not exists (select 1 from journal_entries r where r.reverses = e.id) as "isStanding"
    from journal_postings p join journal_entries e on e.id = p.entry_id
    where p.account = ${restingOn(logId)} and e.reverses is null`)
}
