import { type Invariant, inDatabase } from '../../money/audit/invariant.ts'
import { sql } from '../../platform/db/sql.ts'

/** What subscriptions promise about money, for anyone to check at any moment. */
export const subscriptionInvariants: readonly Invariant[] = [
  inDatabase('M6', 'A period is paid once, and never with more than was allowed', (db) =>
    db.rows(sql`
      select u.subscription_id, u.period_start,
        count(*) filter (where u.kind <> 'UPGRADE')::int as pulls, sum(u.amount_micro) as "pulledMicro"
      from subscription_pulls u where u.status = 'SETTLED' group by u.subscription_id, u.period_start
      having count(*) filter (where u.kind <> 'UPGRADE') > 1 or sum(u.amount_micro) > (
        select max(p.price_micro) from spend_permissions p where p.subscription_id = u.subscription_id)`),
  ),
  inDatabase('M6', 'What the chain pulled through our permissions is what the books call settled', (db) =>
    db.rows(sql`
      select p.hash, settled.count::int as settled, used.count::int as used
      from spend_permissions p
      cross join lateral (select count(*) from subscription_pulls u
        where u.permission_hash = p.hash and u.status = 'SETTLED') settled
      cross join lateral (select count(*) from chain_events e
        where e.subject = p.hash and e.name = 'SpendPermissionUsed' and e.is_canonical) used
      where settled.count <> used.count`),
  ),
  inDatabase('M6', 'The journal has one entry for each settled pull', (db) =>
    db.rows(sql`
      select u.id, count(e.*)::int as entries from subscription_pulls u
      left join journal_entries e on e.intent_id = u.intent_id and e.kind = 'subscription.pull' and e.reverses is null
        and not exists (select 1 from journal_entries r where r.reverses = e.id)
      group by u.id having count(e.*) <> case when u.status = 'SETTLED' then 1 else 0 end`),
  ),
  inDatabase('M7', 'The price is the signed allowance', (db) =>
    db.rows(sql`
      select hash, price_micro from spend_permissions
      where price_micro <> (permission ->> 'allowance')::numeric`),
  ),
  inDatabase('M8', 'A permission belongs to a subscription of the owner who handed it in', (db) =>
    db.rows(sql`
      select p.hash from spend_permissions p join subscriptions s on s.id = p.subscription_id
      where s.owner_id <> p.owner_id`),
  ),
  inDatabase('M9', 'A subscription says what its newest settled pull has paid for', (db) =>
    db.rows(sql`
      select s.id, s.agent_quota, s.current_period_end from subscriptions s
      join spend_permissions p on p.hash = s.permission_hash
      where s.agent_quota is distinct from p.agent_quota or s.price_micro <> p.price_micro
        or s.current_period_end is distinct from (
          select to_timestamp(max(u.period_end)) from subscription_pulls u
          where u.subscription_id = s.id and u.status = 'SETTLED' and u.kind <> 'UPGRADE')`),
  ),
]
