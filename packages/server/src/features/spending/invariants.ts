import { daysThatDiffer, minutesThatDiffer } from '../../house/books/kept-days/comparing.ts'
import { daysOf, minutesOf } from '../../house/books/kept-days/subjects.ts'
import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { entries } from '../../money/audit/subjects.ts'
import { sql } from '../../platform/db/sql.ts'
import { spendingDays } from './kept/days.ts'

const days = daysOf('spending', spendingDays)
const minutes = minutesOf('spending of a minute', spendingDays)

export const spendingInvariants: readonly Invariant[] = [
  inDatabase(days, 'S1', 'What is kept of a day’s spending is what the journal shows', (db, keys) =>
    db.rows(daysThatDiffer(spendingDays, keys)),
  ),
  inDatabase(minutes, 'S3', 'What is kept of a minute’s spending is what the journal shows', (db, keys) =>
    db.rows(minutesThatDiffer(spendingDays, keys)),
  ),
  // Everything else about spending is read through these entries, so they are compared with the journal itself.
  inDatabase(
    entries,
    'S2',
    'What the journal has about an owner’s money is one entry of their spending, and nothing else is',
    (db, keys) =>
      db.rows(sql`
      select coalesce(posted.entry_id, listed.entry_id) as key, coalesce(posted.owner_id, listed.owner_id) as "ownerId",
        posted.entry_id is not null as "isPosted", listed.entry_id is not null as "isListed"
      from (
        select e.id as entry_id, e.at, e.seq, e.kind, coalesce(jobs.client_id, e.owner_id) as owner_id,
          coalesce(jobs.agent_id, '') as agent_id
        from journal_entries e left join jobs on jobs.id = e.job_id
        where e.id = any(${keys}) and e.reverses is null and coalesce(jobs.client_id, e.owner_id) is not null) posted
      full join (select * from spending_entries where entry_id = any(${keys})) listed
        on listed.entry_id = posted.entry_id and listed.owner_id = posted.owner_id and listed.agent_id = posted.agent_id
          and listed.at = posted.at and listed.seq = posted.seq and listed.kind = posted.kind
      where posted.entry_id is null or listed.entry_id is null`),
  ),
]
