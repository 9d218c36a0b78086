import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** Hiring by schema: the input is checked before there is a job, the output before there is a delivery. */

const SCORING = 'cscoring00000000000000001'
const LISTING = 'clisting00000000000000001'
const PLAIN = 'cplain0000000000000000001'
const PRICE = '150000000'

const inputSchema = {
  type: 'object',
  properties: {
    site: { type: 'string', format: 'uri' },
    pages: { type: 'integer', minimum: 1, maximum: 20 },
  },
  required: ['site', 'pages'],
  additionalProperties: false,
}
const outputSchema = {
  type: 'object',
  properties: {
    score: { type: 'number', minimum: 0, maximum: 1 },
    remarks: { type: 'array', items: { type: 'string' } },
  },
  required: ['score'],
}
const input = { site: 'https://example.com/', pages: 3 }

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  seller = await world.newOwner()
  client = await world.newOwner()
  const services = [SCORING, LISTING, PLAIN].map((id) => ({ id, priceMicro: PRICE, deliveryHours: 24 }))
  agent = await world.newAgent(seller, { services })
  await saveTerms({
    [SCORING]: { inputSchema, outputSchema },
    [LISTING]: { outputSchema: { type: 'string', maxLength: 9 } },
  })
})
afterAll(() => world.close())

const saveTerms = (terms: object) =>
  world.db.run(sql`update agents set service_terms = ${sql.json(terms)}::json where id = ${agent.id}`)

const body = (more: object) => ({
  agentId: agent.id,
  title: 'Score my site',
  description: 'As in the form.',
  agreedPrice: PRICE,
  ...more,
})
const form = (version: 1 | 2) => ({ accept: `application/vnd.agent-marketplace.v${version}+json` })
const issuesOf = (response: { json(): { error?: { details: { issues: unknown } } } }) =>
  response.json().error?.details.issues

describe('input', () => {
  test.each([1, 2] as const)(
    '201 in form %i: the job keeps it, with the schema of that moment',
    async (version) => {
      const response = await calls.send(
        client,
        '/api/jobs',
        body({ serviceId: SCORING, input }),
        form(version),
      )
      expect(response.statusCode).toBe(201)
      const { data } = response.json()
      for (const party of [client, seller]) {
        expect(await calls.jobOf(party, data.jobId ?? data.job.id)).toMatchObject({
          input,
          inputSchema,
          outputSchema,
        })
      }
    },
  )

  test.each<[string, object, string, string]>([
    ['nothing', {}, '/input', 'is required: the service says in its inputSchema what it needs'],
    ['too many pages', { input: { ...input, pages: 21 } }, '/input/pages', 'must be at most 20'],
    [
      'no address',
      { input: { ...input, site: 'x' } },
      '/input/site',
      'must be an address such as https://example.com/a',
    ],
    ['no pages', { input: { site: input.site } }, '/input/pages', 'is required'],
    ['another field', { input: { ...input, depth: 3 } }, '/input/depth', 'is not allowed'],
  ])('400 for %s, on a quote as on a hire, and nothing is made', async (_name, more, path, message) => {
    for (const url of ['/api/jobs', '/api/jobs/quote']) {
      for (const version of [1, 2] as const) {
        const response = await calls.send(client, url, body({ serviceId: SCORING, ...more }), form(version))
        expect([response.statusCode, issuesOf(response)]).toEqual([400, [{ path, message }]])
      }
    }
  })

  test('400 for input of a custom order', async () => {
    const response = await calls.send(client, '/api/jobs', body({ input }))
    expect(response.statusCode).toBe(400)
    expect(issuesOf(response)).toMatchObject([{ path: '/input' }])
  })

  test('a service without a schema takes the description alone, or a task', async () => {
    const words = await calls.send(client, '/api/jobs', body({ serviceId: PLAIN }))
    expect(await calls.jobOf(client, words.json().data.jobId)).toMatchObject({
      input: null,
      outputSchema: null,
    })
    const task = { task: 'Look at it.' }
    const asked = await calls.send(client, '/api/jobs', body({ serviceId: PLAIN, input: task }))
    expect(await calls.jobOf(client, asked.json().data.jobId)).toMatchObject({
      input: task,
      outputSchema: null,
    })
    const empty = await calls.send(client, '/api/jobs', body({ serviceId: PLAIN, input: {} }))
    expect([empty.statusCode, issuesOf(empty)]).toEqual([
      400,
      [{ path: '/input/task', message: 'is required' }],
    ])
  })

  test('a reservation is for the input that was quoted', async () => {
    const quoted = await calls.send(client, '/api/jobs/quote', body({ serviceId: SCORING, input }))
    const { reservation } = quoted.json().data
    const other = { serviceId: SCORING, input: { ...input, pages: 4 }, reservation }
    expect(issuesOf(await calls.send(client, '/api/jobs', body(other)))).toMatchObject([
      { path: '/reservation' },
    ])
    const same = await calls.send(client, '/api/jobs', body({ serviceId: SCORING, input, reservation }))
    expect(same.statusCode).toBe(201)
  })
})

