import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { accounts } from '../../money/audit/subjects.ts'
import { owedAccount } from '../../money/books/accounts.ts'
import { sql } from '../../platform/db/sql.ts'

const OWED = owedAccount('')
const recipientsOf = (accounts: string[]): string[] =>
  accounts.filter((account) => account.startsWith(OWED)).map((account) => account.slice(OWED.length))

export const heldPaymentsInvariants: readonly Invariant[] = [
  inDatabase(
    accounts,
    'H1',
    'What is held for a recipient is what the books say that the escrow owes it',
    (db, keys) =>
      db.rows(sql`
      select 'owed:' || h.recipient as key, h.held_micro, owed.amount_micro from held_payments h
      cross join lateral (
        select coalesce(sum(p.amount_micro), 0) as amount_micro from journal_postings p
        where p.account = 'owed:' || h.recipient) owed
      where h.recipient = any(${recipientsOf(keys)}) and h.held_micro <> owed.amount_micro`),
  ),
]
