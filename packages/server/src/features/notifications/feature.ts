import type { Alert } from '../../house/alerts.ts'
import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import { createAdminAlert } from './admin-alert.ts'
import { retentionTicks } from './retention.ts'
import { notificationsRoutes } from './routes.ts'
import { createNotificationsService, type NotificationsService } from './service.ts'
import { createNotificationStreams } from './streams.ts'

interface Deps extends Base {
  sessions: {
    isLive: (principal: Principal) => Promise<boolean>
    onChange: (listener: (ownerId: string | undefined) => void) => void
  }
  apiKeys: {
    isKeySession: (sessionId: string) => boolean
    isLive: (principal: Principal) => Promise<boolean>
  }
  oauth: {
    isGrantSession: (sessionId: string) => boolean
    isLive: (principal: Principal) => Promise<boolean>
  }
}

interface Api {
  /** To the feed alone. */
  notify: Notify
  /** The same for what webhooks carry too. */
  notifyOfEvents: NotificationsService['notifyOfEvents']
  listEvents: NotificationsService['listEvents']
  /** Calls back whenever the owner may have news about the page, until the function that it returns is called. */
  watch: (page: { ownerId: string; link: string }, wake: () => void) => () => void
  /** Alerts the admins through the given channel. */
  alertBy: (notify: Notify) => Alert
}

export async function defineFeature(deps: Deps): Promise<Feature<Api>> {
  const { db, log, clock, wallClock, config, newId, adminWallets, sessions, apiKeys, oauth } = deps
  const notifications = createNotificationsService({ db, clock, newId })
  const streams = await createNotificationStreams({
    db,
    log,
    ...deps.streamLimits,
    isLive: (principal) => {
      if (apiKeys.isKeySession(principal.sessionId)) return apiKeys.isLive(principal)
      return (oauth.isGrantSession(principal.sessionId) ? oauth : sessions).isLive(principal)
    },
  })
  // A server waits for its open streams.
  deps.drain.endOfWaits.addEventListener('abort', () => void streams.close(), { once: true })
  sessions.onChange((ownerId) => void streams.recheck(ownerId))
  return {
    api: {
      notify: notifications.notify,
      notifyOfEvents: notifications.notifyOfEvents,
      listEvents: notifications.listEvents,
      watch: streams.watch,
      alertBy: (notify) => createAdminAlert({ db, log, notify, adminWallets }),
    },
    routes: notificationsRoutes({ notifications, streams }),
    ticks: retentionTicks({ db, clock: wallClock, days: config.notificationDays }),
    gauges: [
      {
        name: 'notification_streams',
        help: 'Live feeds of notifications that are open in this process.',
        read: streams.size,
      },
    ],
    close: () => streams.close(),
  }
}
