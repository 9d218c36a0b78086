import { daysNamedBy, daysOf } from '../../house/books/kept-days-subject.ts'
import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { entries } from '../../money/audit/subjects.ts'
import { sql } from '../../platform/db/sql.ts'
import { spendingDays, sumsOfDays } from './kept/days.ts'

const days = daysOf('spending', spendingDays)

export const spendingInvariants: readonly Invariant[] = [
  inDatabase(days, 'S1', 'What is kept of a day’s spending is what the journal shows', (db, keys) => {
    const chosen = daysNamedBy(keys, spendingDays)
    return db.rows(sql`
      select coalesce(kept.owner_id, now.owner_id) || ' ' || coalesce(kept.day, now.day) as key,
        kept.count as "keptCount", now.count, kept.paid_micro as "keptPaidMicro", now.paid_micro,
        kept.refunded_micro as "keptRefundedMicro", now.refunded_micro
      from (select d.* from ${chosen} join spending_days d on d.owner_id = chosen.owner_id and d.day = chosen.day) kept
      full join (${sumsOfDays(chosen)}) now
        on now.owner_id = kept.owner_id and now.day = kept.day and now.kind = kept.kind
          and now.agent_id = kept.agent_id and now.since = kept.since
      where (kept.count, kept.paid_micro, kept.refunded_micro)
        is distinct from (now.count, now.paid_micro, now.refunded_micro)
        and not exists (select 1 from spending_days_due due
          where due.owner_id = coalesce(kept.owner_id, now.owner_id) and due.day = coalesce(kept.day, now.day))`)
  }),
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
        select e.id as entry_id, e.at, e.seq, coalesce(jobs.client_id, e.owner_id) as owner_id,
          coalesce(jobs.agent_id, '') as agent_id
        from journal_entries e left join jobs on jobs.id = e.job_id
        where e.id = any(${keys}) and e.reverses is null and coalesce(jobs.client_id, e.owner_id) is not null) posted
      full join (select * from spending_entries where entry_id = any(${keys})) listed
        on listed.entry_id = posted.entry_id and listed.owner_id = posted.owner_id and listed.agent_id = posted.agent_id
          and listed.at = posted.at and listed.seq = posted.seq
      where posted.entry_id is null or listed.entry_id is null`),
  ),
]
