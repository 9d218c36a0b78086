-- What the escrow could not push to a recipient, because the token refuses it, and holds until somebody claims it.
create table held_payments (
  recipient text primary key check (recipient = lower(recipient)),
  held_micro bigint not null check (held_micro >= 0),
  -- Claims that were refused since the last payment came in.
  attempts integer not null default 0,
  -- When it is claimed next; null while a claim is under way and when nothing is held.
  next_try_at timestamptz
);
create index held_payments_due on held_payments (next_try_at) where next_try_at is not null;

insert into held_payments (recipient, held_micro, next_try_at)
select substr(account, 6), sum(amount_micro), now() from journal_postings
where account like 'owed:%' group by account having sum(amount_micro) > 0;
