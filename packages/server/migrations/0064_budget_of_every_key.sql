-- A process from before 0061 makes keys without a budget, for as long as it still runs beside newer ones: such a key gets the
-- budget that keys from before have, without caps.
create function give_budget() returns trigger language plpgsql as $$
begin
  insert into budgets (id, owner_id, created_at) values (new.id, new.owner_id, new.created_at)
  on conflict (id) do nothing;
  return null;
end $$;
create trigger api_keys_budget after insert on api_keys for each row execute function give_budget();

insert into budgets (id, owner_id, created_at) select id, owner_id, created_at from api_keys
on conflict (id) do nothing;
