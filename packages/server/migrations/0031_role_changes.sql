-- Changes of the escrow's roles are found by the role that they are about.
update chain_events set subject = args ->> 'role' where name in ('RoleProposed', 'RoleChanged') and subject is null;

-- The treasuries that took over before anyone looked are followed from now on.
insert into watched_wallets (address, account)
select distinct lower(args ->> 'current'), 'wallet:' || lower(args ->> 'current') from chain_events
where name = 'RoleChanged' and subject = 'treasury' and is_canonical
  and exists (select 1 from watched_wallets where account = 'treasury')
on conflict do nothing;
