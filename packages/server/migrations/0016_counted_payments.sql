-- A logged payment that the chain shows counts toward its agent's reputation, unless it belongs to a job, which counts
-- already, or comes from the agent's own owner. The row says so itself: a fork takes back exactly what was counted.
alter table x402_transactions add column counted boolean not null default false;

update x402_transactions logged set counted = true
where verification = 'VERIFIED'
  and lower(payer_wallet) <> lower(payee_wallet)
  and exists (
    select 1 from journal_entries e
    where e.chain_id = logged.chain_id and e.tx_hash = logged.tx_key and e.log_index = logged.log_index
      and e.reverses is null and e.job_id is null
      and not exists (select 1 from journal_entries r where r.reverses = e.id))
  and not exists (
    select 1 from owners where id = logged.payee_owner_id and lower(wallet_address) = lower(logged.payer_wallet))
  and not exists (
    select 1 from agents
    where owner_id = logged.payee_owner_id and lower(wallet_address) = lower(logged.payer_wallet));

update agents set
  verified_x402_payments = verified_x402_payments + sums.count,
  total_earned_micro = total_earned_micro + sums.earned_micro
from (
  select agent_id, count(*)::integer as count, sum(amount_micro)::bigint as earned_micro
  from x402_transactions where counted group by agent_id) sums
where agents.id = sums.agent_id;
