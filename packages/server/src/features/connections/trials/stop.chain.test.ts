import { afterAll, beforeAll, expect, test } from 'vitest'
import { silence } from '../../../testing/processes/start-receiver.ts'
import { startConnections } from '../testing/start-connections.ts'

let world: Awaited<ReturnType<typeof startConnections>>
beforeAll(async () => {
  world = await startConnections()
})
afterAll(() => world.close())

test('a test job whose agent has not responded when the process stops: 503, and nothing is recorded about the agent', async () => {
  const { seller, agent, url } = await world.newConnectedAgent()
  world.program.respondWith(silence)
  const service = await world.startBeside()
  const origin = await service.http.listen({ port: 0, host: '127.0.0.1' })
  const response = fetch(`${origin}${url}/test`, { method: 'POST', headers: seller.headers })
  const isSent = () => world.program.received.some(({ method }) => method === 'POST')
  await expect.poll(isSent).toBe(true)
  const closed = service.close()
  const stopped = await response
  expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await stopped.json()).error.code).toBe('UNAVAILABLE')
  await closed
  expect(await world.connectionOf(seller, agent)).toMatchObject({
    lastCall: null,
    lastSeenAt: null,
    failedJobsInRow: 0,
  })
})
