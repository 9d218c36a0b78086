import { DEFAULT_DELIVERY_HOURS } from '@agent-marketplace/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { countValidSignatures, respondWith, startReceiver } from '../../testing/processes/start-receiver.ts'
import { respondJson, startConnections } from './testing/start-connections.ts'

/** Bring your agent: jobs go to a real HTTP server, and what it returns is delivered in the seller's name. */

const SCORING = 'cscoring00000000000000001'
const PRICE = '150000000'
const outputSchema = {
  type: 'object',
  properties: { score: { type: 'number', minimum: 0, maximum: 1 } },
  required: ['score'],
}

let world: Awaited<ReturnType<typeof startConnections>>
beforeAll(async () => {
  world = await startConnections()
})
afterAll(() => world.close())
beforeEach(() => world.program.respondWith(respondJson(200, { content: 'All of it matches.' })))

const HOUR = 3600

async function newScoringAgent() {
  const services = [{ id: SCORING, priceMicro: PRICE, deliveryHours: 24 }]
  const connected = await world.newConnectedAgent({ services })
  const terms = sql.json({ [SCORING]: { outputSchema } })
  await world.db.run(sql`update agents set service_terms = ${terms}::json where id = ${connected.agent.id}`)
  return connected
}

const newsOfDeadline = async ({ ownerId }: { ownerId: string }) =>
  (await world.notificationsOf(ownerId)).filter(({ message }) => /deadline|did not deliver/.test(message))

describe('a job that is paid', () => {
  test('is sent signed; a 200 with a result delivers it, and the buyer pays', async () => {
    const { agent, seller, secret } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent, PRICE, { deadlineHours: 24 })
    await world.work()

    const [sent, ...more] = world.sentFor(jobId)
    expect(more).toEqual([])
    expect(countValidSignatures({ ...sent, body: sent?.text } as never, secret)).toBe(1)
    expect(sent?.headers['webhook-id']).toBe(`job_${jobId}_1`)
    expect(sent?.body).toEqual({
      id: `job_${jobId}_1`,
      test: false,
      attempt: 1,
      lastError: null,
      job: {
        id: jobId,
        title: 'Reconcile October',
        description: 'All of it.',
        category: 'general',
        service: null,
        input: null,
        outputSchema: null,
        attachments: [],
        files: [],
        amount: PRICE,
        deadline: expect.stringMatching(/^2\d{3}-/),
        changes: null,
      },
      callback: {
        url: `http://localhost:4000/api/jobs/${jobId}/callback`,
        token: expect.stringMatching(/^jct_[\w-]{43}$/),
      },
    })
    const job = await world.jobOf(client, jobId)
    expect(job.status).toBe('UNDER_REVIEW')
    expect(job.delivery.content).toBe('All of it matches.')
    expect(await world.connectionOf(seller, agent)).toMatchObject({
      kind: 'HTTP',
      url: world.program.url,
      lastCall: { ok: true, responseStatus: 200, error: null },
      failedJobsInRow: 0,
      dispatches: [{ jobId, state: 'DELIVERED', attempts: 1, responseStatus: 200, error: null }],
    })
    expect((await world.act(client, jobId, 'approve')).statusCode).toBe(200)
    await world.runUntilIdle()
    expect((await world.jobOf(client, jobId)).escrowState).toBe('RELEASED')
    expect(await world.breaches()).toEqual([])
  })

  test('is sent again, under another id and with the wish, when changes are requested', async () => {
    const { agent } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent)
    await world.work()
    await world.act(client, jobId, 'request-changes', { reason: 'Add the fees.' })
    await world.work()
    expect(world.sentFor(jobId).map(({ body }) => [body.id, body.job.changes])).toEqual([
      [`job_${jobId}_1`, null],
      [`job_${jobId}_2`, 'Add the fees.'],
    ])
    expect(await world.countDeliveries(jobId)).toBe(2)
    expect((await world.jobOf(client, jobId)).status).toBe('UNDER_REVIEW')
  })

  test('that was delivered by hand leaves nothing of its first round behind when changes are requested', async () => {
    world.program.respondWith(respondWith(202))
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent, PRICE, { deadlineHours: 24 })
    await world.work()
    const first = world.sentFor(jobId)[0]?.body.callback.token
    await world.act(seller, jobId, 'deliver', { content: 'By hand.' })
    await world.act(client, jobId, 'request-changes', { reason: 'Add the fees.' })
    expect((await world.callback(jobId, first, { content: 'Of the first round.' })).statusCode).toBe(401)
    expect((await world.callback(jobId, first, { step: 'Still at it' }, 'progress')).statusCode).toBe(401)
    expect(await world.countDeliveries(jobId)).toBe(1)
    await world.work()
    expect((await world.connectionOf(seller, agent)).dispatches).toMatchObject([
      { id: `job_${jobId}_2`, state: 'WORKING' },
      { id: `job_${jobId}_1`, state: 'STOPPED' },
    ])
    // Past the deadline of the first round and before that of the second, nobody has failed.
    await world.advance(25 * HOUR)
    await world.work()
    expect((await world.connectionOf(seller, agent)).failedJobsInRow).toBe(0)
  })

  test('is not sent before it is paid, nor for an agent without a connection', async () => {
    const { agent } = await world.newConnectedAgent()
    const manual = await world.newAgent(await world.newOwner())
    const client = await world.newOwner()
    const { jobId: unpaid } = await world.hire(client, agent, PRICE)
    const byHand = await world.hireAndFund(client, manual)
    await world.work()
    expect([world.sentFor(unpaid), world.sentFor(byHand)]).toEqual([[], []])
  })

  test('is not sent further while a fork takes its payment back, and goes on under the same id', async () => {
    world.program.respondWith(respondWith(500))
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent, PRICE, { deadlineHours: 24 })
    await world.work()
    world.chaos.setWeather('dropped')
    await world.chaos.reorganise(1, () => false)
    await world.engine.runOnce()
    expect((await world.jobOf(client, jobId)).status).toBe('PENDING')
    await world.advance(60)
    await world.work()
    expect(world.sentFor(jobId)).toHaveLength(1)
    expect((await world.connectionOf(seller, agent)).dispatches).toMatchObject([{ state: 'STOPPED' }])

    world.program.respondWith(respondJson(200, { content: 'Done.' }))
    world.chaos.setWeather('fair')
    await world.runUntilIdle()
    await world.work()
    expect(world.sentFor(jobId).map(({ body }) => body.id)).toEqual([`job_${jobId}_1`, `job_${jobId}_1`])
    expect((await world.jobOf(client, jobId)).status).toBe('UNDER_REVIEW')
    expect(await world.countDeliveries(jobId)).toBe(1)
  })
})

