import { DELIVERY_MAX_LENGTH, MAX_FILES_AT_ONCE } from '@agent-marketplace/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { dataPart, rawPart, startA2aAgent, textPart } from '../testing/start-a2a-agent.ts'
import { type A2aConnections, startA2aConnections } from '../testing/start-a2a-connections.ts'

/** Bring your agent by A2A: jobs go to a real A2A server, and what its tasks become is delivered in the seller's name. */

const PRICE = '150000000'
const SCORING = 'cscoring00000000000000001'
const outputSchema = {
  type: 'object',
  properties: { score: { type: 'number', minimum: 0, maximum: 1 } },
  required: ['score'],
}

let connections: A2aConnections
let world: A2aConnections['world']
let agent: A2aConnections['agent']
beforeAll(async () => {
  connections = await startA2aConnections()
  ;({ world, agent } = connections)
})
afterAll(() => connections.close())
beforeEach(() => connections.forgetJobs())

async function newAgent(services: Parameters<typeof world.newConnectedAgent>[0] = {}, more: object = {}) {
  const seller = await world.newOwner()
  const made = await world.newAgent(seller, services)
  const url = `/api/agents/${made.wallet}/connection`
  const set = await world.inject('PUT', url, seller.headers, { kind: 'A2A', url: agent.url, ...more })
  expect(set.statusCode, set.body).toBe(200)
  return { seller, agent: made, url, connection: set.json().data }
}

async function newJob(services: Parameters<typeof newAgent>[0] = {}, more: object = {}) {
  const connected = await newAgent(services)
  const client = await world.newOwner()
  const jobId = await world.hireAndFund(client, connected.agent, PRICE, { deadlineHours: 24, ...more })
  await world.work()
  return { ...connected, client, jobId }
}

/** Time passes, and the agent's task is looked at. */
async function look(seconds = 60) {
  await world.advance(seconds)
  await world.work()
}

/** Longer than a look may take before another one begins. */
const CLAIM_IS_OVER = 121

/** A look whose agent takes its time with the response; other looks are not held up. */
async function beginSlowLook() {
  await world.advance(60)
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  agent.lookAfter(() => {
    agent.lookAfter(undefined)
    asked.resolve()
    return released.promise
  })
  const worker = world.work()
  await asked.promise
  return {
    async end() {
      released.resolve()
      await worker
    },
  }
}

type Party = Awaited<ReturnType<typeof world.newOwner>>
const listOf = async (owner: Party, jobId: string, list: 'progress' | 'messages') =>
  (await world.get(owner, `/api/jobs/${jobId}/${list}`)).json().data
const stepsOf = async (owner: Party, jobId: string) =>
  (await listOf(owner, jobId, 'progress')).map(({ step }: { step: string }) => step)
const write = (owner: Party, jobId: string, text: string) =>
  world.inject('POST', `/api/jobs/${jobId}/messages`, owner.headers, { text })
const dispatchOf = async ({ seller, agent: made }: { seller: Party; agent: { wallet: string } }) =>
  (await world.connectionOf(seller, made as never)).dispatches[0]