describe('output', () => {
  const hireAndFund = (serviceId: string, more: object = {}) =>
    calls.hireAndFund(client, agent, PRICE, { serviceId, ...more })
  const deliver = (jobId: string, delivery: object) => calls.act(seller, jobId, 'deliver', delivery)

  test('400 for what the service did not promise, with the reason; then 200 for what it did', async () => {
    const jobId = await hireAndFund(SCORING, { input })
    for (const [delivery, path, message] of [
      [{ output: { score: 2 } }, '/output/score', 'must be at most 1'],
      [{ output: { remarks: ['x'] } }, '/output/score', 'is required'],
      [{ output: { score: 1, remarks: [7] } }, '/output/remarks/0', 'must be a string'],
      [{ content: '0.9' }, '/output', 'is required: the service promises a result by its outputSchema'],
      [
        { deliveryCid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' },
        '/output',
        /is required/,
      ],
      [{ output: { score: 1 }, content: 'Done.' }, '/content', /do not go with output/],
    ] as const) {
      const response = await deliver(jobId, delivery)
      expect(response.statusCode).toBe(400)
      const expected = typeof message === 'string' ? message : expect.stringMatching(message)
      expect(issuesOf(response)).toEqual([{ path, message: expected }])
    }
    expect((await calls.jobOf(client, jobId)).status).toBe('IN_PROGRESS')
    // What was agreed counts, whatever the seller has written since.
    await saveTerms({ [SCORING]: { inputSchema, outputSchema: { type: 'string' } } })
    const output = { score: 0.75, remarks: ['Slow.'] }
    const delivered = await deliver(jobId, { output, note: 'Here.' })
    await saveTerms({
      [SCORING]: { inputSchema, outputSchema },
      [LISTING]: { outputSchema: { type: 'string', maxLength: 9 } },
    })
    expect(delivered.statusCode).toBe(200)
    const { delivery } = await calls.jobOf(client, jobId)
    expect(delivery).toMatchObject({ output, note: 'Here.' })
    expect(JSON.parse(delivery.content)).toEqual(output)
    expect(delivery.cid).toMatch(/^bafkrei/)
  })

  test('text is content or output, and is measured either way', async () => {
    const jobId = await hireAndFund(LISTING)
    const long = await deliver(jobId, { content: 'far too long' })
    expect(issuesOf(long)).toMatchObject([{ path: '/content' }])
    expect((await deliver(jobId, { content: 'short' })).statusCode).toBe(200)
    expect((await calls.jobOf(client, jobId)).delivery).toMatchObject({ content: 'short', output: null })
  })

  test('a job without a schema takes what it took before', async () => {
    const jobId = await hireAndFund(PLAIN)
    const wrong = await deliver(jobId, { output: { any: 'thing' } })
    expect(issuesOf(wrong)).toEqual([{ path: '/output', message: 'must be a string' }])
    expect((await deliver(jobId, { content: 'Done.' })).statusCode).toBe(200)
    expect((await calls.jobOf(client, jobId)).delivery).toMatchObject({ content: 'Done.', output: null })
  })

  test('only the seller learns what is wrong with a delivery', async () => {
    const jobId = await hireAndFund(SCORING, { input })
    expect((await calls.act(client, jobId, 'deliver', { output: {} })).statusCode).toBe(403)
    const stranger = await world.newOwner()
    expect((await calls.act(stranger, jobId, 'deliver', { output: {} })).statusCode).toBe(404)
  })
})

test('a quote holds for what the service promised, and for nothing that it was changed to', async () => {
  const hasty = await world.newAgent(seller, {
    services: [{ id: PLAIN, priceMicro: PRICE, deliveryHours: 6 }],
  })
  const takes = (hours: number) =>
    world.db.run(sql`
      update agents set services = jsonb_set(services, '{0,deliveryHours}', ${sql.json(hours)}::jsonb)
      where id = ${hasty.id}`)
  const wanted = body({ agentId: hasty.id, serviceId: PLAIN })
  const { reservation } = (await calls.send(client, '/api/jobs/quote', wanted)).json().data
  await takes(700)
  const changed = await calls.send(client, '/api/jobs', { ...wanted, reservation })
  expect([changed.statusCode, changed.json().error.details.issues]).toMatchObject([
    400,
    [{ path: '/reservation', message: expect.stringContaining('has changed since') }],
  ])
  await takes(6)
  const hired = await calls.send(client, '/api/jobs', { ...wanted, reservation })
  expect(hired.statusCode).toBe(201)
  await takes(700)
  const again = await calls.send(client, '/api/jobs', { ...wanted, reservation })
  expect([again.statusCode, again.json().data.jobId]).toEqual([201, hired.json().data.jobId])
})
