import { AppError } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { NewId } from '../../platform/id/id.ts'
import { type IdentifiedNotice, type Notice, reachesWebhooks } from '../../platform/notices/notice.ts'
import { createAnnouncer } from './announcer.ts'
import { foldRepeats } from './folding.ts'
import {
  countFeed,
  countLockedFeed,
  findNewestId,
  insertNotifications,
  listEvents,
  listNotifications,
  lockFeeds,
  markAllRead,
  markRead,
  type NotificationRow,
  type PageOfEvents,
  type PageOfNotifications,
} from './store.ts'

/**
 * The owner's feed. It promises: an owner is notified exactly if the transaction commits; the
 * feed, and every live stream of it, shows them in the order of commit; nobody sees or marks another owner's.
 */
export interface NotificationsDeps {
  db: Database
  clock: Clock
  newId: NewId
}

export interface NotificationsPage {
  rows: NotificationRow[]
  unreadCount: number
  total: number
  /** The newest one of the stream, which may not be in the feed. */
  lastEventId: string | null
}

export function createNotificationsService({ db, clock, newId }: NotificationsDeps) {
  const announce = createAnnouncer(db)

  async function insert(
    tx: Queryable,
    notices: readonly Notice[],
    isEvent: (notice: Notice) => boolean,
  ): Promise<IdentifiedNotice[]> {
    const createdAt = clock.now()
    const identified = notices.map((notice) => ({ ...notice, id: newId() }))
    const folded = await foldRepeats(tx, notices, createdAt)
    await insertNotifications(
      tx,
      identified.map((notice, index) => {
        const { id, ownerId, type, title, message, link = null, foldKey = null, reach } = notice
        const { isFolded = false, repeats = 0 } = folded[index] ?? {}
        const isListed = reach === undefined
        const words = { type, title, message, link }
        const place = { foldKey, isFolded, repeats, isListed, isEvent: isEvent(notice) }
        return { id, ownerId, ...words, ...place, createdAt }
      }),
    )
    tx.afterCommit(() => {
      for (const { ownerId, link } of notices) announce({ ownerId, link })
    })
    return identified
  }

  return {
    /**
     * Notifies owners, inside the transaction that causes it. It holds a lock for each owner until the transaction
     * ends, so it comes late in the transaction; notify several owners in one call, and the locks are taken in order.
     */
    async notify(tx: Queryable, ...notices: Notice[]): Promise<void> {
      if (notices.length > 0) await insert(tx, notices, () => false)
    },

    /** The same for what webhooks carry too. */
    notifyOfEvents: async (tx: Queryable, ...notices: Notice[]): Promise<IdentifiedNotice[]> =>
      notices.length > 0 ? insert(tx, notices, reachesWebhooks) : [],

    listEvents: (page: PageOfEvents): Promise<NotificationRow[]> => listEvents(db, page),

    async list(page: PageOfNotifications): Promise<NotificationsPage> {
      // Read first: what comes while the others are read is behind it.
      const lastEventId = await findNewestId(db, page.ownerId)
      const [rows, { listed, unread }] = await Promise.all([
        listNotifications(db, page),
        countFeed(db, page.ownerId),
      ])
      return { rows, unreadCount: unread, total: page.unreadOnly ? unread : listed, lastEventId }
    },

    async markRead(
      tx: Queryable,
      { id, ownerId }: { id: string; ownerId: string },
    ): Promise<{ row: NotificationRow; unreadCount: number }> {
      await lockFeeds(tx, [ownerId])
      const row = await markRead(tx, { id, ownerId, now: clock.now() })
      if (!row) throw new AppError('NOT_FOUND', { message: 'There is no such notification.' })
      return { row, unreadCount: (await countLockedFeed(tx, ownerId)).unread }
    },

    async markAllRead(
      tx: Queryable,
      { ownerId, link }: { ownerId: string; link: string | undefined },
    ): Promise<{ markedCount: number; unreadCount: number }> {
      await lockFeeds(tx, [ownerId])
      const markedCount = await markAllRead(tx, { ownerId, link, now: clock.now() })
      return { markedCount, unreadCount: (await countLockedFeed(tx, ownerId)).unread }
    },
  }
}

export type NotificationsService = ReturnType<typeof createNotificationsService>
