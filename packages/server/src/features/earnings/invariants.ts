import { type Invariant, inDatabase, type Subject } from '../../money/audit/invariant.ts'
import { readKeys } from '../../money/audit/keys.ts'
import { entries } from '../../money/audit/subjects.ts'
import { claimedAccount, walletAccount } from '../../money/books/accounts.ts'
import { sql } from '../../platform/db/sql.ts'
import { sumsOfDays } from './kept/days.ts'

/** Days of accounts, as `account day`. */
const days: Subject = {
  name: 'earnings',
  list: ({ db }, { after, limit }) => {
    const [account = '', day = '-infinity'] = after === '' ? [] : after.split(' ')
    return readKeys(
      db,
      sql`
      with recursive earned as (
        (select account, (at at time zone 'UTC')::date as day, 1 as place from earning_entries
          where (account, at) >= (${account}, (${day}::date + 1)::timestamp at time zone 'UTC')
          order by account, at limit 1)
        union all
        select next.account, (next.at at time zone 'UTC')::date, place + 1
        from earned cross join lateral (
          select e.account, e.at from earning_entries e
          where (e.account, e.at) >= (earned.account, (earned.day + 1)::timestamp at time zone 'UTC')
          order by e.account, e.at limit 1) next
        where place < ${limit}::int
      )
      select account || ' ' || day as key from (
        select account, day from earned
        union
        (select account, day from earning_days
          where (account, day) > (${account}, ${day}::date) order by account, day limit ${limit})) found
      order by account, day limit ${limit}`,
    )
  },
}

export const earningsInvariants: readonly Invariant[] = [
  inDatabase(days, 'E1', 'What is kept of a day’s earnings is what the journal shows', (db, keys) => {
    const chosen = sql`(select split_part(key, ' ', 1) as account, split_part(key, ' ', 2)::date as day
      from unnest(${keys}::text[]) key) chosen`
    return db.rows(sql`
      select coalesce(kept.account, now.account) || ' ' || coalesce(kept.day, now.day) as key,
        kept.count as "keptCount", now.count, kept.net_micro as "keptMicro", now.net_micro
      from (select d.* from ${chosen} join earning_days d on d.account = chosen.account and d.day = chosen.day) kept
      full join (${sumsOfDays(chosen)}) now
        on now.account = kept.account and now.day = kept.day and now.source = kept.source
          and now.service_id = kept.service_id and now.has_job = kept.has_job
      where (kept.count, kept.net_micro, kept.fee_micro, kept.unverified_micro)
        is distinct from (now.count, now.net_micro, now.fee_micro, now.unverified_micro)
        and not exists (select 1 from earning_days_due due
          where due.account = coalesce(kept.account, now.account) and due.day = coalesce(kept.day, now.day))`)
  }),
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
        select e.id as entry_id, e.at, e.seq, p.account from journal_entries e
        join journal_postings p on p.entry_id = e.id
        where e.id = any(${keys}) and e.reverses is null and p.amount_micro > 0
          and (starts_with(p.account, ${walletAccount('')}) or starts_with(p.account, ${claimedAccount('')}))) posted
      full join (select * from earning_entries where entry_id = any(${keys})) listed
        on listed.entry_id = posted.entry_id and listed.account = posted.account and listed.at = posted.at
          and listed.seq = posted.seq
      where posted.entry_id is null or listed.entry_id is null`),
  ),
]