describe('a job', () => {
  test('is sent as a message; reports are progress, artifacts the delivery, and the buyer pays', async () => {
    const job = await newJob()
    const { client, jobId } = job
    expect(agent.received).toHaveLength(1)
    expect(agent.received[0]).toMatchObject({ messageId: `job_${jobId}_1`, taskId: '', referenceTaskIds: [] })
    const [words, data] = agent.received[0]?.parts ?? []
    expect(words?.content?.value).toBe('Reconcile October\n\nAll of it.')
    expect(data?.content?.value).toMatchObject({
      test: false,
      callback: null,
      job: { id: jobId, amount: PRICE },
    })
    expect(await dispatchOf(job)).toMatchObject({ state: 'WORKING', attempts: 1, nextAttemptAt: null })

    agent.tell('task-1', { state: 'TASK_STATE_WORKING', text: 'Reading' })
    agent.tell('task-1', { state: 'TASK_STATE_WORKING', text: 'Matching' })
    await look()
    await look()
    expect(await stepsOf(client, jobId)).toEqual(['Reading', 'Matching'])

    agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', text: 'Done.', parts: [textPart('All match.')] })
    await look()
    const delivered = await world.jobOf(client, jobId)
    expect([delivered.status, delivered.delivery.content]).toEqual(['UNDER_REVIEW', 'All match.'])
    expect(await stepsOf(client, jobId)).toEqual(['Reading', 'Matching'])
    expect(await dispatchOf(job)).toMatchObject({ state: 'DELIVERED', attempts: 1, error: null })
    expect(agent.received).toHaveLength(1)
    await world.act(client, jobId, 'approve')
    await world.runUntilIdle()
    expect((await world.jobOf(client, jobId)).escrowState).toBe('RELEASED')
    expect(await world.breaches()).toEqual([])
  })

  test('is delivered at once by an agent that returns a message, or a task that is done', async () => {
    agent.respondWith((message) => ({ ...message, messageId: 'r', parts: [textPart('By message.')] }))
    const byMessage = await newJob()
    agent.respondWith((message) =>
      agent.take(message, { state: 'TASK_STATE_COMPLETED', parts: [textPart('By task.')] }),
    )
    const byTask = await newJob()
    agent.respondWith((message) =>
      agent.take(message, {
        state: 'TASK_STATE_COMPLETED',
        parts: [dataPart({ total: 7 }), dataPart('Seven.')],
      }),
    )
    const byData = await newJob()
    for (const [{ client, jobId }, content] of [
      [byMessage, 'By message.'],
      [byTask, 'By task.'],
      // Data that nobody was promised is written down.
      [byData, '```json\n{\n  "total": 7\n}\n```\n\nSeven.'],
    ] as const)
      expect((await world.jobOf(client, jobId)).delivery.content).toBe(content)
  })

  test('that comes back for changes is another message, in the same context, about the task before', async () => {
    const { client, jobId } = await newJob()
    agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', parts: [textPart('First.')] })
    await look()
    await world.act(client, jobId, 'request-changes', { reason: 'Add the fees.' })
    await world.work()
    expect(agent.received[1]).toMatchObject({
      messageId: `job_${jobId}_2`,
      contextId: 'context-1',
      referenceTaskIds: ['task-1'],
    })
    expect(agent.received[1]?.parts[0]?.content?.value).toContain('Add the fees.')
    agent.tell('task-2', { state: 'TASK_STATE_COMPLETED', parts: [textPart('Second.')] })
    await look()
    expect((await world.jobOf(client, jobId)).delivery.content).toBe('Second.')
  })
})

