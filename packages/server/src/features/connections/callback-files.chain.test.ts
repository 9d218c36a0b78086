import { afterAll, beforeAll, expect, test } from 'vitest'
import { respondJson, startConnections } from './testing/start-connections.ts'

let world: Awaited<ReturnType<typeof startConnections>>
beforeAll(async () => {
  world = await startConnections()
})
afterAll(() => world.close())

test('an agent brings and takes files with the token of its job alone, and delivers them', async () => {
  world.program.respondWith(respondJson(202, {}))
  const { agent } = await world.newConnectedAgent()
  const client = await world.newOwner()
  const [jobId, other] = [await world.hireAndFund(client, agent), await world.hireAndFund(client, agent)]
  await world.work()
  const token: string = world.sentFor(jobId)[0]?.body.callback.token
  const headers = { authorization: `Bearer ${token}` }
  const bring = (id: string, sent: Record<string, string> = headers) =>
    world.http.inject({
      method: 'PUT',
      url: `/api/jobs/${id}/callback/uploads/report.csv`,
      headers: { ...sent, 'content-type': 'text/csv' },
      payload: 'a,b',
    })
  const statuses = [await bring(jobId, {}), await bring(jobId, client.headers), await bring(other)]
  expect(statuses.map(({ statusCode }) => statusCode)).toEqual([401, 401, 403])
  const brought = await bring(jobId)
  const file = brought.json().data
  expect([brought.statusCode, file]).toMatchObject([
    201,
    { name: 'report.csv', mediaType: 'text/csv', from: 'SELLER' },
  ])

  const question = await world.http.inject({
    method: 'PUT',
    url: `/api/jobs/${jobId}/uploads/data.txt`,
    headers: client.headers,
    payload: 'from the client',
  })
  const { id } = question.json().data
  const take = () => world.inject('GET', `/api/jobs/${jobId}/callback/files/${id}`, headers)
  expect((await take()).statusCode).toBe(404)
  await world.send(client, `/api/jobs/${jobId}/messages`, { text: 'Use this.', files: [id] })
  expect((await take()).body).toBe('from the client')

  expect((await world.callback(jobId, token, { content: 'Done.', files: [file.id] })).statusCode).toBe(200)
  expect((await world.callback(jobId, token, { content: 'Done.', files: [file.id] })).statusCode).toBe(200)
  const { delivery } = await world.jobOf(client, jobId)
  expect([delivery.content, delivery.files]).toEqual(['Done.', [file]])
  expect(await world.countDeliveries(jobId)).toBe(1)
  expect([(await bring(jobId)).statusCode, (await take()).statusCode]).toEqual([401, 401])
})
