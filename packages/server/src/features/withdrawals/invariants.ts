import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { sql } from '../../platform/db/sql.ts'

/** What withdrawals promise, for anyone to check at any moment. */
export const withdrawalInvariants: readonly Invariant[] = [
  inDatabase(
    'M10',
    'A confirmed withdrawal or refund has one standing entry of its amount, and no other has any',
    (db) =>
      db.rows(sql`
      select coalesce(w.id, e.id) as id, w.amount_micro, e.entries, e.moved as "movedMicro"
      from (select * from withdrawals where outcome = 'CONFIRMED') w
      full join (
        select split_part(i.key, ':', 2) as id, count(*)::int as entries, sum(p.amount_micro) as moved
        from journal_entries e join intents i on i.id = e.intent_id
        join journal_postings p on p.entry_id = e.id and p.amount_micro > 0
        where e.kind in ('withdrawal', 'x402.refund') and e.reverses is null
          and not exists (select 1 from journal_entries r where r.reverses = e.id)
        group by 1
      ) e on e.id = w.id
      where w.id is null or e.id is null or e.entries <> 1 or e.moved <> w.amount_micro`),
  ),
  inDatabase('M10', 'What is set aside for a withdrawal follows its outcome', (db) =>
    db.rows(sql`
      select w.id, w.outcome, s.status, s.amount_micro as "reservedMicro", w.amount_micro
      from withdrawals w join agent_spends s on s.id = w.id
      where s.amount_micro <> w.amount_micro or s.agent_id <> w.agent_id or s.status <>
        case w.outcome when 'CONFIRMED' then 'SPENT' when 'FAILED' then 'RELEASED' else 'RESERVED' end`),
  ),
  inDatabase(
    'M13',
    'A refunded job has given its payer its price once, and no other job has given any',
    (db) =>
      db.rows(sql`
      select coalesce(jobs.id, w.job_id) as id, jobs.refund_state as state, w.amount_micro, w.to_address as "to"
      from (select * from jobs where refund_state = 'CONFIRMED') jobs
      full join (select * from withdrawals where job_id is not null and outcome = 'CONFIRMED') w on w.job_id = jobs.id
      where jobs.id is null or w.id is null or w.amount_micro <> jobs.price_micro
        or lower(w.to_address) <> lower(jobs.payer_wallet) or jobs.status <> 'CANCELLED'`),
  ),
  inDatabase('M13', 'A job waits for a refund while one is under way, and only then', (db) =>
    db.rows(sql`
      select coalesce(jobs.id, w.job_id) as id, jobs.refund_state as state, w.id as "refundId"
      from (select * from jobs where refund_state = 'PENDING') jobs
      full join (select * from withdrawals where job_id is not null and outcome is null) w on w.job_id = jobs.id
      where jobs.id is null or w.id is null`),
  ),
]