describe('a question', () => {
  test('goes to the buyer once, and the reply to the same task', async () => {
    const { client, seller, jobId } = await newJob()
    agent.tell('task-1', { state: 'TASK_STATE_INPUT_REQUIRED', text: 'Which month?', messageId: 'q1' })
    await write(client, jobId, 'Hello, are you there?')
    await look()
    await look()
    const asked = await listOf(client, jobId, 'messages')
    expect(asked.map(({ from, text }: { from: string; text: string }) => [from, text])).toEqual([
      ['CLIENT', 'Hello, are you there?'],
      ['SELLER', 'Which month?'],
    ])
    // What was written before is no reply.
    expect(agent.received).toHaveLength(1)

    agent.respondWith((message) => agent.take(message, { state: 'TASK_STATE_WORKING', text: 'Going on' }))
    await write(client, jobId, 'October')
    const brought = await world.http.inject({
      method: 'PUT',
      url: `/api/jobs/${jobId}/uploads/November.csv`,
      headers: { ...client.headers, 'content-type': 'text/csv' },
      payload: 'a,b',
    })
    const files = [brought.json().data.id]
    const reply = await world.send(client, `/api/jobs/${jobId}/messages`, { text: 'And November', files })
    await world.work()
    expect(agent.received).toHaveLength(2)
    expect(agent.received[1]).toMatchObject({
      messageId: reply.json().data.id,
      taskId: 'task-1',
      contextId: 'context-1',
    })
    expect(agent.received[1]?.parts[0]?.content?.value).toBe('October\n\nAnd November')
    const file = agent.received[1]?.parts[1]
    expect(file).toMatchObject({ filename: 'November.csv', mediaType: 'text/csv', content: { $case: 'url' } })
    const { pathname, search } = new URL(String(file?.content?.value))
    expect((await world.inject('GET', pathname + search, {})).body).toBe('a,b')

    agent.tell('task-1', { state: 'TASK_STATE_INPUT_REQUIRED', text: 'Which year?', messageId: 'q2' })
    await look()
    expect((await listOf(client, jobId, 'messages')).at(-1).text).toBe('Which year?')
    await write(client, jobId, '2026')
    await world.work()
    expect(agent.received.at(-1)?.parts[0]?.content?.value).toBe('2026')
    agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', parts: [textPart('Done.')] })
    await look()
    expect((await world.jobOf(client, jobId)).status).toBe('UNDER_REVIEW')
    expect(await stepsOf(seller, jobId)).toEqual(['Going on', 'Going on'])
    expect(agent.received).toHaveLength(3)
  })

  test('gets its reply again, as the same message, when the first did not arrive', async () => {
    const { client, jobId } = await newJob()
    agent.tell('task-1', { state: 'TASK_STATE_INPUT_REQUIRED', text: 'Which month?', messageId: 'q1' })
    await look()
    agent.respondWith(() => {
      throw new Error('busy')
    })
    const first = (await write(client, jobId, 'October')).json().data.id
    await world.work()
    await write(client, jobId, 'No, November')
    agent.respondWith((message) => agent.take(message, { state: 'TASK_STATE_WORKING' }))
    await look()
    expect(agent.received.slice(1).map(({ messageId }) => messageId)).toEqual([first, first])
  })

  test('and its reply go once, although a slow look is overtaken by another', async () => {
    const { client, jobId } = await newJob()
    agent.tell('task-1', { state: 'TASK_STATE_INPUT_REQUIRED', text: 'Which month?', messageId: 'q1' })
    const textsOf = async () =>
      (await listOf(client, jobId, 'messages')).map(({ text }: { text: string }) => text)

    const asking = await beginSlowLook()
    await look(CLAIM_IS_OVER)
    await asking.end()
    expect(await textsOf()).toEqual(['Which month?'])

    agent.respondWith((message) =>
      agent.take(message, { state: 'TASK_STATE_INPUT_REQUIRED', text: 'Which year?', messageId: 'q2' }),
    )
    await write(client, jobId, 'October')
    const replying = await beginSlowLook()
    await write(client, jobId, 'And November')
    await look(CLAIM_IS_OVER)
    await write(client, jobId, '2026')
    await replying.end()
    const repliesOf = () => agent.received.slice(1).map(({ parts }) => parts[0]?.content?.value)
    expect(repliesOf()).toEqual(['October\n\nAnd November'])

    agent.respondWith((message) => agent.take(message, { state: 'TASK_STATE_WORKING' }))
    await look()
    expect(repliesOf()).toEqual(['October\n\nAnd November', '2026'])
    expect(await textsOf()).toEqual(['Which month?', 'October', 'And November', 'Which year?', '2026'])
  })
})

