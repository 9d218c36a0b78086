import { allEndpoints, type Endpoint, exampleOf, formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { respondJson, startConnections } from './features/connections/testing/start-connections.ts'
import type { TestAgent, TestOwner } from './features/jobs/testing/start-jobs.ts'
import { createClientRequests } from './features/oauth/testing/client-requests.ts'
import { sql } from './platform/db/sql.ts'
import { fullNameOf, urlOf } from './testing/fuzz/requests.ts'
import { printFigures } from './testing/proof.ts'

/**
 * Every route that takes an id, called by those whom it does not belong to. What belongs to others must look as if it were
 * not there: the same status and the same body, save the request id and the time.
 */

/** Open to every signed-in owner, for any agent. */
const forEverybody = ['askQuestion', 'saveAgent', 'unsaveAgent']
const ABSENT = {
  id: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
  wallet: '0x00000000000000000000000000000000000a65e7',
  cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
}

const isOwned = ({ id, access, path }: Endpoint): boolean =>
  /\{(?!name\})/.test(path) &&
  !forEverybody.includes(id) &&
  (access !== 'public' || /\/(?:jobs|orders)\/\{/.test(path))
const owned = allEndpoints.filter(isOwned)

let world: Awaited<ReturnType<typeof startConnections>>
let client: TestOwner
let seller: TestOwner
let agent: TestAgent
let strangers: Record<string, Record<string, string>>
let known: Record<string, string>
/** Of the browser in which an app asks for consent: such a request belongs to that browser. */
let consentCookie: string
let before: unknown
const figures = { routes: 0, roles: 4, requests: 0, leaks: 0 }
beforeAll(async () => {
  world = await startConnections()
  ;[client, seller] = await Promise.all([world.newOwner(), world.newOwner()])
  agent = await world.newAgent(seller)
  await world.db.run(
    sql`update owners set kyc_status = 'VERIFIED', kyc_fee_paid = true where id = ${seller.ownerId}`,
  )
  const other = await world.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true })
  await world.newAgent(other)
  strangers = {
    stranger: (await world.newOwner()).headers,
    'other seller': other.headers,
    nobody: {},
    'agent with the token of another job': { authorization: `Bearer ${await newCallbackToken()}` },
  }
  known = await makeThings()
  before = await whatTheySee()
})
afterAll(() => world.close())

test.each(owned.map((endpoint) => [endpoint.id, endpoint] as const))(
  'foreign ids of %s',
  async (_id, endpoint) => {
    const isPublicThing = /\{wallet\}|\/questions\//.test(endpoint.path)
    for (const [role, headers] of Object.entries(strangers)) {
      const foreign = await ask(endpoint, headers, (name) => known[name])
      const absent = await ask(endpoint, headers, () => undefined)
      const seen = `${role}: ${foreign.statusCode} ${foreign.body.slice(0, 300)}`
      const looksAbsent =
        foreign.statusCode === absent.statusCode && withoutTraces(foreign.body) === withoutTraces(absent.body)
      figures.requests += 2
      if (foreign.statusCode < 300 || !(isPublicThing || looksAbsent)) figures.leaks += 1
      // A request that is refused for its shape would show nothing.
      expect([401, 402, 403, 404], seen).toContain(foreign.statusCode)
      if (!isPublicThing)
        expect([foreign.statusCode, withoutTraces(foreign.body)]).toEqual([
          absent.statusCode,
          withoutTraces(absent.body),
        ])
    }
    figures.routes += 1
  },
)

