import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobFunded, startWebhooks } from './testing/start-webhooks.ts'

let api: Awaited<ReturnType<typeof startWebhooks>>
beforeAll(async () => {
  api = await startWebhooks()
})
afterAll(() => api.close())

type Headers = Record<string, string>
async function eventsOf(headers: Headers, query: Record<string, string> = {}) {
  const response = await api.http.inject({ url: `/api/events?${new URLSearchParams(query)}`, headers })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json()
}
const titlesOf = async (headers: Headers, query?: Record<string, string>) =>
  (await eventsOf(headers, query)).data.map(({ data }: { data: { title: string } }) => data.title)

test('shows what webhooks would carry, without a webhook, newest first and to its owner alone', async () => {
  const { ownerId, headers } = await api.newOwner()
  await api.tell(jobFunded(ownerId, 'First'))
  await api.tell(jobFunded(ownerId, 'Second'))
  const { data, nextCursor } = await eventsOf(headers)
  expect(nextCursor).toBeNull()
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^evt_c[0-9a-z]{24}$/),
      type: 'job.funded',
      createdAt: expect.any(String),
      data: {
        notificationType: 'JOB_FUNDED',
        title: 'Second',
        message: 'The money is in escrow.',
        link: '/jobs/cjob',
      },
      deliveries: [],
    },
    expect.objectContaining({ data: expect.objectContaining({ title: 'First' }) }),
  ])
  const stranger = await api.newOwner()
  expect((await eventsOf(stranger.headers)).data).toEqual([])
})

test('has the id that the message has, its deliveries, and those that were ordered again', async () => {
  const { ownerId, headers } = await api.newOwner()
  const { id: webhookId } = await api.newWebhook(headers)
  api.receiver.received.length = 0
  await api.tell(jobFunded(ownerId))
  await api.queue.runAllNow({ onlyDue: true })
  const [event] = (await eventsOf(headers)).data
  expect(api.receiver.received.map((message) => message.headers['webhook-id'])).toEqual([event.id])
  expect(event.deliveries).toEqual(await api.logOf(headers, webhookId))
  expect(event.deliveries).toMatchObject([{ webhookId, eventId: event.id, status: 'DELIVERED' }])

  const [first] = event.deliveries
  const again = await api.call('POST', `/${webhookId}/deliveries/${first.id}/redeliver`, headers)
  expect(again.statusCode).toBe(202)
  const [after] = (await eventsOf(headers)).data
  expect(after.id).toBe(event.id)
  expect(after.deliveries).toMatchObject([{ status: 'PENDING' }, { id: first.id }])
})

test('has what the feed folds and what only programs get, and nothing that webhooks never carry', async () => {
  const { ownerId, headers } = await api.newOwner()
  const asked = { ownerId, type: 'QUESTION_RECEIVED', message: 'Do you?', foldKey: 'q' } as const
  for (const title of ['One', 'Two', 'Three', 'Four']) await api.tell({ ...asked, title })
  const progress = { ownerId, type: 'JOB_PROGRESS', message: '10%' } as const
  await api.tell({ ...progress, title: 'To programs', reach: 'PROGRAMS' })
  await api.tell({ ...progress, title: 'To streams', reach: 'STREAM' })
  expect(await titlesOf(headers)).toEqual(['To programs', 'Four', 'Three', 'Two', 'One'])

  const { id } = await api.newWebhook(headers)
  await api.call('POST', `/${id}/test`, headers)
  expect(await titlesOf(headers)).toHaveLength(5)
})

test('is filtered by type, which several notifications share', async () => {
  const { ownerId, headers } = await api.newOwner()
  await api.tell({ ownerId, type: 'AGENT_PAUSED', title: 'Paused', message: 'Lark is paused.' })
  await api.tell(jobFunded(ownerId, 'Funded'))
  await api.tell({ ownerId, type: 'AGENT_RESUMED', title: 'Resumed', message: 'Lark works again.' })
  expect(await titlesOf(headers, { type: 'agent.updated' })).toEqual(['Resumed', 'Paused'])
  expect(await titlesOf(headers, { type: 'job.funded' })).toEqual(['Funded'])
  expect(await titlesOf(headers, { type: 'webhook.test' })).toEqual([])
  const wrong = await api.http.inject({ url: '/api/events?type=job.eaten', headers })
  expect(wrong.statusCode).toBe(400)
})

test('comes in pages that miss and repeat nothing, while more happens', async () => {
  const { ownerId, headers } = await api.newOwner()
  for (const title of ['1', '2', '3', '4', '5']) await api.tell(jobFunded(ownerId, title))
  const first = await eventsOf(headers, { limit: '2' })
  await api.tell(jobFunded(ownerId, '6'))
  const second = await eventsOf(headers, { limit: '2', cursor: first.nextCursor })
  const third = await eventsOf(headers, { limit: '2', cursor: second.nextCursor })
  expect(third.nextCursor).toBeNull()
  const titles = [first, second, third].flatMap(({ data }) =>
    data.map((event: { data: { title: string } }) => event.data.title),
  )
  expect(titles).toEqual(['5', '4', '3', '2', '1'])
  const url = `/api/events?type=job.funded&cursor=${first.nextCursor}`
  expect((await api.http.inject({ url, headers })).statusCode).toBe(400)
})

test('needs a session, or a key that may read', async () => {
  expect((await api.http.inject('/api/events')).statusCode).toBe(401)
})
