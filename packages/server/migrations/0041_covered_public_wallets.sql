-- A wallet is public by what people paid with its money: ten sellers, each of whom got 5 USDC or more from buyers whom the
-- wallet funded with at least half of what they paid. Dust and small change made some wallets public as well: those are so
-- no longer, and everybody around them is scored again.
with funded as (
  select w.wallet, o.id as client_id, sum(f.amount_micro) as amount
  from public_wallets w
    join wallet_flows f on f.from_wallet = w.wallet
    join owners o on lower(o.wallet_address) = f.to_wallet
  group by w.wallet, o.id
), paid as (
  select j.client_id, j.seller_id, sum(j.price_micro) as amount,
    sum(sum(j.price_micro)) over (partition by j.client_id) as total
  from jobs j
  where j.client_id in (select client_id from funded) and j.counts and case when j.payment_method = 'ESCROW'
    then coalesce(j.escrow_facts ->> 'sellerGross', '0') <> '0'
    else j.refund_state is distinct from 'CONFIRMED'
      and exists (select 1 from job_events p where p.job_id = j.id and p.type = 'JOB_FUNDED') end
  group by j.client_id, j.seller_id
), reached as (
  select funded.wallet, paid.seller_id from funded join paid using (client_id)
  where funded.amount * 100 >= paid.total * 50
  group by funded.wallet, paid.seller_id having sum(paid.amount) >= 5000000
), gone as (
  delete from public_wallets w where 10 > (select count(*) from reached where reached.wallet = w.wallet)
  returning wallet
)
select score_around(wallet) from gone;
