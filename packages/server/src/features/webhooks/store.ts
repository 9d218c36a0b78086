import type { WebhookEventType } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

export interface WebhookRow {
  id: string
  ownerId: string
  url: string
  events: WebhookEventType[]
  description: string
  isActive: boolean
  sealedSecret: string
  sealedOldSecret: string | null
  oldSecretUntil: Date | null
  lastDeliveredAt: Date | null
  /** Messages in a row that got no response at all. */
  failuresInRow: number
  /** Until then nothing is sent here, except what the owner orders. */
  pausedUntil: Date | null
  /** Another feature sends to it; its sealed secret is the headers that it knows this service by. */
  isDirect: boolean
  createdAt: Date
}

export interface WebhookChanges {
  url?: string | undefined
  events?: readonly WebhookEventType[] | undefined
  description?: string | undefined
  active?: boolean | undefined
}

const columns = sql`
  id, owner_id, url, events, description, is_active, sealed_secret, sealed_old_secret, old_secret_until,
  last_delivered_at, failures_in_row, paused_until, is_direct, created_at`

/** Keeps other creations and orders of the same owner waiting, so that none passes a limit that another one reaches. */
export async function lockWebhooksOf(tx: Queryable, ownerId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${ownerId}, 12))`)
}

export async function countWebhooks(tx: Queryable, ownerId: string): Promise<number> {
  const { count } = await tx.one<{ count: bigint }>(
    sql`select count(*) from webhooks where owner_id = ${ownerId} and not is_direct`,
  )
  return Number(count)
}

export function insertWebhook(
  tx: Queryable,
  webhook: Pick<
    WebhookRow,
    'id' | 'ownerId' | 'url' | 'events' | 'description' | 'sealedSecret' | 'createdAt'
  >,
): Promise<WebhookRow> {
  return tx.one(sql`
    insert into webhooks (id, owner_id, url, events, description, sealed_secret, created_at)
    values (${webhook.id}, ${webhook.ownerId}, ${webhook.url}, ${webhook.events}, ${webhook.description},
      ${webhook.sealedSecret}, ${webhook.createdAt})
    returning ${columns}`)
}

/** One that another feature sends to. */
export async function insertDirect(
  tx: Queryable,
  receiver: Pick<WebhookRow, 'id' | 'ownerId' | 'url' | 'sealedSecret' | 'createdAt'>,
): Promise<void> {
  await tx.run(sql`
    insert into webhooks (id, owner_id, url, events, description, sealed_secret, is_direct, created_at)
    values (${receiver.id}, ${receiver.ownerId}, ${receiver.url}, '{}', '', ${receiver.sealedSecret}, true,
      ${receiver.createdAt})`)
}

/** Keeps it in place until the end of the transaction. */
export function holdDirect(tx: Queryable, id: string): Promise<{ id: string; ownerId: string } | undefined> {
  return tx.maybeOne(sql`select id, owner_id from webhooks where id = ${id} and is_direct for key share`)
}

export async function deleteDirect(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from webhooks where id = any(${ids}) and is_direct`)
}

export function listWebhooks(db: Queryable, ownerId: string): Promise<WebhookRow[]> {
  return db.rows(sql`
    select ${columns} from webhooks where owner_id = ${ownerId} and not is_direct order by created_at, id`)
}

export function findWebhook(
  db: Queryable,
  own: { id: string; ownerId: string },
): Promise<WebhookRow | undefined> {
  return db.maybeOne(sql`
    select ${columns} from webhooks where id = ${own.id} and owner_id = ${own.ownerId} and not is_direct`)
}

/** For the worker, which acts for no one in particular. */
export function findWebhookById(
  db: Queryable,
  id: string,
): Promise<(WebhookRow & { isOwnerActive: boolean }) | undefined> {
  return db.maybeOne(sql`
    select ${columns}, (select account_status = 'ACTIVE' from owners where owners.id = webhooks.owner_id)
      as is_owner_active
    from webhooks where id = ${id}`)
}

/** Every change to a webhook and its deliveries takes this lock first, so that no two wait for each other. */
export function lockWebhook(tx: Queryable, id: string): Promise<WebhookRow | undefined> {
  return tx.maybeOne(sql`select ${columns} from webhooks where id = ${id} for no key update`)
}

export function saveChanges(tx: Queryable, id: string, changes: WebhookChanges): Promise<WebhookRow> {
  const { url = null, events = null, description = null, active = null } = changes
  return tx.one(sql`
    update webhooks set
      url = coalesce(${url}, url),
      events = coalesce(${events}::text[], events),
      description = coalesce(${description}, description),
      is_active = coalesce(${active}, is_active)
    where id = ${id} returning ${columns}`)
}

export function saveSecret(
  tx: Queryable,
  id: string,
  secret: { sealed: string; oldUntil: Date },
): Promise<WebhookRow> {
  return tx.one(sql`
    update webhooks set sealed_old_secret = sealed_secret, old_secret_until = ${secret.oldUntil},
      sealed_secret = ${secret.sealed}
    where id = ${id} returning ${columns}`)
}

export async function saveBreaker(
  tx: Queryable,
  id: string,
  { failuresInRow, pausedUntil }: { failuresInRow: number; pausedUntil: Date | null },
): Promise<void> {
  await tx.run(sql`
    update webhooks set failures_in_row = ${failuresInRow}, paused_until = ${pausedUntil} where id = ${id}`)
}

export async function saveDeliveredAt(tx: Queryable, id: string, at: Date): Promise<void> {
  await tx.run(sql`update webhooks set last_delivered_at = ${at} where id = ${id}`)
}

export function deleteWebhook(tx: Queryable, own: { id: string; ownerId: string }): Promise<number> {
  return tx.run(sql`delete from webhooks where id = ${own.id} and owner_id = ${own.ownerId}`)
}

/**
 * The active ones of several owners whose accounts are active too. The lock keeps each in place until its deliveries,
 * which refer to it, are written. Owners are not joined: where the database has not counted them, it would begin with all.
 */
export function listReceivers(
  tx: Queryable,
  ownerIds: readonly string[],
): Promise<Pick<WebhookRow, 'id' | 'ownerId' | 'events'>[]> {
  return tx.rows(sql`
    select id, owner_id, events from webhooks
    where owner_id = any(${ownerIds}) and is_active and not is_direct
      and (select account_status from owners where owners.id = webhooks.owner_id) = 'ACTIVE'
    order by id for key share of webhooks`)
}
