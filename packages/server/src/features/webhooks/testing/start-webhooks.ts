import { pino } from 'pino'
import { sql } from '../../../platform/db/sql.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import type { Notice } from '../../../platform/notices/notice.ts'
import { createQueue } from '../../../platform/queue/queue.ts'
import { startReceiver } from '../../../testing/start-receiver.ts'
import { createTestClock } from '../../../testing/test-clock.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { testSealer } from '../../../testing/test-sealer.ts'
import { createNotificationsService } from '../../notifications/service.ts'
import { webhooksRoutes } from '../routes.ts'
import { createWebhooksService, type WebhooksDeps } from '../service.ts'
import { webhooksTasks, webhooksTicks } from '../tasks.ts'

type Headers = Record<string, string>

/** The feature on a real database and queue, with a receiver to send to. The queue works only when a test says so, or all the time with `isWorking`. */
export async function startWebhooks({
  isWorking = false,
  ...options
}: Partial<WebhooksDeps> & { isWorking?: boolean } = {}) {
  const database = await createTestDatabase()
  const { db, connection } = database
  const log = pino({ level: 'silent' })
  const clock = createTestClock()
  const newId = createIdSource(clock)
  const queue = createQueue({ db, connection, log })
  const notifications = createNotificationsService({ db, clock, newId })
  const webhooks = createWebhooksService({
    db,
    clock,
    newId,
    queue,
    notify: notifications.notify,
    sealer: testSealer,
    allowsLocal: true,
    ...options,
  })
  for (const { name, options } of webhooksTasks(webhooks)) queue.define(name, options)
  for (const { name, seconds, handler } of webhooksTicks(webhooks)) queue.every(name, seconds, handler)
  await queue.start({ isWorking })
  const idempotency = createIdempotency({ db, clock })
  const http = await createTestHttp(webhooksRoutes({ webhooks }), {
    db,
    idempotency,
    rateLimitsEnforced: false,
  })
  const receiver = await startReceiver()

  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    headers: Headers,
    payload?: object,
  ) => http.app.inject({ method, url: `/api/webhooks${path}`, headers, ...(payload && { payload }) })

  return {
    db,
    clock,
    queue,
    webhooks,
    receiver,
    call,

    async newOwner(): Promise<{ ownerId: string; headers: Headers }> {
      const ownerId = newId()
      await db.run(sql`
        insert into owners (id, wallet_address, created_at)
        values (${ownerId}, ${`0x${ownerId.slice(-20)}`}, ${clock.now()})`)
      return { ownerId, headers: { authorization: `Bearer ${tokenFor({ ownerId })}` } }
    },

    async newWebhook(headers: Headers, payload: object = {}) {
      const response = await call('POST', '', headers, { url: receiver.url, ...payload })
      if (response.statusCode !== 201) throw new Error(response.body)
      return response.json().data
    },

    /** As the app does it: the notification and its webhook events in one transaction. */
    tell: (...told: Notice[]) =>
      db.transaction(async (tx) => {
        await notifications.notify(tx, ...told)
        await webhooks.enqueueWebhookEvents(tx, ...told)
      }),

    /** The log of a webhook, newest first. */
    logOf: async (headers: Headers, id: string) =>
      (await call('GET', `/${id}/deliveries`, headers)).json().data.deliveries,

    told: (ownerId: string) =>
      db.rows<{ type: string; message: string }>(
        sql`select type, message from notifications where owner_id = ${ownerId} order by seq`,
      ),

    async close() {
      await receiver.close()
      await http.close()
      await queue.stop()
      await database.close()
    },
  }
}

export function jobFunded(ownerId: string, title = 'Job funded'): Notice {
  return { ownerId, type: 'JOB_FUNDED', title, message: 'The money is in escrow.', link: '/jobs/cjob' }
}
