import { rateLimitsPerMinute } from '@agent-marketplace/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryRateLimiter } from '../../platform/http/limits/rate-limit.ts'
import { uncounted } from '../../testing/uncounted.ts'
import { respondJson, startConnections } from './testing/start-connections.ts'

let limiter = uncounted
let world: Awaited<ReturnType<typeof startConnections>>
beforeAll(async () => {
  world = await startConnections({
    ports: () => ({ limiter: { ...uncounted, hit: (key, limit) => limiter.hit(key, limit) } }),
  })
})
afterAll(() => world.close())

test('an agent brings and takes files, asks and reads with the token of its job alone, and delivers', async () => {
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

  const refusedByUrl = await world.inject('GET', `/api/jobs/${jobId}/callback/files/${id}?access=x`, {})
  expect(refusedByUrl.statusCode).toBe(401)

  const talk = (id: string, sent: Record<string, string>, payload?: object) =>
    world.inject(payload ? 'POST' : 'GET', `/api/jobs/${id}/callback/messages`, sent, payload)
  const hello = { text: 'Which month?' }
  for (const body of [hello, undefined]) {
    const refused = [await talk(jobId, {}, body), await talk(other, headers, body)]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([401, 403])
  }
  const asked = await talk(jobId, headers, hello)
  expect([asked.statusCode, asked.json().data]).toMatchObject([201, { from: 'SELLER', text: 'Which month?' }])
  const notices = await world.notificationsOf(client.ownerId)
  expect(notices.at(-1)).toMatchObject({
    type: 'JOB_MESSAGE',
    message: expect.stringContaining('Which month?'),
  })
  await world.send(client, `/api/jobs/${jobId}/messages`, { text: 'October.' })
  const read = await talk(jobId, headers)
  expect(read.statusCode).toBe(200)
  expect(read.json().data).toMatchObject([
    { from: 'CLIENT', text: 'Use this.', files: [{ id }] },
    { from: 'SELLER', text: 'Which month?' },
    { from: 'CLIENT', text: 'October.' },
  ])

  expect((await world.callback(jobId, token, { content: 'Done.', files: [file.id] })).statusCode).toBe(200)
  expect((await world.callback(jobId, token, { content: 'Done.', files: [file.id] })).statusCode).toBe(200)
  const { delivery } = await world.jobOf(client, jobId)
  expect([delivery.content, delivery.files]).toEqual(['Done.', [file]])
  expect(await world.countDeliveries(jobId)).toBe(1)
  const afterwards = [
    await bring(jobId),
    await take(),
    await talk(jobId, headers, hello),
    await talk(jobId, headers),
  ]
  expect(afterwards.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401])
})

test('an agent is sent what the client handed in, as URLs that open while it has the job', async () => {
  world.program.respondWith(respondJson(202, {}))
  const { agent } = await world.newConnectedAgent()
  const [client, stranger] = [await world.newOwner(), await world.newOwner()]
  const store = async (owner: typeof client, content: string): Promise<string> =>
    (await world.send(owner, '/api/files', { content })).json().data.uri
  const attachments = [await store(client, 'The ledger.'), await store(stranger, 'A secret.')]
  const handedIn = await world.http.inject({
    method: 'PUT',
    url: '/api/uploads/Invoices.pdf',
    headers: { ...client.headers, 'content-type': 'application/pdf' },
    payload: '%PDF',
  })
  const more = { attachments, files: [handedIn.json().data.id] }
  const jobId = await world.hireAndFund(client, agent, '150000000', more)
  await world.work()
  const { job, callback } = world.sentFor(jobId)[0]?.body ?? {}
  const [cid] = attachments.map((uri) => uri.replace('ipfs://', ''))
  expect(job.attachments).toEqual(attachments)
  // Naming what somebody else has stored gives nothing.
  expect(job.files).toEqual([
    { name: cid, mediaType: 'application/octet-stream', sizeBytes: 11, url: expect.any(String) },
    { name: 'Invoices.pdf', mediaType: 'application/pdf', sizeBytes: 4, url: expect.any(String) },
  ])
  const invoices = new URL(job.files[1].url)

  const { pathname, search } = new URL(job.files[0].url)
  const open = (path: string) => world.inject('GET', path, {})
  expect((await open(pathname + search)).body).toBe('The ledger.')
  expect((await open(invoices.pathname + invoices.search)).body).toBe('%PDF')
  const token = { authorization: `Bearer ${callback.token}` }
  expect((await world.inject('GET', pathname, token)).body).toBe('The ledger.')
  expect((await open(pathname)).statusCode).toBe(401)
  expect((await open(`${pathname}${search}x`)).statusCode).toBe(401)

  await world.callback(jobId, callback.token, { content: 'Done.' })
  expect((await open(pathname + search)).statusCode).toBe(401)
  await world.runUntilIdle()
  await world.whileWorking(world.act(client, jobId, 'request-changes', { reason: 'Use this one.' }))
  const brought = await world.http.inject({
    method: 'PUT',
    url: `/api/jobs/${jobId}/uploads/October.csv`,
    headers: { ...client.headers, 'content-type': 'text/csv' },
    payload: 'a,b',
  })
  await world.send(client, `/api/jobs/${jobId}/messages`, { text: 'Here.', files: [brought.json().data.id] })
  await world.work()
  const again = world.sentFor(jobId).at(-1)?.body.job.files
  expect(again).toMatchObject([
    { name: cid },
    { name: 'Invoices.pdf' },
    { name: 'October.csv', mediaType: 'text/csv', sizeBytes: 3 },
  ])
  const second = new URL(again[2].url)
  expect((await open(second.pathname + second.search)).body).toBe('a,b')
})

