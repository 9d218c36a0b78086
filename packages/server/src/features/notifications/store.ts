import { STREAM_START } from '@agent-marketplace/contract'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { isId } from '../../platform/id/id.ts'

export interface NotificationRow {
  id: string
  seq: bigint
  ownerId: string
  type: string
  title: string
  message: string
  link: string | null
  readAt: Date | null
  foldKey: string | null
  /** How many further notices of the same key it stands for. */
  repeats: number
  createdAt: Date
}

export interface NewNotification extends Omit<NotificationRow, 'seq' | 'readAt'> {
  /** Whether a newer one of the same key stands for it. */
  isFolded: boolean
  /** False for what is only streamed: it counts as read from the start. */
  isListed: boolean
  /** Whether webhooks carry it. */
  isEvent: boolean
}

export interface PageOfNotifications {
  ownerId: string
  unreadOnly: boolean
  limit: number
  offset: number
}

const columns = sql`id, seq, owner_id, type, title, message, link, read_at, fold_key, repeats, created_at`

/** The rows are inserted in the order of their owners, because each takes its owner's lock: no two writers can deadlock. */
export function insertNotifications(db: Queryable, rows: readonly NewNotification[]): Promise<number> {
  const all = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key])
  return db.run(sql`
    insert into notifications (id, owner_id, type, title, message, link, fold_key, repeats, is_folded, created_at,
      is_listed, is_event, read_at)
    select id, owner_id, type, title, message, link, fold_key, repeats, is_folded, created_at, is_listed, is_event,
      case when is_listed then null else created_at end
    from unnest(${all('id')}::text[], ${all('ownerId')}::text[], ${all('type')}::text[], ${all('title')}::text[],
        ${all('message')}::text[], ${all('link')}::text[], ${all('foldKey')}::text[],
        ${all('repeats')}::integer[], ${all('isFolded')}::boolean[], ${all('createdAt')}::timestamptz[],
        ${all('isListed')}::boolean[], ${all('isEvent')}::boolean[]) with ordinality
      as given (id, owner_id, type, title, message, link, fold_key, repeats, is_folded, created_at, is_listed,
        is_event, position)
    order by owner_id, position`)
}

/**
 * Notifies every process that these owners have something new. Nobody waits for the disk: a message that a crash loses
 * would find no listener either.
 */
export async function announce(db: Queryable, messages: readonly string[]): Promise<void> {
  await db.run(sql`
    select set_config('synchronous_commit', 'off', true), pg_notify('owner_notified', message)
    from unnest(${messages}::text[]) as announced (message)`)
}

export function listNotifications(db: Queryable, page: PageOfNotifications): Promise<NotificationRow[]> {
  const filter = page.unreadOnly ? sql`and read_at is null` : sql``
  return db.rows(sql`
    select ${columns} from notifications where owner_id = ${page.ownerId} and is_listed and not is_folded ${filter}
    order by seq desc limit ${page.limit} offset ${page.offset}`)
}

export interface PageOfEvents {
  ownerId: string
  types: readonly string[]
  before: bigint | undefined
  limit: number
}

/** What webhooks carry, folded in the feed or not. */
export function listEvents(db: Queryable, page: PageOfEvents): Promise<NotificationRow[]> {
  const place = page.before === undefined ? sql`` : sql`and seq < ${page.before}`
  return db.rows(sql`
    select ${columns} from notifications
    where owner_id = ${page.ownerId} and is_event and type = any(${page.types}) ${place}
    order by seq desc limit ${page.limit}`)
}

/** How many notifications the feed shows, and how many of them are unread. */
export interface FeedCounts {
  listed: number
  unread: number
}

/** The kept counts. Triggers keep them from the first time on: then they are counted. */
export async function countFeed(db: Database, ownerId: string): Promise<FeedCounts> {
  return (await findCounts(db, ownerId)) ?? db.transaction((tx) => beginCounts(tx, ownerId))
}

/** The same inside a transaction that holds the owner's lock. */
export async function countLockedFeed(tx: Queryable, ownerId: string): Promise<FeedCounts> {
  return (await findCounts(tx, ownerId)) ?? beginCounts(tx, ownerId)
}

/**
 * The lock that every insert takes, in the same order. What changes the counts, or depends on what is there, takes it
 * first, so that no two writers can deadlock.
 */
