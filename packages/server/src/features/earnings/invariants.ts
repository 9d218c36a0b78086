import { daysThatDiffer, minutesThatDiffer } from '../../house/books/kept-days/comparing.ts'
import { daysOf, minutesOf } from '../../house/books/kept-days/subjects.ts'
import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { entries } from '../../money/audit/subjects.ts'
import { claimedAccount, walletAccount } from '../../money/books/accounts.ts'
import { sql } from '../../platform/db/sql.ts'
import { earningDays } from './kept/days.ts'

const days = daysOf('earnings', earningDays)
const minutes = minutesOf('earnings of a minute', earningDays)

export const earningsInvariants: readonly Invariant[] = [
  inDatabase(days, 'E1', 'What is kept of a day’s earnings is what the journal shows', (db, keys) =>
    db.rows(daysThatDiffer(earningDays, keys)),
  ),
  inDatabase(minutes, 'E3', 'What is kept of a minute’s earnings is what the journal shows', (db, keys) =>
    db.rows(minutesThatDiffer(earningDays, keys)),
  ),
  // Everything else about earnings is read through these entries, so they are compared with the journal itself.
  inDatabase(
    entries,
    'E2',
    'What came into a wallet, or is claimed to have, is one entry of its earnings, and nothing else is',
    (db, keys) =>
      db.rows(sql`
      select coalesce(posted.entry_id, listed.entry_id) as key, coalesce(posted.account, listed.account) as account,
        posted.entry_id is not null as "isPosted", listed.entry_id is not null as "isListed"
      from (
        select e.id as entry_id, e.at, e.seq, e.kind, p.account, p.amount_micro,
          exists (select from journal_entries r where r.reverses = e.id) as is_reversed
        from journal_entries e
        join journal_postings p on p.entry_id = e.id
        where e.id = any(${keys}) and e.reverses is null and p.amount_micro > 0
          and (starts_with(p.account, ${walletAccount('')}) or starts_with(p.account, ${claimedAccount('')}))) posted
      full join (select * from earning_entries where entry_id = any(${keys})) listed
        on listed.entry_id = posted.entry_id and listed.account = posted.account and listed.at = posted.at
          and listed.seq = posted.seq and listed.kind = posted.kind
          and listed.is_reversed = posted.is_reversed and listed.amount_micro = posted.amount_micro
      where posted.entry_id is null or listed.entry_id is null`),
  ),
]
