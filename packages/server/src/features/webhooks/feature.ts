import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import { webhooksRoutes } from './routes.ts'
import { createWebhooksService } from './service.ts'
import { webhooksTasks, webhooksTicks } from './tasks.ts'

interface Deps extends Base {
  notifications: { notify: Notify }
}

interface Api {
  /** To the feed, and to the webhooks of those who asked for it. */
  notify: Notify
}

export function defineFeature({
  db,
  config,
  wallClock,
  newId,
  queue,
  sealers,
  notifications,
  webhookTimeoutMs,
}: Deps): Feature<Api> {
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
  })
  return {
    api: {
      async notify(tx, ...notices) {
        await notifications.notify(tx, ...notices)
        await webhooks.enqueueWebhookEvents(tx, ...notices)
      },
    },
    routes: webhooksRoutes({ webhooks }),
    tasks: webhooksTasks(webhooks),
    ticks: webhooksTicks(webhooks),
  }
}
