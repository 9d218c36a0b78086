import { pino } from 'pino'
import { sql } from '../../../platform/db/sql.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import type { Notice } from '../../../platform/notices/notice.ts'
import { createTestClock } from '../../../testing/test-clock.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { notificationsRoutes } from '../routes.ts'
import { createNotificationsService } from '../service.ts'
import { createNotificationStreams, type NotificationStreamsDeps } from '../streams.ts'

/** The feature on a real database and a listening server. `newOwner()` gives an owner and a token for it. */
export async function startNotifications(options: Partial<NotificationStreamsDeps> = {}) {
  const database = await createTestDatabase()
  const { db } = database
  const clock = createTestClock()
  const newId = createIdSource(clock)
  const notifications = createNotificationsService({ db, clock, newId })
  const streams = await createNotificationStreams({
    db,
    log: pino({ level: 'silent' }),
    isLive: async () => true,
    ...options,
  })
  const idempotency = createIdempotency({ db, clock })
  const http = await createTestHttp(notificationsRoutes({ notifications, streams }), { db, idempotency })
  http.app.addHook('preClose', streams.close)
  const url = await http.app.listen({ port: 0, host: '127.0.0.1' })

  async function newOwner(): Promise<{ ownerId: string; token: string }> {
    const ownerId = newId()
    await db.run(sql`
      insert into owners (id, wallet_address, created_at)
      values (${ownerId}, ${`0x${ownerId.slice(-20)}`}, ${clock.now()})`)
    return { ownerId, token: tokenFor({ ownerId, sessionId: `session of ${ownerId}` }) }
  }

  /** Notifies the owner of each title, in transactions of their own and in this order. */
  async function tell(ownerId: string, ...titles: string[]): Promise<void> {
    for (const title of titles) await db.transaction((tx) => notifications.notify(tx, told(ownerId, title)))
  }

  return {
    app: http.app,
    url,
    streamUrl: `${url}/api/notifications/stream`,
    db,
    notifications,
    streams,
    newOwner,
    tell,
    async close() {
      await http.close()
      await database.close()
    },
  }
}

export type StartedNotifications = Awaited<ReturnType<typeof startNotifications>>

export function told(ownerId: string, title: string): Notice {
  return { ownerId, type: 'SYSTEM_ALERT', title, message: `About ${title}.` }
}