/** Otherwise the ids above could be wrong, and everything would be absent. */
const readable = owned.filter(
  ({ method, access, path }) => method === 'GET' && access === 'owner' && !path.includes('/dispute'),
)
test.each(readable.map((endpoint) => [endpoint.id, endpoint] as const))(
  'what is foreign to others is there for a party: %s',
  async (_id, endpoint) => {
    const responses = await Promise.all(
      [{ ...client.headers, cookie: consentCookie }, seller.headers].map((headers) =>
        ask(endpoint, headers, (name) => known[name]),
      ),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toContain(200)
  },
)

test('foreign requests have changed nothing', async () => {
  expect(await whatTheySee()).toEqual(before)
  expect(figures).toMatchObject({ routes: owned.length, leaks: 0 })
  printFigures('G15', figures)
})

function ask(
  endpoint: Endpoint,
  headers: Record<string, string>,
  idFor: (name: string) => string | undefined,
) {
  const { method, path, body, streamsBody, examples } = endpoint
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = names.map((name) => [name, idFor(fullNameOf(path, name)) ?? absentFor(name)])
  const example = body && (examples?.body ?? exampleOf(body.kind === 'one' ? body.schema : body.a))
  const payload = streamsBody ? 'bytes' : example && JSON.stringify(example)
  const type = streamsBody ? 'text/plain' : 'application/json'
  return world.http.inject({
    method,
    url: urlOf(path, Object.fromEntries(values), {}),
    headers: { ...headers, ...(payload ? { 'content-type': type } : {}) },
    ...(payload ? { payload } : {}),
  })
}

const absentFor = (name: string): string =>
  name === 'wallet' || name === 'cid' ? ABSENT[name] : name === 'name' ? 'a.txt' : ABSENT.id

/** The body without the request's id and time; the ids of the path, which an error may repeat, count as one. */
function withoutTraces(body: string): string {
  const ids = [...Object.values(known), ...Object.values(ABSENT)]
  return ids
    .reduce((text, id) => text.replaceAll(id, '…'), body)
    .replaceAll(/"(requestId|timestamp)":"[^"]*"/g, '')
}

/** What an agent was sent with a job of its own, which it may report for. */
async function newCallbackToken(): Promise<string> {
  const { agent: connected } = await world.newConnectedAgent()
  world.program.respondWith(respondJson(202, {}))
  const jobId = await world.hireAndFund(await world.newOwner(), connected)
  await world.work()
  const token: string = world.sentFor(jobId)[0]?.body.callback.token
  const reported = await world.callback(jobId, token, { step: 'Halfway' }, 'progress')
  if (reported.statusCode !== 201) throw new Error(reported.body)
  return token
}

/** One of everything, all of it made by the two parties of a deal. */
async function makeThings(): Promise<Record<string, string>> {
  const done = async (
    method: 'GET' | 'POST' | 'PUT',
    owner: TestOwner,
    url: string,
    payload?: object | string,
  ) => {
    const headers = typeof payload === 'string' ? { 'content-type': 'text/plain' } : {}
    const response = await world.http.inject({
      method,
      url,
      headers: { ...owner.headers, ...headers },
      ...(payload ? { payload } : {}),
    })
    if (response.statusCode >= 300) throw new Error(`${url}: ${response.statusCode} ${response.body}`)
    return response.json().data
  }
  const paid = await world.hireAndFund(client, agent)
  await world.act(seller, paid, 'deliver', { content: 'Done.' })
  await world.act(client, paid, 'approve')
  await world.runUntilIdle()
  const jobId = await world.hireAndFund(client, agent)
  const file = await done('PUT', seller, `/api/jobs/${jobId}/uploads/a.txt`, 'October')
  await done('POST', seller, `/api/jobs/${jobId}/messages`, { text: 'Here.', files: [file.id] })
  await world.act(seller, jobId, 'deliver', { content: 'All of it.' })
  const { deliveryCid } = await world.jobOf(client, jobId)
  const webhook = await done('POST', seller, '/api/webhooks', { url: 'https://hooks.example/in' })
  const delivery = await done('POST', seller, `/api/webhooks/${webhook.id}/test`)
  const key = await done('POST', seller, '/api/api-keys', { name: 'Nightly import', scopes: ['read'] })
  const { notifications } = await done('GET', seller, '/api/notifications')
  const withdrawal = await done('POST', seller, '/api/owners/withdrawals', {
    agentId: agent.id,
    amount: '1000000',
  })
  const question = await done('POST', client, `/api/agents/${agent.wallet}/questions`, {
    text: 'How long does it take?',
  })
  const consent = await createClientRequests(world.http, world.config.publicUrl.origin).start()
  consentCookie = consent.cookie
  const grantId = world.newId()
  const now = world.clock.now()
  await world.db.run(
    sql`insert into budgets (id, owner_id, created_at) values (${grantId}, ${client.ownerId}, ${now})`,
  )
  await world.db.run(sql`
    insert into oauth_grants (id, owner_id, client_id, client_name, client_host, resource, scopes, created_at, expires_at)
    values (${grantId}, ${client.ownerId}, 'app', 'App', 'app.example', 'http://localhost:4000/mcp', '{read}', ${now},
      ${new Date(now.getTime() + 86_400_000)})`)
  return {
    jobId,
    fileId: file.id,
    cid: deliveryCid,
    webhookId: webhook.id,
    deliveryId: delivery.id,
    keyId: key.id,
    notificationId: notifications[0].id,
    withdrawalId: withdrawal.id,
    questionId: question.id,
    requestId: consent.id,
    grantId,
    agentId: agent.id,
    wallet: agent.wallet,
    ownerId: client.ownerId,
    disputeId: jobId,
  }
}

/** What the two parties see of what is theirs. */
async function whatTheySee(): Promise<unknown> {
  const jobId = known.jobId ?? ''
  const headers = { ...seller.headers, accept: formMediaTypes.b }
  const urls = ['/api/webhooks', '/api/api-keys', '/api/owners/withdrawals', `/api/agents/${agent.wallet}`]
  const lists = await Promise.all(urls.map((url) => world.http.inject({ url, headers })))
  const grants = await world.http.inject({ url: '/api/oauth/grants', headers: client.headers })
  const messages = await world.get(seller, `/api/jobs/${jobId}/messages`)
  return [
    await world.jobOf(client, jobId),
    ...[...lists, grants, messages].map((response) => response.json().data),
  ]
}
