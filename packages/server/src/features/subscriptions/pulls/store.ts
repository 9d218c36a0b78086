import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

export type PullKind = 'FIRST' | 'RENEWAL' | 'UPGRADE'

export interface PullRow {
  id: string
  subscriptionId: string
  ownerId: string
  permissionHash: string
  kind: PullKind
  periodStart: bigint
  periodEnd: bigint
  amountMicro: bigint
  status: 'PENDING' | 'SETTLED' | 'FAILED'
  reason: string | null
  intentId: string
}

const columns = sql`u.id, u.subscription_id, s.owner_id, u.permission_hash, u.kind, u.period_start, u.period_end,
  u.amount_micro, u.status, u.reason, u.intent_id`
const source = sql`subscription_pulls u join subscriptions s on s.id = u.subscription_id`

export async function insertPull(
  tx: Queryable,
  row: Omit<PullRow, 'ownerId' | 'status' | 'reason'> & { createdAt: Date },
): Promise<void> {
  await tx.run(sql`
    insert into subscription_pulls (id, subscription_id, permission_hash, kind, period_start, period_end, amount_micro,
      intent_id, created_at)
    values (${row.id}, ${row.subscriptionId}, ${row.permissionHash}, ${row.kind}, ${row.periodStart},
      ${row.periodEnd}, ${row.amountMicro}, ${row.intentId}, ${row.createdAt})`)
}

export function readPull(db: Queryable, id: string): Promise<PullRow> {
  return db.one(sql`select ${columns} from ${source} where u.id = ${id}`)
}

/** The pull that a permission was first handed in for; none when it begins later. */
export function findOrderedPull(db: Queryable, permissionHash: string): Promise<PullRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from ${source} where u.permission_hash = ${permissionHash} and u.kind <> 'RENEWAL'
    order by u.created_at limit 1`)
}

export async function hasPendingPull(db: Queryable, subscriptionId: string): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as found from subscription_pulls where subscription_id = ${subscriptionId} and status = 'PENDING'`)
  return row !== undefined
}

/** How many pulls were tried for a period: the number of the next attempt. */
export async function countPulls(
  db: Queryable,
  { subscriptionId, periodStart }: { subscriptionId: string; periodStart: number },
): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) from subscription_pulls
    where subscription_id = ${subscriptionId} and period_start = ${periodStart}`)
  return Number(count)
}

/** What upgrades have charged in a period: the chain counts it toward the period's allowance. */
export async function sumUpgrades(
  db: Queryable,
  { subscriptionId, periodStart }: { subscriptionId: string; periodStart: number },
): Promise<bigint> {
  const { sum } = await db.one<{ sum: bigint }>(sql`
    select coalesce(sum(amount_micro), 0)::bigint as sum from subscription_pulls
    where subscription_id = ${subscriptionId} and period_start = ${periodStart} and kind = 'UPGRADE'
      and status = 'SETTLED'`)
  return sum
}

/** The chain says which period was paid; another attempt at that period has nothing left to do. */
export async function savePullSettled(
  tx: Queryable,
  pull: PullRow,
  { periodStart, periodEnd, at }: { periodStart: number; periodEnd: number; at: Date },
): Promise<void> {
  await tx.run(sql`
    update subscription_pulls set status = 'FAILED', reason = 'SUPERSEDED'
    where subscription_id = ${pull.subscriptionId} and status = 'PENDING' and id <> ${pull.id}`)
  await tx.run(sql`
    update subscription_pulls set status = 'SETTLED', reason = null, settled_at = ${at},
      period_start = ${periodStart}, period_end = ${periodEnd}
    where id = ${pull.id}`)
}

export async function savePullFailed(tx: Queryable, id: string, reason: string): Promise<void> {
  await tx.run(sql`update subscription_pulls set status = 'FAILED', reason = ${reason} where id = ${id}`)
}

export async function savePullOpen(tx: Queryable, id: string): Promise<void> {
  await tx.run(sql`update subscription_pulls set status = 'PENDING', settled_at = null where id = ${id}`)
}

/** What the settled pulls say: paid until when, last pulled when, and through which permission. */
export interface Paid {
  paidUntil: bigint
  lastPullAt: Date
  permissionHash: string
}

export async function findPaid(db: Queryable, subscriptionId: string): Promise<Paid | undefined> {
  return db.maybeOne<Paid>(sql`
    select u.permission_hash, u.settled_at as "lastPullAt",
      (select max(w.period_end) from subscription_pulls w
       where w.subscription_id = u.subscription_id and w.status = 'SETTLED' and w.kind <> 'UPGRADE') as "paidUntil"
    from subscription_pulls u
    where u.subscription_id = ${subscriptionId} and u.status = 'SETTLED'
    order by u.settled_at desc, u.created_at desc, u.id desc limit 1`)
}