describe('a refund of a job that its agent has yet to take', () => {
  test('stops the dispatch, which goes on under the same id if the refund fails', async () => {
    world.program.respondWith(respondWith(500))
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    await world.give(client.wallet.address, 5_000_000n)
    const { jobId } = await world.hire(client, agent, '5000000')
    const header = await world.x402Header(client.wallet, await world.act(client, jobId, 'pay'))
    await world.whileWorking(world.send(client, `/api/jobs/${jobId}/pay`, undefined, header))
    await world.work()
    expect(world.sentFor(jobId)).toHaveLength(1)

    // Decided by a process that does not wait for the chain.
    const hasty = await world.startBeside({ settlementWaitMs: 0 })
    const refund = { url: `/api/jobs/${jobId}/refund`, headers: seller.headers, payload: {} }
    expect((await hasty.http.inject({ ...refund, method: 'POST' })).statusCode).toBe(202)
    await world.advance(60)
    await world.work()
    expect(world.sentFor(jobId)).toHaveLength(1)
    const stateOf = async () => (await world.connectionOf(seller, agent)).dispatches[0].state
    expect(await stateOf()).toBe('STOPPED')

    world.program.respondWith(respondJson(200, { content: 'Done.' }))
    await world.drain(agent, (await world.newAgent(seller)).wallet)
    await world.engine.runUntilIdle()
    await world.runTicks()
    expect((await world.jobOf(client, jobId)).refund).toBeNull()
    await world.work()
    expect(world.sentFor(jobId).map(({ body }) => body.id)).toEqual([`job_${jobId}_1`, `job_${jobId}_1`])
    expect((await world.jobOf(client, jobId)).status).toBe('COMPLETED')
    expect(await stateOf()).toBe('DELIVERED')
  })
})