describe('what goes wrong', () => {
  test('an agent that could not be reached gets the same message again', async () => {
    agent.interceptWith((request, response) => {
      if (request.method === 'GET') return false
      request.socket.destroy()
      response.destroy()
      return true
    })
    const job = await newJob()
    expect(await dispatchOf(job)).toMatchObject({
      state: 'PENDING',
      attempts: 1,
      error: 'The connection was cut off.',
    })
    agent.interceptWith(undefined)
    await look()
    expect(agent.received.map(({ messageId }) => messageId)).toEqual([`job_${job.jobId}_1`])
    agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', parts: [textPart('Done.')] })
    await look()
    expect(await world.countDeliveries(job.jobId)).toBe(1)
  })

  test('while its task cannot be polled, it is neither sent again nor lost', async () => {
    const job = await newJob()
    agent.interceptWith((_request, response) => {
      response.writeHead(503).end()
      return true
    })
    for (let looks = 0; looks < 5; looks += 1) await look()
    expect((await world.connectionOf(job.seller, job.agent)).lastCall).toMatchObject({
      ok: false,
      responseStatus: 503,
    })
    agent.interceptWith(undefined)
    agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', parts: [textPart('Done.')] })
    await look()
    expect((await world.jobOf(job.client, job.jobId)).status).toBe('UNDER_REVIEW')
    expect(agent.received).toHaveLength(1)
  })

  test('an agent that has lost its task gets the same message again', async () => {
    const job = await newJob()
    agent.tasks.clear()
    await look()
    expect(await dispatchOf(job)).toMatchObject({
      state: 'PENDING',
      error: expect.stringContaining('does not know'),
    })
    await look()
    expect(agent.received.map(({ messageId }) => messageId)).toEqual([
      `job_${job.jobId}_1`,
      `job_${job.jobId}_1`,
    ])
  })

  test.each([
    ['TASK_STATE_FAILED', 'The agent failed: Out of memory.'],
    ['TASK_STATE_REJECTED', 'The agent rejected the job: Out of memory.'],
    ['TASK_STATE_CANCELED', 'The agent cancelled its task: Out of memory.'],
  ] as const)(
    'a task that ends as %s is tried again as another message, with the reason',
    async (state, error) => {
      const job = await newJob()
      agent.tell('task-1', { state, text: 'Out of memory.' })
      await look()
      expect(await dispatchOf(job)).toMatchObject({ state: 'PENDING', attempts: 1, error })
      await look()
      expect(agent.received[1]).toMatchObject({
        messageId: `job_${job.jobId}_1_2`,
        contextId: 'context-1',
        referenceTaskIds: ['task-1'],
      })
      expect(agent.received[1]?.parts[0]?.content?.value).toContain(error)
    },
  )

  test('a result that does not fit the schema is not delivered, and its successor is', async () => {
    const connected = await newAgent({ services: [{ id: SCORING, priceMicro: PRICE, deliveryHours: 24 }] })
    const terms = sql.json({ [SCORING]: { outputSchema } })
    await world.db.run(sql`update agents set service_terms = ${terms}::json where id = ${connected.agent.id}`)
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, connected.agent, PRICE, { serviceId: SCORING })
    await world.work()
    agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', parts: [dataPart({ score: 7 })] })
    await look()
    expect(await dispatchOf(connected)).toMatchObject({
      state: 'PENDING',
      error: expect.stringContaining('/output/score'),
    })
    await look()
    agent.tell('task-2', {
      state: 'TASK_STATE_COMPLETED',
      parts: [textPart('Here it is.'), dataPart({ score: 0.7 })],
    })
    await look()
    expect((await world.jobOf(client, jobId)).delivery.output).toEqual({ score: 0.7 })
    expect(await world.countDeliveries(jobId)).toBe(1)
  })

  test('at the deadline both sides are notified, once', async () => {
    const { client, jobId } = await newJob()
    await look(25 * 3600)
    await look()
    const { notifications } = (await world.get(client, '/api/notifications')).json().data
    expect(
      notifications.filter(({ title }: { title: string }) =>
        ['The agent did not deliver', 'Deadline missed', 'Job overdue'].includes(title),
      ),
    ).toHaveLength(1)
    agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', parts: [textPart('Too late.')] })
    await look()
    expect(await world.countDeliveries(jobId)).toBe(0)
  })

  test('a job goes to the program of an agent that is connected by HTTP meanwhile', async () => {
    const { jobId, url, seller } = await newJob()
    const http = { kind: 'HTTP', url: world.program.url }
    expect((await world.inject('PUT', url, seller.headers, http)).statusCode).toBe(200)
    await look()
    await look()
    expect(world.sentFor(jobId)).toHaveLength(1)
  })

  test('a task of a job that was delivered by hand is left alone', async () => {
    const { client, seller, jobId } = await newJob()
    await world.act(seller, jobId, 'deliver', { content: 'By hand.' })
    agent.tell('task-1', { state: 'TASK_STATE_COMPLETED', parts: [textPart('By the agent.')] })
    await look()
    expect((await world.jobOf(client, jobId)).delivery.content).toBe('By hand.')
    expect(await world.countDeliveries(jobId)).toBe(1)
  })
})