test('a call with the token or a URL of a job is counted for the job, any other for its address', async () => {
  world.program.respondWith(respondJson(202, {}))
  const { agent } = await world.newConnectedAgent()
  const client = await world.newOwner()
  const { uri } = (await world.send(client, '/api/files', { content: 'The ledger.' })).json().data
  const jobId = await world.hireAndFund(client, agent, '150000000', { attachments: [uri] })
  const other = await world.hireAndFund(client, agent)
  await world.work()
  const { job, callback } = world.sentFor(jobId)[0]?.body ?? {}
  const token: string = callback.token
  const { pathname, search } = new URL(job.files[0].url)
  const open = async (url: string) => (await world.inject('GET', url, {})).statusCode
  const report = async (sent: string | undefined, id = jobId) =>
    (await world.callback(id, sent, { step: 'Reading' }, 'progress')).statusCode
  limiter = createMemoryRateLimiter({ now: () => new Date(0) })
  for (let count = 0; count < rateLimitsPerMinute.api; count += 1)
    await world.inject('GET', '/api/config', {})
  const statuses = [await report(undefined), await report('jct_wrong'), await report('wrong')]
  expect(statuses).toEqual([429, 429, 429])
  expect([await report(token), await report(token, other)]).toEqual([201, 403])
  expect([await open(`${pathname}${search}`), await open(`${pathname}?access=wrong`)]).toEqual([200, 429])
  expect([await open(pathname.replace(jobId, '%00') + search), await open(pathname)]).toEqual([429, 429])
  const delivered = await world.callback(jobId, token, { content: 'Done.' })
  expect(Number(delivered.headers['x-ratelimit-remaining'])).toBe(rateLimitsPerMinute.api - 4)
  expect(delivered.statusCode).toBe(200)
  // It ends with the job.
  expect([await report(token), await open(`${pathname}${search}`)]).toEqual([429, 429])
  limiter = uncounted
})

test('an agent speaks as the seller, also to a seller who has hired it', async () => {
  world.program.respondWith(respondJson(202, {}))
  const { agent, seller } = await world.newConnectedAgent()
  const jobId = await world.hireAndFund(seller, agent)
  await world.work()
  const token: string = world.sentFor(jobId)[0]?.body.callback.token
  const asked = await world.callback(jobId, token, { text: 'Which month?' }, 'messages')
  expect(asked.json().data).toMatchObject({ from: 'SELLER', text: 'Which month?' })
  const brought = await world.http.inject({
    method: 'PUT',
    url: `/api/jobs/${jobId}/callback/uploads/report.csv`,
    headers: { authorization: `Bearer ${token}` },
    payload: 'a,b',
  })
  expect(brought.json().data).toMatchObject({ name: 'report.csv', from: 'SELLER' })
  const replied = await world.send(seller, `/api/jobs/${jobId}/messages`, { text: 'October.' })
  expect(replied.json().data.from).toBe('CLIENT')
})
