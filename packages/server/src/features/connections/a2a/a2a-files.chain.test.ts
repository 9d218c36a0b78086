import { MAX_FILES_AT_ONCE, MAX_JOB_FILE_BYTES } from '@agent-marketplace/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { type Reply, respondWith } from '../../../testing/processes/start-receiver.ts'
import { rawPart, textPart, urlPart } from '../testing/start-a2a-agent.ts'
import { type A2aConnections, startA2aConnections } from '../testing/start-a2a-connections.ts'

/** Files in the artifacts of an A2A agent are files of the delivery. */

let connections: A2aConnections
let world: A2aConnections['world']
let agent: A2aConnections['agent']
beforeAll(async () => {
  connections = await startA2aConnections()
  ;({ world, agent } = connections)
})
afterAll(() => connections.close())
beforeEach(async () => {
  await connections.forgetJobs()
  world.program.respondWith(respondWith(404))
})

const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0x0a])
const table = rawPart('October.csv', 'text/csv', Buffer.from('a,b\n1,2\n'))

/** A job that the agent has taken as task-1. */
async function newJob() {
  const seller = await world.newOwner()
  const made = await world.newAgent(seller)
  const url = `/api/agents/${made.wallet}/connection`
  await world.inject('PUT', url, seller.headers, { kind: 'A2A', url: agent.url })
  const client = await world.newOwner()
  const jobId = await world.hireAndFund(client, made)
  await world.work()
  return { seller, agent: made, url, client, jobId }
}

async function complete(parts: Parameters<typeof agent.tell>[1]['parts'], text?: string) {
  agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', ...(text && { text }), parts: parts ?? [] })
  await look()
}

/** Time passes, and the agent's task is looked at. */
async function look() {
  await world.advance(100)
  await world.work()
}

type Job = Awaited<ReturnType<typeof newJob>>
interface File {
  id: string
  name: string
  mediaType: string
}

const deliveryOf = async ({ client, jobId }: Job) => (await world.jobOf(client, jobId)).delivery
const dispatchOf = async ({ seller, agent: made }: Job) =>
  (await world.connectionOf(seller, made)).dispatches[0]
const lastCallOf = async ({ seller, agent: made }: Job) => (await world.connectionOf(seller, made)).lastCall

/** Name, type and bytes of what the buyer downloads. */
async function downloaded(job: Job): Promise<[string, string, Buffer][]> {
  const { files } = await deliveryOf(job)
  return Promise.all(
    files.map(async ({ id, name, mediaType }: File) => {
      const response = await world.get(job.client, `/api/jobs/${job.jobId}/files/${id}`)
      expect(response.statusCode).toBe(200)
      return [name, mediaType, response.rawPayload]
    }),
  )
}

/** The file server of somebody: its files by their paths. */
const serve =
  (files: Record<string, { type: string; bytes: Buffer }>): Reply =>
  (request, response) => {
    const file = files[request.url ?? '']
    if (!file) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': file.type }).end(file.bytes)
  }
const at = (path: string) => new URL(path, world.program.url).href

test('bytes and URLs in artifacts are delivered as files, with their names, types and bytes', async () => {
  world.program.respondWith(serve({ '/files/chart%20one.png?key=1': { type: 'image/png', bytes: picture } }))
  const job = await newJob()
  await complete([
    textPart('See the files.'),
    table,
    urlPart(at('/files/chart%20one.png?key=1')),
    rawPart('out/October.csv', '', Buffer.from('x')),
  ])
  expect((await deliveryOf(job)).content).toBe('See the files.')
  expect(await downloaded(job)).toEqual([
    ['October.csv', 'text/csv', Buffer.from('a,b\n1,2\n')],
    ['chart one.png', 'image/png', picture],
    ['October (2).csv', 'application/octet-stream', Buffer.from('x')],
  ])
  expect(await dispatchOf(job)).toMatchObject({ state: 'DELIVERED', attempts: 1, error: null })
})

test('files alone are a delivery, with the last words as its note; so are those of a message', async () => {
  const job = await newJob()
  await complete([table], 'Both months match.')
  expect(await deliveryOf(job)).toMatchObject({
    content: null,
    note: 'Both months match.',
    files: [{ name: 'October.csv' }],
  })
  agent.respondWith((message) => ({ ...message, messageId: 'r', parts: [table] }))
  const byMessage = await newJob()
  expect((await deliveryOf(byMessage)).files).toMatchObject([{ name: 'October.csv' }])
})

test('a service that dies between keeping the files and delivering them delivers once, each file once', async () => {
  world.program.respondWith(serve({ '/chart.png': { type: 'image/png', bytes: picture } }))
  const job = await newJob()
  await world.db.run(sql`alter table job_deliveries add constraint dies check (false) not valid`)
  await complete([table, urlPart(at('/chart.png'))]).finally(() =>
    world.db.run(sql`alter table job_deliveries drop constraint dies`),
  )
  const idsOf = () =>
    world.db.rows<{ id: string }>(sql`select id from job_files where job_id = ${job.jobId} order by id`)
  const kept = await idsOf()
  expect([kept.length, await world.countDeliveries(job.jobId)]).toEqual([2, 0])
  await look()
  await look()
  expect([await idsOf(), await world.countDeliveries(job.jobId)]).toEqual([kept, 1])
  expect((await downloaded(job)).map(([name]) => name)).toEqual(['October.csv', 'chart.png'])
  expect(agent.received).toHaveLength(1)
})

