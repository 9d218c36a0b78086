import type { SubscriptionPlan } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { type DuePlace, isAfter } from '../../platform/queue/due-work.ts'

export type StoredStatus = 'TRIALING' | 'ACTIVE' | 'PAST_DUE' | 'CANCELED' | 'FAILED'

export interface SubscriptionRow {
  id: string
  ownerId: string
  plan: SubscriptionPlan
  status: StoredStatus
  permissionHash: string
  agentQuota: number | null
  priceMicro: bigint
  currentPeriodEnd: Date | null
  lastPullAt: Date | null
  nextPullAt: Date | null
  pastDueSince: Date | null
  accessEndedAt: Date | null
  createdAt: Date
  /** The account that the permission draws on. */
  account: string
}

const columns = sql`s.id, s.owner_id, s.plan, s.status, s.permission_hash, s.agent_quota, s.price_micro,
  s.current_period_end, s.last_pull_at, s.next_pull_at, s.past_due_since, s.access_ended_at, s.created_at,
  p.permission ->> 'account' as account`
const source = sql`subscriptions s join spend_permissions p on p.hash = s.permission_hash`
const isLive = sql`s.status in ('TRIALING', 'ACTIVE', 'PAST_DUE')`

export async function insertSubscription(
  tx: Queryable,
  row: Pick<
    SubscriptionRow,
    'id' | 'ownerId' | 'plan' | 'permissionHash' | 'agentQuota' | 'priceMicro' | 'nextPullAt' | 'createdAt'
  >,
): Promise<void> {
  await tx.run(sql`
    insert into subscriptions (id, owner_id, plan, status, permission_hash, agent_quota, price_micro, next_pull_at,
      created_at)
    values (${row.id}, ${row.ownerId}, ${row.plan}, 'TRIALING', ${row.permissionHash}, ${row.agentQuota},
      ${row.priceMicro}, ${row.nextPullAt}, ${row.createdAt})`)
}

export function readSubscription(db: Queryable, id: string): Promise<SubscriptionRow> {
  return db.one(sql`select ${columns} from ${source} where s.id = ${id}`)
}

export function findLive(
  db: Queryable,
  ownerId: string,
  plan: SubscriptionPlan,
): Promise<SubscriptionRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from ${source} where s.owner_id = ${ownerId} and s.plan = ${plan} and ${isLive}`)
}

/** The one to show: of the plan asked for, else AGENT_QUOTA, else the newest; live ones before cancelled ones. */
export function findCurrent(
  db: Queryable,
  { ownerId, plan, now }: { ownerId: string; plan: SubscriptionPlan | undefined; now: Date },
): Promise<SubscriptionRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from ${source}
    where s.owner_id = ${ownerId} and s.plan = coalesce(${plan ?? null}, s.plan)
      and (${isLive} or s.status = 'CANCELED' and s.current_period_end > ${now})
    order by s.plan = 'AGENT_QUOTA' desc, ${isLive} desc, s.created_at desc, s.id desc limit 1`)
}

/** The one to show of each plan. */
export function listCurrent(db: Queryable, ownerId: string, now: Date): Promise<SubscriptionRow[]> {
  return db.rows(sql`
    select distinct on (s.plan) ${columns} from ${source}
    where s.owner_id = ${ownerId} and (${isLive} or s.status = 'CANCELED' and s.current_period_end > ${now})
    order by s.plan, ${isLive} desc, s.created_at desc, s.id desc`)
}

export type SubscriptionState = Pick<
  SubscriptionRow,
  | 'status'
  | 'permissionHash'
  | 'agentQuota'
  | 'priceMicro'
  | 'currentPeriodEnd'
  | 'lastPullAt'
  | 'nextPullAt'
  | 'pastDueSince'
>

export async function saveState(tx: Queryable, id: string, state: SubscriptionState): Promise<void> {
  await tx.run(sql`
    update subscriptions set status = ${state.status}, permission_hash = ${state.permissionHash},
      agent_quota = ${state.agentQuota}, price_micro = ${state.priceMicro},
      current_period_end = ${state.currentPeriodEnd}, last_pull_at = ${state.lastPullAt},
      next_pull_at = ${state.nextPullAt}, past_due_since = ${state.pastDueSince}, access_ended_at = null
    where id = ${id}`)
}

export async function saveAccessEnded(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.run(sql`update subscriptions set access_ended_at = ${now} where id = ${id}`)
}

/** A subscription whose time has come, and whose it is. */
export interface DueSubscription extends DuePlace {
  ownerId: string
}

interface DuePage {
  now: Date
  after: DuePlace | undefined
  limit: number
}

/** For an order in which subscriptions without a time come last. */
const pullAt = sql`coalesce(s.next_pull_at, 'infinity')`
const endAt = sql`coalesce(s.current_period_end, 'infinity')`

/** Live ones without a pull under way that have come to a pull, to the end of their permission or of patience. */
export function listDue(
  db: Queryable,
  { now, gaveUpBefore, after, limit }: DuePage & { gaveUpBefore: Date },
): Promise<DueSubscription[]> {
  return db.rows(sql`
    select s.id, s.owner_id, ${pullAt}::text as at from subscriptions s
    where ${isLive} and (s.next_pull_at <= ${now} or s.past_due_since <= ${gaveUpBefore}
        or s.next_pull_at is null and s.past_due_since is null and s.current_period_end <= ${now})
      and not exists (
        select 1 from subscription_pulls u where u.subscription_id = s.id and u.status = 'PENDING')
      and ${isAfter(pullAt, sql`s.id`, after)}
    order by s.next_pull_at, s.id limit ${limit}`)
}

/** The first time after this one at which one of them comes to a pull, or to the end of access or of patience. */
export async function findNextDue(
  db: Queryable,
  { after, giveUpSeconds }: { after: Date; giveUpSeconds: number },
): Promise<Date | undefined> {
  const { at } = await db.one<{ at: Date | null }>(sql`
    select min(due.at) as at from subscriptions s cross join lateral (values
      (case when ${isLive} then s.next_pull_at end),
      (case when ${isLive} then s.past_due_since + make_interval(secs => ${giveUpSeconds}::float8) end),
      (case when ${isLive} or s.access_ended_at is null then s.current_period_end end)) as due (at)
    where due.at > ${after}`)
  return at ?? undefined
}

export function listEnding(db: Queryable, { now, after, limit }: DuePage): Promise<DueSubscription[]> {
  return db.rows(sql`
    select s.id, s.owner_id, ${endAt}::text as at from subscriptions s
    where s.status = 'CANCELED' and s.access_ended_at is null
      and (s.current_period_end is null or s.current_period_end <= ${now})
      and ${isAfter(endAt, sql`s.id`, after)}
    order by s.current_period_end, s.id limit ${limit}`)
}
