import { jobs } from '../../house/books/subjects.ts'
import { type Invariant, inDatabase, type Subject } from '../../money/audit/invariant.ts'
import { keysBy, rowsOf } from '../../money/audit/keys.ts'
import { entries } from '../../money/audit/subjects.ts'
import { isStanding } from '../../money/books/standing.ts'
import { sql } from '../../platform/db/sql.ts'

const withdrawals: Subject = {
  name: 'withdrawal',
  list: rowsOf('withdrawals', 'id'),
  follows: {
    intent: keysBy(
      (keys) =>
        sql`select split_part(key, ':', 2) as key from intents where id = any(${keys}) and key like 'withdrawal:%'`,
    ),
  },
}

const standing = isStanding(sql`e`)
/** Written as in the index of refunds by their job, so that it is used. */
const notFailed = sql`outcome is distinct from 'FAILED'`

/** What withdrawals promise, for anyone to check at any moment. */
export const withdrawalInvariants: readonly Invariant[] = [
  inDatabase(
    withdrawals,
    'M10',
    'A confirmed withdrawal or refund has one standing entry of its amount, and no other has any',
    // The offset keeps the planner from reading the whole journal for each withdrawal where few entries are of one.
    (db, keys) =>
      db.rows(sql`
      select w.id as key, w.outcome, w.amount_micro, e.entries, e.moved as "movedMicro"
      from withdrawals w cross join lateral (
        select count(*)::int as entries, sum(p.amount_micro) as moved
        from generate_series(1, w.attempts) attempt
        join intents i on i.key = 'withdrawal:' || w.id || ':' || attempt
        cross join lateral (select * from journal_entries where intent_id = i.id offset 0) e
        join journal_postings p on p.entry_id = e.id and p.amount_micro > 0
        where e.kind in ('withdrawal', 'x402.refund') and ${standing}) e
      where w.id = any(${keys}) and case when w.outcome = 'CONFIRMED'
        then e.entries <> 1 or e.moved <> w.amount_micro else e.entries > 0 end`),
  ),
  inDatabase(
    entries,
    'M10',
    'Every standing entry of a withdrawal or refund is of one that is known',
    (db, keys) =>
      db.rows(sql`
      select e.id as key, e.kind, i.key as intent from journal_entries e left join intents i on i.id = e.intent_id
      where e.id = any(${keys}) and e.kind in ('withdrawal', 'x402.refund') and ${standing}
        and not exists (select 1 from withdrawals w where w.id = split_part(i.key, ':', 2))`),
  ),
  inDatabase(withdrawals, 'M10', 'What is set aside for a withdrawal follows its outcome', (db, keys) =>
    db.rows(sql`
      select w.id as key, w.outcome, s.status, s.amount_micro as "reservedMicro", w.amount_micro
      from withdrawals w join agent_spends s on s.id = w.id
      where w.id = any(${keys}) and (s.amount_micro <> w.amount_micro or s.agent_id <> w.agent_id or s.status <>
        case w.outcome when 'CONFIRMED' then 'SPENT' when 'FAILED' then 'RELEASED' else 'RESERVED' end)`),
  ),
  inDatabase(
    jobs,
    'M13',
    'A refunded job has given its payer its price once, and no other job has given any',
    (db, keys) =>
      db.rows(sql`
      select coalesce(jobs.id, w.job_id) as key, jobs.refund_state as state, w.amount_micro, w.to_address as "to"
      from (select * from jobs where id = any(${keys}) and refund_state = 'CONFIRMED') jobs
      full join (select * from withdrawals where job_id = any(${keys})
        and ${notFailed} and outcome = 'CONFIRMED') w on w.job_id = jobs.id
      where jobs.id is null or w.id is null or w.amount_micro <> jobs.price_micro
        or lower(w.to_address) <> lower(jobs.payer_wallet) or jobs.status <> 'CANCELLED'`),
  ),
  inDatabase(jobs, 'M13', 'A job waits for a refund while one is under way, and only then', (db, keys) =>
    db.rows(sql`
      select coalesce(jobs.id, w.job_id) as key, jobs.refund_state as state, w.id as "refundId"
      from (select * from jobs where id = any(${keys}) and refund_state = 'PENDING') jobs
      full join (select * from withdrawals where job_id = any(${keys})
        and ${notFailed} and outcome is null) w on w.job_id = jobs.id
      where jobs.id is null or w.id is null`),
  ),
]
