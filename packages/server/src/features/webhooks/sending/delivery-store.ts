import type { WebhookDelivery, WebhookEventType } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import type { EventType, Verdict } from '../rules.ts'

export interface DeliveryRow<Type extends EventType = EventType> {
  id: string
  webhookId: string
  eventId: string
  eventType: Type
  body: string
  status: WebhookDelivery['status']
  attempts: number
  responseStatus: number | null
  error: string | null
  nextAttemptAt: Date | null
  /** Its owner asked for it: a test, or a redelivery. */
  isOrdered: boolean
  createdAt: Date
}

export type NewDelivery<Type extends EventType = EventType> = Pick<
  DeliveryRow<Type>,
  'id' | 'webhookId' | 'eventId' | 'eventType' | 'body' | 'isOrdered' | 'createdAt'
>

const columns = sql`
  id, webhook_id, event_id, event_type, body, status, attempts, response_status, error, next_attempt_at,
  is_ordered, created_at`

/** Still to be sent: its month stays. */
export const isPending = sql`status = 'PENDING'`

/** Due at once. */
export function insertDeliveries<Type extends EventType>(
  tx: Queryable,
  rows: readonly NewDelivery<Type>[],
): Promise<DeliveryRow<Type>[]> {
  return tx.rows(sql`
    insert into webhook_deliveries
      (id, webhook_id, event_id, event_type, body, is_ordered, next_attempt_at, created_at)
    select id, "webhookId", "eventId", "eventType", body, "isOrdered", "createdAt", "createdAt"
    from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
      id text, "webhookId" text, "eventId" text, "eventType" text, body text, "isOrdered" boolean,
      "createdAt" timestamptz)
    returning ${columns}`)
}

/** The delivery while exactly this attempt is its next one: a job that came twice, or too late, finds nothing. */
export function findAwaiting(
  db: Queryable,
  { deliveryId, attempt }: { deliveryId: string; attempt: number },
): Promise<DeliveryRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from webhook_deliveries
    where id = ${deliveryId} and status = 'PENDING' and attempts = ${attempt - 1}`)
}

/** False when another worker has recorded the outcome in the meantime. */
export async function saveVerdict(
  tx: Queryable,
  { deliveryId, attempt, verdict }: { deliveryId: string; attempt: number; verdict: Verdict },
): Promise<boolean> {
  const saved = await tx.run(sql`
    update webhook_deliveries set status = ${verdict.status}, attempts = ${attempt},
      response_status = ${verdict.responseStatus}, error = ${verdict.error}, next_attempt_at = ${verdict.nextAttemptAt}
    where id = ${deliveryId} and status = 'PENDING' and attempts = ${attempt - 1}`)
  return saved === 1
}

export async function dropWaiting(tx: Queryable, webhookId: string, error: string): Promise<void> {
  await tx.run(sql`
    update webhook_deliveries set status = 'FAILED', error = ${error}, next_attempt_at = null
    where webhook_id = ${webhookId} and status = 'PENDING'`)
}

/** Months before it are not looked into. Undefined looks into all. */
const sinceThen = (since: Date | undefined): Sql =>
  since === undefined ? sql`` : sql`and created_at >= ${since}`

export function findDelivery(
  db: Queryable,
  { id, webhookId, since }: { id: string; webhookId: string; since: Date | undefined },
): Promise<DeliveryRow<WebhookEventType> | undefined> {
  return db.maybeOne(sql`
    select ${columns} from webhook_deliveries
    where id = ${id} and webhook_id = ${webhookId} ${sinceThen(since)}`)
}

export interface DeliveryPage {
  webhookId: string
  status: DeliveryRow['status'] | undefined
  since: Date | undefined
  limit: number
  offset: number
}

function conditionOf({ webhookId, status, since }: DeliveryPage): Sql {
  const ofStatus = status === undefined ? sql`` : sql`and status = ${status}`
  return sql`webhook_id = ${webhookId} ${ofStatus} ${sinceThen(since)}`
}

export function listDeliveries(db: Queryable, page: DeliveryPage): Promise<DeliveryRow<WebhookEventType>[]> {
  return db.rows(sql`
    select ${columns} from webhook_deliveries where ${conditionOf(page)}
    order by seq desc limit ${page.limit} offset ${page.offset}`)
}

/** The newest of each event, of all webhooks of the owner. */
export function listOfEvents(
  db: Queryable,
  {
    ownerId,
    eventIds,
    since,
    limit,
  }: { ownerId: string; eventIds: readonly string[]; since: Date | undefined; limit: number },
): Promise<DeliveryRow<WebhookEventType>[]> {
  return db.rows(sql`
    select found.* from unnest(${eventIds}::text[]) as wanted (event)
    cross join lateral (
      select ${columns}, seq from webhook_deliveries
      where event_id = wanted.event and webhook_id in (select w.id from webhooks w where w.owner_id = ${ownerId})
        ${sinceThen(since)}
      order by seq desc limit ${limit}) found
    order by found.seq desc`)
}

export async function countDeliveries(db: Queryable, page: DeliveryPage): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from webhook_deliveries where ${conditionOf(page)}`,
  )
  return Number(count)
}

/** Every owner's first before anyone's second, so that an owner with many does not hold up the others. */
export function listOverdue(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<(Pick<DeliveryRow, 'id' | 'attempts'> & { ownerId: string })[]> {
  return db.rows(sql`
    select id, attempts, owner_id from (
      select d.id, d.attempts, w.owner_id, d.next_attempt_at,
        row_number() over (partition by w.owner_id order by d.next_attempt_at) as place
      from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.status = 'PENDING' and d.next_attempt_at < ${before}) overdue
    order by place, next_attempt_at limit ${limit}`)
}

/** How many tests, or other messages, the owner has ordered since then, and when the oldest of those was. */
export function countOrdered(
  db: Queryable,
  { ownerId, isTest, since }: { ownerId: string; isTest: boolean; since: Date },
): Promise<{ count: number; oldest: Date | null }> {
  return db.one(sql`
    select count(*)::integer as count, min(d.created_at) as oldest
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where w.owner_id = ${ownerId} and d.is_ordered and d.created_at > ${since}
      and (d.event_type = 'webhook.test') = ${isTest}`)
}