describe('a 202', () => {
  test('leaves the job with the agent; its callback delivers once, however often it comes', async () => {
    world.program.respondWith(respondWith(202))
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent)
    await world.work()
    await world.work()
    const [{ body }, ...more] = world.sentFor(jobId) as [ReturnType<typeof world.sentFor>[number]]
    expect(more).toEqual([])
    expect((await world.connectionOf(seller, agent)).dispatches).toMatchObject([{ state: 'WORKING' }])

    const { token } = body.callback
    const results = await Promise.all(
      Array.from({ length: 3 }, () => world.callback(jobId, token, { content: 'Here it is.' })),
    )
    expect(results.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const again = await world.callback(jobId, token, { content: 'Another one.' })
    expect([again.statusCode, again.json()]).toEqual([200, { data: { jobId, status: 'UNDER_REVIEW' } }])
    expect(await world.countDeliveries(jobId)).toBe(1)
    expect((await world.jobOf(client, jobId)).delivery.content).toBe('Here it is.')
    expect((await world.connectionOf(seller, agent)).dispatches).toMatchObject([{ state: 'DELIVERED' }])
  })

  test('has a token whose round is over once changes are requested: it delivers nothing, and says so', async () => {
    world.program.respondWith(respondWith(202))
    const { agent } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent)
    await world.work()
    const first = world.sentFor(jobId)[0]?.body.callback.token
    const deliverFirst = async () => (await world.callback(jobId, first, { content: 'First.' })).statusCode
    expect([await deliverFirst(), await deliverFirst()]).toEqual([200, 200])
    await world.act(client, jobId, 'request-changes', { reason: 'Add the fees.' })
    expect(await deliverFirst()).toBe(409)
    await world.work()
    const second = world.sentFor(jobId)[1]?.body.callback.token
    expect((await world.callback(jobId, second, { content: 'Second.' })).statusCode).toBe(200)
    expect(await deliverFirst()).toBe(409)
    expect((await world.jobOf(client, jobId)).delivery.content).toBe('Second.')
    expect(await world.countDeliveries(jobId)).toBe(2)
  })

  test('lets the agent report progress until it delivers', async () => {
    world.program.respondWith(respondWith(202))
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent)
    await world.work()
    const token = world.sentFor(jobId)[0]?.body.callback.token
    const report = { step: 'Matching transfers', percent: 40 }
    const reported = await world.callback(jobId, token, report, 'progress')
    expect([reported.statusCode, reported.json().data]).toEqual([201, expect.objectContaining(report)])
    const read = await world.get(client, `/api/jobs/${jobId}/progress`)
    expect(read.json().data).toEqual([reported.json().data])
    expect((await world.connectionOf(seller, agent)).lastSeenAt).not.toBeNull()
    expect((await world.callback(jobId, token, { percent: 50 }, 'progress')).statusCode).toBe(400)
    expect((await world.callback(jobId, `${token}x`, report, 'progress')).statusCode).toBe(401)

    await world.callback(jobId, token, { content: 'Done.' })
    expect((await world.callback(jobId, token, report, 'progress')).statusCode).toBe(401)
  })

  test('has a token that is good for this job alone, is kept as a hash, and ends with the job', async () => {
    world.program.respondWith(respondWith(202))
    const { agent, url, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent)
    const other = await world.hireAndFund(client, agent)
    await world.work()
    const token = world.sentFor(jobId)[0]?.body.callback.token
    const work = { content: 'Mine.' }
    const statusOf = async (...args: Parameters<typeof world.callback>) =>
      (await world.callback(...args)).statusCode
    expect(await statusOf(other, token, work)).toBe(403)
    expect(await statusOf(jobId, undefined, work)).toBe(401)
    expect(await statusOf(jobId, `${token}x`, work)).toBe(401)
    expect(await statusOf(jobId, seller.headers.authorization.slice(7), work)).toBe(401)
    const stored = await world.db.rows<{ text: string }>(
      sql`select row_to_json(agent_dispatches)::text as text from agent_dispatches where job_id = ${jobId}`,
    )
    expect(stored[0]?.text).not.toContain(token.slice(4))

    await world.inject('DELETE', url, seller.headers)
    expect(await statusOf(jobId, token, work)).toBe(401)
    expect(await world.countDeliveries(jobId)).toBe(0)
  })

  test('a result that does not fit is rejected with the reason, and may be mended', async () => {
    world.program.respondWith(respondWith(202))
    const { agent } = await newScoringAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent, PRICE, { serviceId: SCORING })
    await world.work()
    const [sent] = world.sentFor(jobId)
    expect(sent?.body.job).toMatchObject({ service: { id: SCORING, name: SCORING }, outputSchema })
    const { token } = sent?.body.callback ?? {}
    const wrong = await world.callback(jobId, token, { output: { score: 2 } })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json().error.details.issues).toMatchObject([{ path: '/output/score' }])
    expect((await world.callback(jobId, token, { output: { score: 0.5 } })).statusCode).toBe(200)
  })
})