test('names of an agent are its own: ours step aside, and those that become the same are numbered', async () => {
  const job = await newJob()
  const names = ['delivery.md', 'a?.txt', 'a*.txt', 'out/a_.txt']
  await complete([textPart('All.'), ...names.map((name) => rawPart(name, 'text/plain', Buffer.from(name)))])
  const kept = ['delivery.md', 'a_.txt', 'a_ (2).txt', 'a_ (3).txt']
  expect(await downloaded(job)).toEqual(
    names.map((name, place) => [kept[place], 'text/plain', Buffer.from(name)]),
  )
  expect((await deliveryOf(job)).content).toBe('All.')
})

test('while a file cannot be fetched, the result is kept and delivered later', async () => {
  const job = await newJob()
  world.program.respondWith(respondWith(503))
  await complete([urlPart(at('/chart.png'))])
  expect(await lastCallOf(job)).toMatchObject({
    ok: false,
    error: 'The file chart.png could not be fetched: Its URL returned 503.',
  })
  world.program.respondWith((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    response.destroy()
  })
  await look()
  expect(await world.countDeliveries(job.jobId)).toBe(0)
  world.program.respondWith(serve({ '/chart.png': { type: 'image/png', bytes: picture } }))
  await look()
  expect(await downloaded(job)).toEqual([['chart.png', 'image/png', picture]])
  expect(agent.received).toHaveLength(1)
})

test.each([
  ['is gone', () => [urlPart(at('/gone.png'))], 'the URL of gone.png returned 404'],
  ['is on a private address', () => [urlPart('http://10.0.0.1/a.png')], 'is a private or local address'],
  ['is no URL', () => [urlPart('file:///etc/passwd')], 'the URL of passwd must begin with https://'],
  [
    'is one too many',
    () => Array.from({ length: MAX_FILES_AT_ONCE + 1 }, () => table),
    `${MAX_FILES_AT_ONCE} are the most`,
  ],
])('a file that %s is rejected, and the agent learns why', async (_what, parts, reason) => {
  const job = await newJob()
  await complete(parts())
  expect(await dispatchOf(job)).toMatchObject({ state: 'PENDING', error: expect.stringContaining(reason) })
  await look()
  expect(agent.received[1]?.parts[0]?.content?.value).toContain(reason)
  expect(await world.countDeliveries(job.jobId)).toBe(0)
})

test('a file that is too large, or never ends, is rejected', async () => {
  const job = await newJob()
  const size = { 'content-length': String(MAX_JOB_FILE_BYTES + 1) }
  world.program.respondWith((_request, response) => void response.writeHead(200, size).flushHeaders())
  await complete([urlPart(at('/large.bin'))])
  const reason = `A file has at most ${MAX_JOB_FILE_BYTES} bytes.`
  expect(await dispatchOf(job)).toMatchObject({ state: 'PENDING', error: reason })

  const chunk = Buffer.alloc(1024 * 1024)
  world.program.respondWith((_request, response) => {
    const pour = () => {
      if (!response.destroyed) response.write(chunk, () => setImmediate(pour))
    }
    response.writeHead(200)
    pour()
  })
  await look()
  agent.tell('task-2', { state: 'TASK_STATE_COMPLETED', parts: [urlPart(at('/endless.bin'))] })
  await look()
  expect(await dispatchOf(job)).toMatchObject({
    state: 'PENDING',
    error: expect.stringContaining(String(MAX_JOB_FILE_BYTES)),
  })
  expect(await world.countDeliveries(job.jobId)).toBe(0)
  const left = sql`select count(*)::integer as count from job_files where job_id = ${job.jobId}`
  expect(await world.db.one(left)).toEqual({ count: 0 })
})

test('the agent’s token does not go to where its files are', async () => {
  world.program.respondWith(serve({ '/chart.png': { type: 'image/png', bytes: picture } }))
  const job = await newJob()
  await world.inject('PUT', job.url, job.seller.headers, {
    kind: 'A2A',
    url: agent.url,
    token: 'secret-token',
  })
  await complete([urlPart(at('/chart.png'))])
  expect((await deliveryOf(job)).files).toHaveLength(1)
  const request = world.program.received.at(-1)
  expect([request?.method, request?.headers.authorization]).toEqual(['GET', undefined])
})

test('a test job that returns files alone is a result', async () => {
  const { url, seller } = await newJob()
  agent.respondWith((message) => agent.take(message, { state: 'TASK_STATE_COMPLETED', parts: [table] }))
  expect((await world.inject('POST', `${url}/test`, seller.headers)).json().data).toMatchObject({
    ok: true,
    verdict: 'The agent delivered a result.',
  })
})