describe('the connection', () => {
  const tokens = () => [...new Set(agent.headers.map(({ authorization }) => authorization))]

  test('has no secret; its token is kept sealed and goes to the agent', async () => {
    const { connection, agent: made, seller, url } = await newAgent({}, { token: 'agents-own-token' })
    expect(connection).toMatchObject({ kind: 'A2A', url: `${agent.url}/`, secret: null, hasToken: true })
    const stored = await world.db.one<{ text: string }>(
      sql`select row_to_json(agent_connections)::text as text from agent_connections where agent_id = ${made.id}`,
    )
    expect(stored.text).not.toContain('agents-own-token')
    agent.respondWith((message) =>
      agent.take(message, { state: 'TASK_STATE_COMPLETED', parts: [textPart('Hi.')] }),
    )
    await world.inject('POST', `${url}/test`, seller.headers)
    expect(tokens()).toEqual(['Bearer agents-own-token'])

    // It stays with its origin, and goes when it is removed.
    const set = async (more: object) =>
      (await world.inject('PUT', url, seller.headers, { kind: 'A2A', url: agent.url, ...more })).json().data
        .hasToken
    expect(await set({ url: `${agent.url}/other` })).toBe(true)
    expect(await set({ url: 'https://elsewhere.example.com' })).toBe(false)
    expect(await set({ token: 'another' })).toBe(true)
    expect(await set({ token: null })).toBe(false)
  })

  test('does not give its token to another origin that the card names', async () => {
    const other = await startA2aAgent()
    agent.nameInterface(`${other.url}/rpc`)
    const { url, seller } = await newAgent({}, { url: `${agent.url}/moved`, token: 'agents-own-token' })
    other.respondWith((message) =>
      other.take(message, { state: 'TASK_STATE_COMPLETED', parts: [textPart('Hi.')] }),
    )
    expect((await world.inject('POST', `${url}/test`, seller.headers)).json().data).toMatchObject({
      ok: true,
    })
    expect(tokens()).toEqual(['Bearer agents-own-token'])
    expect(other.headers.map(({ authorization }) => authorization)).toEqual([undefined])
    await other.close()
  })

  test('changes kind, with a secret of its own each time it becomes HTTP', async () => {
    const { url, seller } = await newAgent({}, { token: 't' })
    const set = async (body: object) => (await world.inject('PUT', url, seller.headers, body)).json().data
    const http = await set({ kind: 'HTTP', url: world.program.url })
    expect(http).toMatchObject({ kind: 'HTTP', hasToken: false, secret: expect.stringMatching(/^whsec_/) })
    expect(await set({ kind: 'A2A', url: agent.url })).toMatchObject({
      kind: 'A2A',
      hasToken: false,
      secret: null,
    })
    const again = await set({ kind: 'HTTP', url: world.program.url })
    expect(again.secret).toMatch(/^whsec_/)
    expect(again.secret).not.toBe(http.secret)
  })

  test.each([
    ['a new secret', { newSecret: true }],
    ['a token with spaces', { token: 'a b' }],
    ['no URL', { url: undefined }],
  ])('rejects %s', async (_what, more) => {
    const { url, seller } = await newAgent()
    const body = { kind: 'A2A', url: agent.url, ...more }
    expect((await world.inject('PUT', url, seller.headers, body)).statusCode).toBe(400)
  })

  test('a test job shows request, response and time', async () => {
    const { url, seller } = await newAgent()
    agent.respondWith((message) =>
      agent.take(message, { state: 'TASK_STATE_COMPLETED', parts: [textPart('Hello.')] }),
    )
    const { data } = (await world.inject('POST', `${url}/test`, seller.headers)).json()
    expect(data).toMatchObject({
      ok: true,
      verdict: 'The agent delivered a result.',
      request: { url: `${agent.url}/`, body: { test: true } },
      status: 200,
      response: expect.stringContaining('TASK_STATE_COMPLETED'),
      durationMs: expect.any(Number),
    })
    agent.respondWith((message) => agent.take(message, { state: 'TASK_STATE_FAILED', text: 'No.' }))
    expect((await world.inject('POST', `${url}/test`, seller.headers)).json().data).toMatchObject({
      ok: false,
      verdict: 'The agent failed: No.',
    })
    agent.respondWith((message) =>
      agent.take(message, { state: 'TASK_STATE_INPUT_REQUIRED', text: 'Which?' }),
    )
    expect((await world.inject('POST', `${url}/test`, seller.headers)).json().data.ok).toBe(true)
    expect(agent.tasks.get('task-3')?.status?.state).toBe(5)
    // The card is read again, whatever was known of it.
    agent.nameInterface('http://10.0.0.1/rpc')
    expect((await world.inject('POST', `${url}/test`, seller.headers)).json().data).toMatchObject({
      ok: false,
      verdict: 'The host is a private or local address.',
    })
  })

  test.each([
    ['too long', [textPart('x'.repeat(DELIVERY_MAX_LENGTH + 1))]],
    [
      'with too many files',
      Array.from({ length: MAX_FILES_AT_ONCE + 1 }, (_, n) => rawPart(`${n}`, '', Buffer.from('x'))),
    ],
  ])('a test job says what a real one would: a result %s is rejected', async (_what, parts) => {
    const { url, seller } = await newAgent()
    agent.respondWith((message) => agent.take(message, { state: 'TASK_STATE_COMPLETED', parts }))
    const tested = await world.inject('POST', `${url}/test`, seller.headers)
    expect([tested.statusCode, tested.json().data.ok]).toEqual([200, false])
  })
})