describe('what fails', () => {
  test.each([
    ['an error', respondWith(500, 'Out of memory'), 'The agent returned 500: Out of memory', 500],
    [
      'a redirect',
      respondWith(302, '', { location: '/' }),
      'The agent returned 302. Redirects are not followed.',
      302,
    ],
    ['no JSON', respondWith(200, 'Done!'), 'The response is no result: The body is not valid JSON.', 200],
    [
      'a result of another shape',
      respondJson(200, { content: 7 }),
      'The response is no result: /content',
      200,
    ],
    [
      'an empty result',
      respondJson(200, {}),
      'The result is rejected: /content is needed, or output, deliveryCid or files',
      200,
    ],
  ])('%s is recorded, and tried again with back-off', async (_name, reply, error, responseStatus) => {
    world.program.respondWith(reply)
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent, PRICE, { deadlineHours: 24 })
    await world.work()
    await world.work()
    expect(world.sentFor(jobId)).toHaveLength(1)
    const { dispatches, lastCall } = await world.connectionOf(seller, agent)
    expect(dispatches).toMatchObject([{ state: 'PENDING', attempts: 1, responseStatus }])
    expect(dispatches[0].error).toContain(error)
    expect(lastCall).toMatchObject({ ok: false, responseStatus, error: dispatches[0].error })

    world.program.respondWith(respondJson(200, { content: 'Mended.' }))
    await world.advance(11)
    await world.work()
    expect(world.sentFor(jobId).map(({ body }) => [body.id, body.attempt, body.lastError])).toEqual([
      [`job_${jobId}_1`, 1, null],
      [`job_${jobId}_1`, 2, dispatches[0].error],
    ])
    expect((await world.jobOf(client, jobId)).status).toBe('UNDER_REVIEW')
  })

  test('a result that does not fit the output schema is sent back with the fields that are wrong', async () => {
    world.program.respondWith(respondJson(200, { output: { score: 2 } }))
    const { agent, seller } = await newScoringAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent, PRICE, { serviceId: SCORING })
    await world.work()
    const { dispatches } = await world.connectionOf(seller, agent)
    expect(dispatches).toMatchObject([{ state: 'PENDING', attempts: 1, responseStatus: 200 }])
    expect(dispatches[0].error).toContain('/output/score')
    expect(await world.countDeliveries(jobId)).toBe(0)
    world.program.respondWith(respondJson(200, { output: { score: 0.2 } }))
    await world.advance(11)
    await world.work()
    expect(world.sentFor(jobId)[1]?.body.lastError).toBe(dispatches[0].error)
    expect((await world.jobOf(client, jobId)).status).toBe('UNDER_REVIEW')
  })

  test('an agent that is not there is tried again; a connection that is removed ends that', async () => {
    const { agent, seller, url } = await world.newConnectedAgent()
    const gone = await startReceiver()
    await gone.close()
    await world.inject('PUT', url, seller.headers, { kind: 'HTTP', url: gone.url })
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent)
    await world.work()
    expect((await world.connectionOf(seller, agent)).dispatches).toMatchObject([
      { state: 'PENDING', responseStatus: null, error: 'The connection was refused.' },
    ])
    await world.inject('PUT', url, seller.headers, { kind: 'MANUAL' })
    await world.advance(60)
    await world.work()
    expect((await world.connectionOf(seller, agent)).dispatches).toMatchObject([
      { jobId, state: 'STOPPED', attempts: 1, error: 'The connection was removed.' },
    ])
    expect(await world.notificationsOf(seller.ownerId)).toContainEqual({
      type: 'SYSTEM_ALERT',
      message: expect.stringContaining('disconnected with 1 open job.'),
    })
    expect((await world.act(seller, jobId, 'deliver', { content: 'By hand.' })).statusCode).toBe(200)
  })

  test('is tried until the deadline; then both sides are notified once, and the token ends', async () => {
    world.program.respondWith(respondWith(503))
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const jobId = await world.hireAndFund(client, agent, PRICE, { deadlineHours: 2 })
    await world.work()
    for (let step = 0; step < 3; step += 1) {
      await world.advance(HOUR / 2)
      await world.work()
    }
    expect(world.sentFor(jobId)).toHaveLength(4)
    await world.advance(HOUR)
    await world.work()
    await world.work()
    expect(world.sentFor(jobId)).toHaveLength(4)
    expect(await newsOfDeadline(client)).toHaveLength(1)
    expect(await newsOfDeadline(seller)).toHaveLength(1)
    expect(await world.connectionOf(seller, agent)).toMatchObject({
      failedJobsInRow: 0,
      dispatches: [{ state: 'FAILED', attempts: 4 }],
    })
    const token = world.sentFor(jobId)[0]?.body.callback.token
    expect((await world.callback(jobId, token, { content: 'Late.' })).statusCode).toBe(401)
  })

  test.each([
    ['agent-dispatch', 'jobs-deadline', 'The agent returned 503.'],
    ['jobs-deadline', 'agent-dispatch', 'The deadline has passed.'],
  ])('one missed deadline is one notice for each side, if %s looks before %s', async (first, second, why) => {
    world.program.respondWith(respondWith(503))
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const held = await world.hireAndFund(client, agent, PRICE, { deadlineHours: 2 })
    const buyer = await world.newOwner()
    const { jobId: paid } = await world.hire(buyer, agent, '5000000', { deadlineHours: 2 })
    await world.give(buyer.wallet.address, 5_000_000n)
    const header = await world.x402Header(buyer.wallet, await world.act(buyer, paid, 'pay'))
    await world.whileWorking(world.send(buyer, `/api/jobs/${paid}/pay`, undefined, header))
    await world.work()
    expect([world.sentFor(held).length, world.sentFor(paid).length]).toEqual([1, 1])

    await world.advance(3 * HOUR)
    await world.runUntilIdle()
    for (const name of [first, second, first]) await world.tick(name)
    expect((await world.connectionOf(seller, agent)).dispatches).toMatchObject([
      { state: 'FAILED' },
      { state: 'FAILED' },
    ])
    expect(await newsOfDeadline(client)).toEqual([
      { type: 'SYSTEM_ALERT', message: expect.stringContaining('From 24 hours after it') },
    ])
    expect(await newsOfDeadline(buyer)).toEqual([
      { type: 'JOB_OVERDUE', message: expect.stringContaining('You can cancel the job') },
    ])
    const toSeller = await newsOfDeadline(seller)
    expect(toSeller.map(({ type }) => type).toSorted()).toEqual(['JOB_OVERDUE', 'SYSTEM_ALERT'])
    for (const { message } of toSeller) expect(message).toContain(why)
    for (const jobId of [held, paid]) {
      const { timeline } = await world.jobOf(jobId === held ? client : buyer, jobId)
      expect(timeline.filter(({ type }: { type: string }) => type === 'DEADLINE_MISSED')).toHaveLength(1)
    }
  })

  test('three jobs in a row pause the agent; one that is delivered ends the row', async () => {
    const { agent, seller } = await world.newConnectedAgent()
    const client = await world.newOwner()
    const fail = async (times: number) => {
      world.program.respondWith(respondWith(202))
      for (let count = 0; count < times; count += 1)
        await world.hireAndFund(await world.newOwner(), agent, PRICE, {
          deadlineHours: DEFAULT_DELIVERY_HOURS,
        })
      await world.work()
      await world.advance(DEFAULT_DELIVERY_HOURS * HOUR)
      await world.work()
    }
    const isPaused = async () =>
      (await world.inject('GET', `/api/agents/${agent.wallet}`, seller.headers)).json().data.agent.listing
    await fail(2)
    world.program.respondWith(respondJson(200, { content: 'Done.' }))
    await world.hireAndFund(client, agent)
    await world.work()
    expect((await world.connectionOf(seller, agent)).failedJobsInRow).toBe(0)
    await fail(2)
    expect(await isPaused()).toEqual({ visible: true, reasons: [] })
    await fail(1)
    expect(await isPaused()).toEqual({ visible: false, reasons: ['PAUSED_AFTER_FAILURES'] })
    expect(
      (await world.notificationsOf(seller.ownerId)).filter(({ type }) => type === 'AGENT_PAUSED'),
    ).toHaveLength(1)
    const hired = await world.send(client, '/api/jobs', {
      agentId: agent.id,
      title: 'One more',
      description: 'Please.',
      agreedPrice: PRICE,
    })
    expect([hired.statusCode, hired.json().error.details.status]).toEqual([409, 'PAUSED'])
    const resumed = await world.inject('POST', `/api/agents/${agent.wallet}/resume`, seller.headers)
    expect(resumed.statusCode).toBe(200)
  })

  test('a client alone does not pause an agent, nor do deadlines before the promised time or jobs for cents', async () => {
    world.program.respondWith(respondWith(422, 'This is none of my services.'))
    const { agent, seller } = await world.newConnectedAgent()
    const rival = await world.newOwner()
    const promised = { deadlineHours: DEFAULT_DELIVERY_HOURS }
    for (let count = 0; count < 3; count += 1) {
      await world.hireAndFund(rival, agent, PRICE, promised)
      await world.hireAndFund(await world.newOwner(), agent, PRICE, { deadlineHours: 1 })
      await world.hireAndFund(await world.newOwner(), agent, '99999', { ...promised, buyerProtection: true })
    }
    await world.advance(DEFAULT_DELIVERY_HOURS * HOUR)
    await world.work()
    const { dispatches, failedJobsInRow } = await world.connectionOf(seller, agent)
    expect(dispatches.map(({ state }: { state: string }) => state)).toEqual(Array(9).fill('FAILED'))
    expect(failedJobsInRow).toBe(1)
    const shown = await world.inject('GET', `/api/agents/${agent.wallet}`, seller.headers)
    expect(shown.json().data.agent.listing).toEqual({ visible: true, reasons: [] })
  })
})

