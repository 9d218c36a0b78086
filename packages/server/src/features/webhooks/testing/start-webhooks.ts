import type { Notice } from '../../../platform/notices/notice.ts'
import { startReceiver } from '../../../testing/processes/start-receiver.ts'
import { startWorld, type WorldOverrides } from '../../../testing/start-world.ts'

type Headers = Record<string, string>

/** A world with a receiver to send to. Its queue works only when a test says so, or all the time with `isWorking`. */
export async function startWebhooks(overrides: WorldOverrides = {}) {
  const world = await startWorld(overrides)
  const { notify } = await world.startWorker({ hasQueue: true })
  const receiver = await startReceiver()

  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    headers: Headers,
    payload?: object,
  ) => world.http.inject({ method, url: `/api/webhooks${path}`, headers, ...(payload && { payload }) })

  return {
    ...world,
    notify,
    receiver,
    call,

    async newWebhook(headers: Headers, payload: object = {}) {
      const response = await call('POST', '', headers, { url: receiver.url, ...payload })
      if (response.statusCode !== 201) throw new Error(response.body)
      return response.json().data
    },

    /** As features do it: the notification and its webhook events in one transaction. */
    tell: (...notices: Notice[]) => world.db.transaction((tx) => notify(tx, ...notices)),

    /** The log of a webhook, newest first. */
    logOf: async (headers: Headers, id: string) =>
      (await call('GET', `/${id}/deliveries`, headers)).json().data.deliveries,

    async close() {
      await receiver.close()
      await world.close()
    },
  }
}

export function jobFunded(ownerId: string, title = 'Job funded'): Notice {
  return { ownerId, type: 'JOB_FUNDED', title, message: 'The money is in escrow.', link: '/jobs/cjob' }
}
