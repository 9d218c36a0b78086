-- Payments outside of jobs follow the transfer graph like jobs: who made them is traced, and they make the score due.
create function follow_reported_payment() returns trigger language plpgsql as $$
begin
  perform score_again(array[id]) from agents where id = new.agent_id;
  if new.counted and new.payer_wallet is not null then
    perform trace_wallets(array[new.payer_wallet]);
  end if;
  return null;
end $$;
create trigger x402_transactions_score after update of counted, verification on x402_transactions for each row
  when ((old.counted, old.verification) is distinct from (new.counted, new.verification))
  execute function follow_reported_payment();

create index x402_transactions_payer on x402_transactions (lower(payer_wallet)) where payer_wallet is not null;
create or replace function score_around(start text) returns void language sql as $$
  with first as (
    select distinct to_wallet as wallet from wallet_flows where from_wallet = start limit 200
  ), second as (
    select distinct f.to_wallet as wallet from first join wallet_flows f on f.from_wallet = first.wallet limit 1000
  ), reached as (
    select start as wallet union select wallet from first union select wallet from second
  ), people as (
    select o.id from reached r join owners o on lower(o.wallet_address) = r.wallet
    union
    select a.owner_id from reached r join agents a on lower(a.wallet_address) = r.wallet
  )
  select score_again(array_agg(touched.id)) from (
    select j.agent_id as id from people join jobs j on j.client_id = people.id
    union
    select a.id from people join agents a on a.owner_id = people.id where a.scored_at is not null
    union
    select j.agent_id from reached r join x402_payments p on lower(p.payer) = r.wallet and p.purpose = 'job'
      join jobs j on j.id = p.reference
    union
    select a.id from reached r join x402_transactions t on lower(t.payer_wallet) = r.wallet and t.payer_wallet is not null
      join agents a on a.id = t.agent_id) touched
  having count(*) > 0
$$;

select trace_wallets(array_agg(payer_wallet)) from x402_transactions
where counted and payer_wallet is not null and amount_micro >= 100000;
insert into agent_scores_due (agent_id)
select distinct agents.id from x402_transactions join agents on agents.id = x402_transactions.agent_id where counted
on conflict do nothing;
