import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { sql } from '../../platform/db/sql.ts'

export const heldPaymentsInvariants: readonly Invariant[] = [
  inDatabase('H1', 'What is held for a recipient is what the books say that the escrow owes it', (db) =>
    db.rows(sql`
      select h.recipient, h.held_micro, owed.amount_micro from held_payments h
      cross join lateral (
        select coalesce(sum(p.amount_micro), 0) as amount_micro from journal_postings p
        where p.account = 'owed:' || h.recipient) owed
      where h.held_micro <> owed.amount_micro`),
  ),
]