export async function lockFeeds(tx: Queryable, ownerIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(owner_id, 3))
    from (select distinct owner_id from unnest(${ownerIds}::text[]) as given (owner_id) order by owner_id) ordered`)
}

/** Locks the feeds of these owners, except those that are in use, and returns whose feeds it has locked. */
export async function lockIdleFeeds(tx: Queryable, ownerIds: readonly string[]): Promise<Set<string>> {
  const feeds = await tx.rows<{ ownerId: string; isLocked: boolean }>(sql`
    select owner_id, pg_try_advisory_xact_lock(hashtextextended(owner_id, 3)) as is_locked
    from (select distinct owner_id from unnest(${ownerIds}::text[]) as given (owner_id)) feeds`)
  return new Set(feeds.filter(({ isLocked }) => isLocked).map(({ ownerId }) => ownerId))
}

async function findCounts(db: Queryable, ownerId: string): Promise<FeedCounts | undefined> {
  const kept = await db.maybeOne<{ listed: bigint; unread: bigint }>(
    sql`select listed, unread from notification_counts where owner_id = ${ownerId} and unread is not null`,
  )
  return kept && { listed: Number(kept.listed), unread: Number(kept.unread) }
}

/** Under the owner's lock nobody adds, folds or reads any; while somebody else has it, the counts are not kept yet. */
async function beginCounts(tx: Queryable, ownerId: string): Promise<FeedCounts> {
  const { isLocked } = await tx.one<{ isLocked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${ownerId}, 3)) as is_locked`,
  )
  const { listed, unread } = await tx.one<{ listed: bigint; unread: bigint }>(sql`
    select count(*) filter (where is_listed) as listed, count(*) filter (where read_at is null) as unread
    from notifications where owner_id = ${ownerId} and not is_folded`)
  if (isLocked)
    await tx.run(sql`
      insert into notification_counts (owner_id, listed, unread) values (${ownerId}, ${listed}, ${unread})
      on conflict (owner_id) do update set listed = excluded.listed, unread = excluded.unread`)
  return { listed: Number(listed), unread: Number(unread) }
}

export async function findNewestId(db: Queryable, ownerId: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(
    sql`select id from notifications where owner_id = ${ownerId} and not is_folded order by seq desc limit 1`,
  )
  return row?.id ?? null
}

export function markRead(
  db: Queryable,
  { id, ownerId, now }: { id: string; ownerId: string; now: Date },
): Promise<NotificationRow | undefined> {
  return db.maybeOne(sql`
    update notifications set read_at = coalesce(read_at, ${now})
    where id = ${id} and owner_id = ${ownerId} returning ${columns}`)
}

export function markAllRead(
  db: Queryable,
  { ownerId, link, now }: { ownerId: string; link: string | undefined; now: Date },
): Promise<number> {
  const filter = link === undefined ? sql`` : sql`and link = ${link}`
  return db.run(
    sql`update notifications set read_at = ${now} where owner_id = ${ownerId} and read_at is null ${filter}`,
  )
}

/** The oldest of those before a place in the order of ids, which is that of time. */
export function listOldest(
  db: Queryable,
  { after, before }: { after: string; before: string },
  limit: number,
): Promise<{ id: string; ownerId: string }[]> {
  return db.rows(sql`
    select id, owner_id from notifications where id > ${after} and id < ${before} order by id limit ${limit}`)
}

export function removeNotifications(tx: Queryable, ids: readonly string[]): Promise<number> {
  return tx.run(sql`delete from notifications where id = any(${ids})`)
}

/**
 * Where a stream begins: after the notification that the client saw last, or with the first one there is, but at most
 * `replayLimit` back. If the one that it saw has been removed, the stream begins with the first that is newer: retention
 * may have left older ones. A client that names none, an unknown one or somebody else's begins with what comes next.
 */
export async function findStreamStart(
  db: Queryable,
  start: { ownerId: string; lastEventId: string | undefined; replayLimit: number },
): Promise<bigint> {
  const { ownerId, lastEventId = '', replayLimit } = start
  const { seq } = await db.one<{ seq: bigint }>(sql`
    with newest as (
      select id, seq from notifications where owner_id = ${ownerId} order by seq desc limit ${replayLimit} + 1)
    select coalesce(
      (select greatest(seen.seq, (select seq from newest order by seq desc offset ${replayLimit}))
        from (select seq from notifications where id = ${lastEventId} and owner_id = ${ownerId}
          union all select 0 where ${lastEventId === STREAM_START}::boolean
          union all select coalesce(max(seq), 0) from newest where id <= ${lastEventId}
            having ${isId(lastEventId)}::boolean
              and not exists (select from notifications where id = ${lastEventId})) seen),
      (select max(seq) from newest),
      0) as seq`)
  return seq
}

export interface StreamCursor {
  ownerId: string
  seq: bigint
}

/** What several owners have not been sent yet, at most `limit` for each, oldest first: one statement for all of them. */
export function listNewNotifications(
  db: Queryable,
  cursors: readonly StreamCursor[],
  limit: number,
): Promise<NotificationRow[]> {
  return db.rows(sql`
    select fresh.* from unnest(${cursors.map((cursor) => cursor.ownerId)}::text[],
      ${cursors.map((cursor) => cursor.seq)}::bigint[]) as cursor (owner, after)
    cross join lateral (
      select ${columns} from notifications where owner_id = cursor.owner and seq > cursor.after and not is_folded
      order by seq limit ${limit}) fresh
    order by fresh.seq`)
}
