-- Payments to or from the platform's own addresses were booked to a wallet account of the same address, while their money
-- is followed under the platform's account. One entry for each such address brings it where it belongs.
with misplaced as (
  select w.address, w.account, sum(p.amount_micro) as amount, 'j' || md5('misplaced:' || w.address) as entry_id
  from watched_wallets w join journal_postings p on p.account = 'wallet:' || w.address
  where w.account <> 'wallet:' || w.address
  group by w.address, w.account having sum(p.amount_micro) <> 0
), entries as (
  insert into journal_entries (id, kind, at, reason)
  select entry_id, 'correction', now(), 'booked to the wallet account of a platform address' from misplaced
)
insert into journal_postings (entry_id, account, amount_micro)
select entry_id, 'wallet:' || address, -amount from misplaced
union all
select entry_id, account, amount from misplaced;
