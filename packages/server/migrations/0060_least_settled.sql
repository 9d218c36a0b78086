-- What is worth less than the gas of its settlement is not settled for those without an account, so it is not listed either.
insert into agent_counts as counts (category_key, payable_count)
select category_key, -count(*) from agents cross join payable_services_in(agents.services) payable
where listed and (payable.service ->> 'priceMicro')::numeric < 1000 group by category_key order by category_key
on conflict (category_key) do update set payable_count = counts.payable_count + excluded.payable_count;

delete from payable_services offered using agents
where agents.id = offered.agent_id and exists (
  select 1 from payable_services_in(agents.services) payable
  where payable.service_id = offered.service_id and (payable.service ->> 'priceMicro')::numeric < 1000);

create or replace function payable_services_in(services jsonb)
returns table (service_id text, "position" integer, service jsonb)
language sql immutable parallel safe as $$
  select service ->> 'id', place::integer, service
  from jsonb_array_elements(services) with ordinality as offered (service, place)
  where (service ->> 'x402Enabled')::boolean and (service ->> 'priceMicro')::numeric between 1000 and 99999999
$$;
