import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import { daysBefore } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { IdentifiedNotice, Notice, Notify } from '../../platform/notices/notice.ts'
import type { DirectReceivers } from './direct-receivers.ts'
import { createEventLog, type EventLogDeps } from './event-log.ts'
import { webhooksRoutes } from './routes.ts'
import { jobsIn } from './rules.ts'
import { isPending } from './sending/delivery-store.ts'
import { createWebhooksService } from './service.ts'
import { webhooksTasks, webhooksTicks } from './tasks.ts'

interface Deps extends Base {
  notifications: {
    notify: Notify
    notifyOfEvents: (tx: Queryable, ...notices: Notice[]) => Promise<IdentifiedNotice[]>
    listEvents: EventLogDeps['listEvents']
  }
}

interface Api {
  /** To the feed, and to the webhooks of those who asked for it. */
  notify: Notify
  /** Receivers of other features, which write what is sent to them. */
  receivers: DirectReceivers
}

export function defineFeature({
  db,
  config,
  wallClock,
  newId,
  queue,
  sealers,
  happenings,
  notifications,
  webhookTimeoutMs,
}: Deps): Feature<Api> {
  const logSince = () => daysBefore(wallClock.now(), config.webhookLogDays)
  const webhooks = createWebhooksService({
    db,
    // Receivers compare the time of a message with their own.
    clock: wallClock,
    newId,
    queue,
    // Notifications about a webhook go to the feed alone, so that no webhook reports on itself.
    notify: notifications.notify,
    sealer: sealers.webhooks,
    allowsLocal: config.mode === 'sandbox',
    timeoutMs: webhookTimeoutMs,
    logSince,
  })
  const { listEvents } = notifications
  const eventLog = createEventLog({ db, listEvents, cursorSecret: config.sessionSecret, logSince })
  return {
    api: {
      async notify(tx, ...notices) {
        await webhooks.enqueueWebhookEvents(tx, await notifications.notifyOfEvents(tx, ...notices))
        const jobIds = jobsIn(notices)
        if (jobIds.length > 0) await happenings.announce(tx, 'jobs.noticed', { jobIds })
      },
      receivers: webhooks.direct,
    },
    routes: webhooksRoutes({ webhooks, eventLog }),
    tasks: webhooksTasks(webhooks),
    ticks: webhooksTicks(webhooks),
    retentions: [{ table: 'webhook_deliveries', keptSince: logSince, neededWhile: isPending }],
  }
}
