import { type Invariant, inDatabase, type Subject } from '../../money/audit/invariant.ts'
import { keysBy, rowsOf } from '../../money/audit/keys.ts'
import { isStanding } from '../../money/books/standing.ts'
import { sql } from '../../platform/db/sql.ts'

const subscriptions: Subject = {
  name: 'subscription',
  list: rowsOf('subscriptions', 'id'),
  follows: {
    entry: keysBy(
      (keys) => sql`
        select distinct subscription_id as key from journal_entries
        where id = any(${keys}) and subscription_id is not null`,
    ),
  },
}

const permissions: Subject = {
  name: 'permission',
  list: rowsOf('spend_permissions', 'hash'),
  follows: {
    subscription: keysBy(
      (keys) => sql`select hash as key from spend_permissions where subscription_id = any(${keys})`,
    ),
    transaction: keysBy(
      (keys) => sql`
        select distinct v.subject as key from chain_cursors c
        join chain_events v on v.chain_id = c.chain_id and v.tx_hash = any(${keys})
        where v.name = 'SpendPermissionUsed'`,
    ),
  },
}

/** What subscriptions promise about money, for anyone to check at any moment. */
export const subscriptionInvariants: readonly Invariant[] = [
  inDatabase(subscriptions, 'M6', 'A period is paid once, and never with more than was allowed', (db, keys) =>
    db.rows(sql`
      select u.subscription_id as key, u.period_start,
        count(*) filter (where u.kind <> 'UPGRADE')::int as pulls, sum(u.amount_micro) as "pulledMicro"
      from subscription_pulls u where u.subscription_id = any(${keys}) and u.status = 'SETTLED'
      group by u.subscription_id, u.period_start
      having count(*) filter (where u.kind <> 'UPGRADE') > 1 or sum(u.amount_micro) > (
        select max(p.price_micro) from spend_permissions p where p.subscription_id = u.subscription_id)`),
  ),
  inDatabase(
    permissions,
    'M6',
    'What the chain pulled through our permissions is what the books call settled',
    (db, keys) =>
      db.rows(sql`
      select p.hash as key, settled.count::int as settled, used.count::int as used
      from spend_permissions p
      cross join lateral (select count(*) from subscription_pulls u
        where u.permission_hash = p.hash and u.status = 'SETTLED') settled
      cross join lateral (select count(*) from chain_events e
        where e.subject = p.hash and e.name = 'SpendPermissionUsed' and e.is_canonical) used
      where p.hash = any(${keys}) and settled.count <> used.count`),
  ),
  inDatabase(subscriptions, 'M6', 'The journal has one entry for each settled pull', (db, keys) =>
    db.rows(sql`
      select u.subscription_id as key, u.id, count(e.*)::int as entries from subscription_pulls u
      -- The offset keeps the planner from reading the whole journal where few entries are of a subscription.
      left join lateral (select * from journal_entries where intent_id = u.intent_id offset 0) e
        on e.kind = 'subscription.pull' and ${isStanding(sql`e`)}
      where u.subscription_id = any(${keys})
      group by u.id having count(e.*) <> case when u.status = 'SETTLED' then 1 else 0 end`),
  ),
  inDatabase(permissions, 'M7', 'The price is the signed allowance', (db, keys) =>
    db.rows(sql`
      select hash as key, price_micro from spend_permissions
      where hash = any(${keys}) and price_micro <> (permission ->> 'allowance')::numeric`),
  ),
  inDatabase(
    permissions,
    'M8',
    'A permission belongs to a subscription of the owner who handed it in',
    (db, keys) =>
      db.rows(sql`
      select p.hash as key from spend_permissions p join subscriptions s on s.id = p.subscription_id
      where p.hash = any(${keys}) and s.owner_id <> p.owner_id`),
  ),
  inDatabase(
    subscriptions,
    'M9',
    'A subscription says what its newest settled pull has paid for',
    (db, keys) =>
      db.rows(sql`
      select s.id as key, s.agent_quota, s.current_period_end from subscriptions s
      join spend_permissions p on p.hash = s.permission_hash
      where s.id = any(${keys}) and (s.agent_quota is distinct from p.agent_quota or s.price_micro <> p.price_micro
        or s.current_period_end is distinct from (
          select to_timestamp(max(u.period_end)) from subscription_pulls u
          where u.subscription_id = s.id and u.status = 'SETTLED' and u.kind <> 'UPGRADE'))`),
  ),
]