test('an agent that takes its time is asked once, however many workers look', async () => {
  const { agent } = await world.newConnectedAgent()
  const client = await world.newOwner()
  const asked = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  world.program.respondWith(async (_request, response) => {
    asked.resolve()
    await done.promise
    response.writeHead(200).end(JSON.stringify({ content: 'At last.' }))
  })
  const jobId = await world.hireAndFund(client, agent)
  const first = world.work()
  await asked.promise
  const beside = await world.startBeside()
  await beside.queue.runAllNow({ onlyDue: true })
  await world.advance(20)
  await beside.queue.runAllNow({ onlyDue: true })
  done.resolve()
  await first
  expect(world.sentFor(jobId)).toHaveLength(1)
  expect((await world.jobOf(client, jobId)).status).toBe('UNDER_REVIEW')
})

test('a worker that dies between the agent’s result and the commit sends the job again, and delivers once', async () => {
  let dies = true
  const mortal = await startConnections({
    ports: ({ storage }) => ({
      storage: {
        ...storage,
        put: (content) => {
          if (!dies) return storage.put(content)
          dies = false
          throw new Error('the process died')
        },
      },
    }),
  })
  mortal.program.respondWith(respondJson(200, { content: 'Done.' }))
  const { agent } = await mortal.newConnectedAgent()
  const client = await mortal.newOwner()
  const jobId = await mortal.hireAndFund(client, agent)
  await mortal.queue.runAllNow()
  expect(await mortal.countDeliveries(jobId)).toBe(0)
  await mortal.advance(100)
  await mortal.queue.runAllNow()
  expect(mortal.sentFor(jobId).map(({ body }) => body.id)).toEqual([`job_${jobId}_1`, `job_${jobId}_1`])
  expect(await mortal.countDeliveries(jobId)).toBe(1)
  expect((await mortal.jobOf(client, jobId)).status).toBe('UNDER_REVIEW')
  await mortal.close()
})

test('in production nothing is sent to private hosts, also to one that was set before', async () => {
  const { agent, seller, url } = await world.newConnectedAgent()
  const client = await world.newOwner()
  const production = await world.startBeside({
    ports: (own) => ({ config: { ...own.config, mode: 'production' } }),
  })
  const jobId = await world.hireAndFund(client, agent)
  await production.queue.runAllNow({ onlyDue: true })
  expect(world.sentFor(jobId)).toEqual([])
  expect((await world.connectionOf(seller, agent)).dispatches).toMatchObject([
    { state: 'PENDING', responseStatus: null, error: 'Only https is allowed.' },
  ])
  for (const target of [
    'http://agent.example.com/',
    'https://127.0.0.1/',
    'https://10.0.0.1/jobs',
    'https://localhost/',
  ]) {
    const payload = { kind: 'HTTP', url: target }
    const set = await production.http.inject({ method: 'PUT', url, headers: seller.headers, payload })
    expect([target, set.statusCode]).toEqual([target, 400])
  }
})
