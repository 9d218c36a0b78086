-- A wallet is public by the sellers whom its people have paid. Orders that were never paid, or that were refunded, made some
-- wallets public as well: those are so no longer, and everybody around them is scored again.
with gone as (
  delete from public_wallets w where 10 > (
    select count(distinct j.seller_id) from wallet_flows f
      join owners o on lower(o.wallet_address) = f.to_wallet
      join jobs j on j.client_id = o.id and j.counts
    where f.from_wallet = w.wallet and case when j.payment_method = 'ESCROW'
      then coalesce(j.escrow_facts ->> 'sellerGross', '0') <> '0'
      else j.refund_state is distinct from 'CONFIRMED'
        and exists (select 1 from job_events paid where paid.job_id = j.id and paid.type = 'JOB_FUNDED') end)
  returning wallet
)
select score_around(wallet) from gone;
