-- The kept sums of what was posted before there were triggers that follow it. No table is locked meanwhile. Each statement
-- sees one moment: a posting that the triggers have seen is there together with what they wrote.

-- What was posted since the triggers are there waits in `unfolded_postings`, and is not in the balances yet.
with posted as (
  select account, amount_micro from journal_postings
  union all
  select account, -amount_micro from unfolded_postings
)
insert into account_balances (account, amount_micro)
select account, sum(amount_micro) from (
  select account, amount_micro from posted
  union all
  select split_part(account, ':', 1) || ':', amount_micro from posted
  where account like 'escrow:%' or account like 'owed:%') posting
group by account having sum(amount_micro) <> 0;

insert into earning_entries (account, at, seq, entry_id)
select p.account, e.at, e.seq, e.id from journal_postings p join journal_entries e on e.id = p.entry_id
where p.amount_micro > 0 and e.reverses is null and (p.account like 'wallet:%' or p.account like 'claimed:%')
on conflict do nothing;
insert into earning_days_due (account, day)
select distinct account, (at at time zone 'UTC')::date from earning_entries;
