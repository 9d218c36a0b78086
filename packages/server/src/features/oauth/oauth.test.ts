import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { allEndpoints } from '@agent-marketplace/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSeconds } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { CallResult } from '../../platform/outbound/guarded-call.ts'
import type { WorldOwner } from '../../testing/world/world-people.ts'
import { createGrantEnding } from './ended-grants.ts'
import { MAX_GRANTS, mostAtOnce, NEW_CLIENTS_PER_DAY, NEW_CLIENTS_PER_MINUTE } from './rules.ts'
import { REDIRECT } from './testing/client-requests.ts'
import { startOAuth, type TestOAuth } from './testing/start-oauth.ts'

const DOCUMENT_URL = 'https://assistant.example.com/client.json'
const OPEN_DOCUMENT_URL = 'https://app.example.com/client.json'
const published: Record<string, object> = {
  [DOCUMENT_URL]: { client_name: 'Assistant', redirect_uris: [REDIRECT] },
  [OPEN_DOCUMENT_URL]: { redirect_uris: ['http://app.example.com/back'] },
}
const fetched: string[] = []
/** What clients publish of themselves, for tests that cannot reach the network. */
async function publish({ url }: { url: string }): Promise<CallResult> {
  fetched.push(url)
  const found = published[url]
  if (!found) return { kind: 'failure', why: 'The connection failed.' }
  const document = { client_id: url, ...found }
  return { kind: 'response', status: 200, text: JSON.stringify(document), end: 'WHOLE' }
}

let world: TestOAuth
let owner: WorldOwner
beforeAll(async () => {
  world = await startOAuth({
    environment: { RATE_LIMITS: 'off' },
    ports: () => ({ callForDocument: publish }),
  })
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await world.newOwner()
})

const errorOf = (url: URL | string) => new URL(url).searchParams.get('error')

describe('what clients begin with', () => {
  test('a refused call names where its resource is described, and that names the server', async () => {
    const metadataOf = async (refused: { headers: Record<string, unknown> }) => {
      const challenge = String(refused.headers['www-authenticate'])
      const [, url = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
      return { challenge, metadata: (await world.http.inject(new URL(url).pathname)).json() }
    }
    const tool = await metadataOf(await world.callTool(undefined))
    expect(tool.challenge).toBe(
      `Bearer scope="read", resource_metadata="${world.origin}/.well-known/oauth-protected-resource/mcp"`,
    )
    expect(tool.metadata).toMatchObject({
      resource: `${world.origin}/mcp`,
      authorization_servers: [world.origin],
      scopes_supported: ['read', 'hire', 'sell'],
    })
    const job = { method: 'POST', url: '/api/jobs', payload: {} } as const
    const api = await metadataOf(await world.http.inject(job))
    expect(api.challenge).toBe(
      `Bearer scope="hire", resource_metadata="${world.origin}/.well-known/oauth-protected-resource/api"`,
    )
    expect(api.metadata).toMatchObject({ resource: `${world.origin}/api` })
    const server = (await world.http.inject('/.well-known/oauth-authorization-server')).json()
    expect(server).toMatchObject({
      issuer: world.origin,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
    })
    for (const name of ['authorization', 'token', 'revocation', 'registration'])
      expect(String(server[`${name}_endpoint`])).toMatch(`${world.origin}/oauth/`)
  })

  test('a page of another site reads them and gets tokens, without cookies, and registers nobody', async () => {
    const origin = 'https://assistant.example.com'
    const openness = ({ statusCode, headers }: { statusCode: number; headers: Record<string, unknown> }) => [
      statusCode,
      headers['access-control-allow-origin'],
      headers['access-control-allow-credentials'],
    ]
    for (const name of ['authorization-server', 'protected-resource/mcp', 'protected-resource/api']) {
      const url = `/.well-known/oauth-${name}`
      expect(openness(await world.http.inject({ url, headers: { origin } }))).toEqual([200, '*', undefined])
      const permission = await world.http.inject({ method: 'OPTIONS', url, headers: { origin } })
      expect(openness(permission)).toEqual([204, '*', undefined])
      expect(permission.headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
    }

    const { started, code } = await world.allow(owner)
    const send = (url: string, fields: Record<string, string>) =>
      world.http.inject({
        method: 'POST',
        url,
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ client_id: started.clientId, ...fields }).toString(),
      })
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT }
    const wrong = await send('/oauth/token', { ...exchange, code_verifier: 'x'.repeat(43) })
    expect(openness(wrong)).toEqual([400, '*', undefined])
    const right = await send('/oauth/token', { ...exchange, code_verifier: started.verifier })
    expect(openness(right)).toEqual([200, '*', undefined])
    const revoked = await send('/oauth/revoke', { token: right.json().access_token })
    expect(openness(revoked)).toEqual([200, '*', undefined])

    const ask = (url: string) =>
      world.http.inject({
        method: 'OPTIONS',
        url,
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    for (const url of ['/oauth/token', '/oauth/revoke'])
      expect(openness(await ask(url))).toEqual([204, '*', undefined])
    for (const url of ['/oauth/register', '/oauth/authorize'])
      expect(openness(await ask(url))).toEqual([404, undefined, undefined])
  })

  test('what the provider could do besides is not served', async () => {
    for (const url of ['/oauth/jwks', '/.well-known/openid-configuration', '/me', '/session/end', '/jwks'])
      expect([url, (await world.http.inject(url)).statusCode]).toEqual([url, 404])
  })
})

describe('a client', () => {
  test('registers itself, is bounded, and is forgotten unless somebody allows it', async () => {
    const registered = await world.register({ scope: 'read hire', token_endpoint_auth_method: 'none' })
    expect([registered.statusCode, registered.json()]).toEqual([
      201,
      expect.objectContaining({ client_name: 'Ledger Assistant', redirect_uris: [REDIRECT] }),
    ])
    expect(registered.json()).not.toHaveProperty('client_secret')
    const large = await world.register({ client_name: 'x'.repeat(9_000) })
    expect([large.statusCode, large.json().error]).toEqual([400, 'invalid_client_metadata'])

    const used = await world.connect(owner)
    const unused = await world.newClient()
    world.wallClock.advance(2 * 24 * 3600)
    await world.tick('oauth-expired')
    expect((await world.start({ client_id: unused })).status).toBe(400)
    expect((await world.start({ client_id: used.started.clientId })).status).toBe(303)
    const { count } = await world.db.one<{ count: bigint }>(
      sql`select count(*) from oauth_records where expires_at <= ${world.wallClock.now()}`,
    )
    expect(count).toBe(0n)
  })

  test('cannot be registered without end from one address', async () => {
    const { http } = await world.startBeside({ environment: { RATE_LIMITS: 'on' } })
    const statuses: number[] = []
    for (let count = 0; count <= NEW_CLIENTS_PER_MINUTE; count += 1) {
      const payload = { redirect_uris: [REDIRECT] }
      const { statusCode } = await http.inject({ method: 'POST', url: '/oauth/register', payload })
      statuses.push(statusCode)
    }
    expect(statuses).toEqual([...Array(NEW_CLIENTS_PER_MINUTE).fill(201), 429])

    const registered = async () => {
      const payload = { redirect_uris: [REDIRECT] }
      return (await http.inject({ method: 'POST', url: '/oauth/register', payload })).statusCode
    }
    // The one that was refused counts, too.
    world.wallClock.advance(60)
    for (let count = NEW_CLIENTS_PER_MINUTE + 1; count < NEW_CLIENTS_PER_DAY; count += 1) {
      if (count % (NEW_CLIENTS_PER_MINUTE - 1) === 0) world.wallClock.advance(60)
      expect([count, await registered()]).toEqual([count, 201])
    }
    world.wallClock.advance(60)
    expect(await registered()).toBe(429)
    world.wallClock.advance(24 * 3600)
    expect(await registered()).toBe(201)
  })

  test('that does not lead back to the same computer shows its errors here: nobody has decided anything', async () => {
    const redirect_uri = 'https://elsewhere.example/back'
    const registered = await world.register({ redirect_uris: [redirect_uri] })
    const client_id = registered.json().client_id
    const wrong: Record<string, string | undefined>[] = [
      { prompt: 'none' },
      { resource: 'https://elsewhere.example/mcp' },
      { code_challenge: undefined },
    ]
    for (const changes of wrong) {
      const away = await world.start({ client_id, redirect_uri, ...changes })
      expect([changes, away.status, away.location]).toEqual([changes, 400, ''])
      const here = await world.start(changes)
      expect([changes, here.status, here.location]).toEqual([changes, 303, expect.stringContaining(REDIRECT)])
    }
    expect((await world.start({ client_id, redirect_uri })).location).toMatch(/^\/consent\//)
    for (const changes of [
      { response_mode: 'form_post' },
      { response_mode: 'fragment' },
      { client_id: `https://assistant.example.com/${'x'.repeat(500)}` },
    ]) {
      const refused = await world.start(changes)
      expect([changes, refused.status, refused.location]).toEqual([changes, 400, ''])
    }
    expect((await world.start({ response_mode: 'query' })).status).toBe(303)
  })

  test('has a cookie over https that no other host can set', async () => {
    const { http } = await world.startBeside({
      ports: ({ config }) => ({ config: { ...config, publicUrl: new URL('https://market.example.com') } }),
    })
    const client_id = await world.newClient()
    const asked = { client_id, redirect_uri: REDIRECT, response_type: 'code', code_challenge: 'x'.repeat(43) }
    const query = new URLSearchParams({ ...asked, code_challenge_method: 'S256', scope: 'read' })
    const { headers, cookies } = await http.inject(`/oauth/authorize?${query}`)
    const id = String(headers.location).split('/').at(-1)
    expect(cookies.find(({ name }) => name.startsWith('__Host-'))).toMatchObject({
      name: `__Host-oauth_request_${id}`,
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'lax',
    })
    expect(cookies.map(({ name }) => name)).not.toContain('oauth_request')
  })

  test('is registered and asks however many others there are: the oldest that nobody uses makes room', async () => {
    await world.db.run(sql`delete from oauth_records where model in ('Client', 'Interaction')`)
    const used = await world.connect(await world.newOwner())
    const disconnected = await world.connect(owner, { expiresInDays: 365 })
    const [grant] = await world.listGrants(owner)
    const url = `/api/oauth/grants/${grant.id}`
    expect((await world.http.inject({ method: 'DELETE', url, headers: owner.headers })).statusCode).toBe(200)

    world.wallClock.advance(60)
    const now = world.wallClock.now()
    const count = async (model: string) => {
      const counted = sql`select count(*) as clients from oauth_records where model = ${model}`
      return Number((await world.db.one<{ clients: bigint }>(counted)).clients)
    }
    const fill = async (model: keyof typeof mostAtOnce) =>
      world.db.run(sql`
        insert into oauth_records (model, id_hash, payload, created_at, expires_at)
        select ${model}, sha256(number::text::bytea), '{}', ${now}, ${addSeconds(now, 600)}
        from generate_series(1, ${mostAtOnce[model] - (await count(model))}::int) as number`)
    await fill('Client')
    await fill('Interaction')
    const registered = await world.register()
    expect(registered.statusCode).toBe(201)
    const started = await world.start({ client_id: registered.json().client_id })
    expect(started.location).toBe(`/consent/${started.id}`)
    expect((await world.read(started, owner)).statusCode).toBe(200)
    expect([await count('Client'), await count('Interaction')]).toEqual(Object.values(mostAtOnce))
    expect((await world.start({ client_id: disconnected.started.clientId })).status).toBe(400)
    expect((await world.start({ client_id: used.started.clientId })).status).toBe(303)
    await world.db.run(sql`delete from oauth_records where payload::text = '{}'`)
  })

  test('is counted by its address, no matter who is signed in there', async () => {
    const { http } = await world.startBeside({ environment: { RATE_LIMITS: 'on' } })
    const client_id = await world.newClient()
    const left = async (headers: Record<string, string>) =>
      Number(
        (await http.inject({ url: `/oauth/authorize?client_id=${client_id}`, headers })).headers[
          'x-ratelimit-remaining'
        ],
      )
    const before = await left({})
    expect(await left({ ...owner.headers })).toBe(before - 1)
  })

  test('gets its code by https, or on the computer of the person', async () => {
    const redirects = ['https://app.example.com/back', 'http://127.0.0.1:7/back', 'http://[::1]:7/back']
    expect((await world.register({ redirect_uris: redirects })).statusCode).toBe(201)
    const open = await world.register({ redirect_uris: ['http://app.example.com/back'] })
    expect([open.statusCode, open.json().error]).toEqual([400, 'invalid_redirect_uri'])
    const published = await world.start({
      client_id: OPEN_DOCUMENT_URL,
      redirect_uri: 'http://app.example.com/back',
    })
    expect([published.status, published.location]).toEqual([400, ''])
  })

  test('is described by its document, which is fetched once and names its host', async () => {
    const later = await world.newOwner()
    fetched.length = 0
    const started = await world.start({ client_id: DOCUMENT_URL })
    const read = await world.read(started, later)
    expect(read.json().data).toMatchObject({
      clientName: 'Assistant',
      clientHost: 'assistant.example.com',
      isVerifiedHost: true,
      redirectHost: 'localhost:7777',
      isLocalRedirect: true,
    })
    expect((await world.start({ client_id: DOCUMENT_URL })).status).toBe(303)
    expect(fetched).toEqual([DOCUMENT_URL])
    const wrong = await world.start({
      client_id: DOCUMENT_URL,
      redirect_uri: 'https://assistant.example.com/other',
    })
    expect([wrong.status, wrong.location]).toEqual([400, ''])
    const missing = await world.start({ client_id: 'https://nobody.example.com/client.json' })
    expect([missing.status, missing.location]).toEqual([400, ''])
  })

  test('is known by its document in a process that has not read it yet', async () => {
    const started = await world.start({ client_id: DOCUMENT_URL })
    const { http } = await world.startBeside()
    const headers = { ...owner.headers, cookie: started.cookie }
    const url = `/api/oauth/requests/${started.id}`
    const read = await http.inject({ url, headers })
    expect([read.statusCode, read.json().data?.clientName]).toEqual([200, 'Assistant'])
    const { http: apart } = await world.startBeside({
      ports: () => ({ callForDocument: async () => ({ kind: 'failure', why: 'The connection failed.' }) }),
    })
    expect((await apart.inject({ url, headers })).statusCode).toBe(503)
  })

  test('has no document at an address of this machine in production: nothing is sent there', async () => {
    const listen = async () => {
      let connections = 0
      const listener = createServer((socket) => {
        connections += 1
        socket.destroy()
      })
      await once(listener.listen(0, '127.0.0.1'), 'listening')
      const { port } = listener.address() as AddressInfo
      return { port, close: () => listener.close(), count: () => connections }
    }
    const startIn = (mode: 'sandbox' | 'production') =>
      world.startBeside({ ports: ({ config }) => ({ config: { ...config, mode } }) })
    const ask = async ({ http }: Pick<TestOAuth, 'http'>, address: string) => {
      const client_id = `https://${address}/client.json`
      const query = new URLSearchParams({ client_id, redirect_uri: REDIRECT, response_type: 'code' })
      return (await http.inject(`/oauth/authorize?${query}`)).statusCode
    }
    const reached = await listen()
    expect(await ask(await startIn('sandbox'), `127.0.0.1:${reached.port}`)).toBe(400)
    expect(reached.count()).toBeGreaterThan(0)
    reached.close()
    const guarded = await listen()
    const production = await startIn('production')
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]'])
      expect([host, await ask(production, `${host}:${guarded.port}`)]).toEqual([host, 400])
    expect(guarded.count()).toBe(0)
    guarded.close()
  })

  test('without PKCE, with another redirect or for another resource gets no request', async () => {
    const client_id = await world.newClient()
    const plain = await world.start({
      client_id,
      code_challenge: undefined,
      code_challenge_method: undefined,
    })
    expect([plain.status, errorOf(plain.location)]).toEqual([303, 'invalid_request'])
    const weak = await world.start({ client_id, code_challenge_method: 'plain' })
    expect([weak.status, errorOf(weak.location)]).toEqual([303, 'invalid_request'])
    const elsewhere = await world.start({ client_id, redirect_uri: `${REDIRECT}/more` })
    expect([elsewhere.status, elsewhere.location]).toEqual([400, ''])
    const resource = await world.start({ client_id, resource: 'https://elsewhere.example/mcp' })
    expect([resource.status, errorOf(resource.location)]).toEqual([303, 'invalid_target'])
    const both = new URL(`${world.origin}/oauth/authorize`)
    const asked = { client_id, redirect_uri: REDIRECT, response_type: 'code', code_challenge: 'x'.repeat(43) }
    both.search = String(new URLSearchParams({ ...asked, code_challenge_method: 'S256', scope: 'read' }))
    for (const path of ['/mcp', '/api']) both.searchParams.append('resource', `${world.origin}${path}`)
    const several = await world.http.inject(`${both.pathname}${both.search}`)
    expect(errorOf(String(several.headers.location))).toBe('invalid_target')
    const implicit = await world.start({ client_id, response_type: 'token' })
    expect(implicit.location).not.toContain('/consent/')
  })
})

describe('consent', () => {
  test('shows who asks for what, and leads back with a code', async () => {
    const started = await world.start()
    expect(started.location).toBe(`/consent/${started.id}`)
    const read = await world.read(started, owner)
    expect([read.statusCode, read.json().data]).toEqual([
      200,
      expect.objectContaining({
        clientName: 'Ledger Assistant',
        clientHost: 'localhost:7777',
        isVerifiedHost: false,
        redirectHost: 'localhost:7777',
        isLocalRedirect: true,
        scopes: ['read', 'hire'],
        resource: `${world.origin}/mcp`,
      }),
    ])
    const decided = await world.decide(started, owner)
    const back = await world.goOn(started, decided.json().data.continueAt)
    expect(back.origin + back.pathname).toBe(REDIRECT)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'abc', iss: world.origin })
    expect((await world.decide(started, owner)).statusCode).toBe(404)
  })

  test('of a client that names no scope, or none that there is, is for reading', async () => {
    for (const scope of [undefined, 'profile']) {
      const started = await world.start({ scope })
      expect((await world.read(started, owner)).json().data.scopes).toEqual(['read'])
      const decided = await world.decide(started, owner)
      const back = await world.goOn(started, decided.json().data.continueAt)
      const tokens = (await world.exchange(started, back.searchParams.get('code') ?? '')).json()
      expect([tokens.scope, (await world.callTool(tokens.access_token)).statusCode]).toEqual(['read', 200])
    }
  })

  test('that is denied leads back without one', async () => {
    const started = await world.start()
    const decided = await world.decide(started, owner, { decision: 'DENY' })
    const back = await world.goOn(started, decided.json().data.continueAt)
    expect([errorOf(back), back.searchParams.get('code'), back.searchParams.get('state')]).toEqual([
      'access_denied',
      null,
      'abc',
    ])
    expect(await world.listGrants(owner)).toEqual([])
  })

  test('is given only in the browser that began, with the wallet, and with the token of the page', async () => {
    const started = await world.start()
    expect((await world.decide({ ...started, cookie: '' }, owner)).statusCode).toBe(404)
    const other = await world.start()
    expect((await world.decide({ ...started, cookie: other.cookie }, owner)).statusCode).toBe(404)
    const forged = started.cookie.replace(`oauth_request_${started.id}`, `oauth_request_${other.id}`)
    expect(forged).not.toBe(started.cookie)
    expect((await world.decide({ ...other, cookie: forged }, owner)).statusCode).toBe(404)
    const key = await world.http.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers: owner.headers,
      payload: { name: 'All' },
    })
    const asKey = { headers: { authorization: `Bearer ${key.json().data.key}` } }
    expect((await world.decide(started, asKey)).statusCode).toBe(403)
    const cookie = `${started.cookie}; token=${owner.headers.authorization.replace('Bearer ', '')}`
    const forgedSite = await world.http.inject({
      method: 'POST',
      url: `/api/oauth/requests/${started.id}/decision`,
      headers: { cookie },
      payload: { decision: 'ALLOW' },
    })
    expect(forgedSite.statusCode).toBe(403)
    expect((await world.http.inject({ url: `/api/oauth/requests/${started.id}` })).statusCode).toBe(401)
    expect(await world.listGrants(owner)).toEqual([])
    expect((await world.decide(started, owner)).statusCode).toBe(200)
  })

  test('waits no longer than its time, and allows no more than was requested', async () => {
    const started = await world.start({ scope: 'read' })
    const beyond = await world.decide(started, owner, { scopes: ['sell'] })
    expect(beyond.statusCode).toBe(400)
    world.wallClock.advance(16 * 60)
    expect((await world.decide(started, await world.newOwner())).statusCode).toBe(404)
  })

  test('is limited to so many clients', async () => {
    const client_id = await world.newClient()
    const beside = { replaces: false }
    for (let count = 0; count < MAX_GRANTS; count += 1) await world.allow(owner, beside, { client_id })
    const started = await world.start({ client_id })
    const refused = await world.decide(started, owner, beside)
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'CONFLICT'])
    const [grant] = await world.listGrants(owner)
    const url = `/api/oauth/grants/${grant.id}`
    expect((await world.http.inject({ method: 'DELETE', url, headers: owner.headers })).statusCode).toBe(200)
    expect((await world.decide(started, owner, beside)).statusCode).toBe(200)
  })

  test('is decided once, however many decisions come at the same moment', async () => {
    const started = await world.start()
    const decisions = ['ALLOW', 'DENY', 'ALLOW', 'DENY'].map((decision) =>
      world.decide(started, owner, { decision }),
    )
    const statuses = (await Promise.all(decisions)).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([200, 404, 404, 404])
    const { status } = await world
      .goOn(started, `/oauth/authorize/${started.id}`)
      .then(({ searchParams }) => ({ status: searchParams.has('code') ? 'ALLOW' : 'DENY' }))
    expect(await world.listGrants(owner)).toHaveLength(status === 'ALLOW' ? 1 : 0)
  })

  test('is given in two tabs of one browser, each for its own client', async () => {
    const [first, second] = [await world.start(), await world.start()]
    const cookie = `${first.cookie}; ${second.cookie}`
    for (const started of [first, second]) {
      const decided = await world.decide({ ...started, cookie }, owner)
      expect(decided.statusCode).toBe(200)
      const back = await world.goOn(started, decided.json().data.continueAt)
      expect((await world.exchange(started, back.searchParams.get('code') ?? '')).statusCode).toBe(200)
    }
    expect(await world.listGrants(owner)).toHaveLength(2)
  })

  test('given again to the same client replaces what it had, unless the person keeps both', async () => {
    const client_id = await world.newClient()
    const { tokens: former } = await world.connect(owner, {}, { client_id })
    const again = await world.start({ client_id })
    expect((await world.read(again, owner)).json().data.connections).toBe(1)
    const { tokens } = await world.connect(owner, { budget: { perDay: '1' } }, { client_id })
    expect((await world.callTool(former.access_token)).statusCode).toBe(401)
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(200)
    const stranger = await world.newOwner()
    await world.connect(stranger, {}, { client_id })
    await world.connect(owner, {}, { client_id, resource: `${world.origin}/api` })
    expect(await world.listGrants(owner)).toHaveLength(2)
    await world.connect(owner, { replaces: false }, { client_id })
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(200)
    expect(await world.listGrants(owner)).toHaveLength(3)
  })
})

describe('a token', () => {
  test('acts for its owner within its scopes, at its resource alone', async () => {
    const { tokens } = await world.connect(owner, { scopes: ['read'] })
    expect([tokens.scope, tokens.expires_in]).toEqual(['read', 3600])
    const jobs = await world.callTool(tokens.access_token)
    expect([jobs.statusCode, jobs.body]).toEqual([200, expect.stringContaining('"jobs":[]')])
    const hire = await world.callTool(tokens.access_token, 'hire')
    expect([hire.statusCode, hire.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope", scope="read hire"'),
    ])
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const api = await world.http.inject({ url: '/api/jobs', headers })
    expect([api.statusCode, api.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ])
    const stored = await world.db.rows<{ text: string }>(
      sql`select encode(id_hash, 'escape') || payload::text as text from oauth_records`,
    )
    for (const token of [tokens.access_token, tokens.refresh_token])
      expect(JSON.stringify(stored)).not.toContain(token)

    const { tokens: ofApi } = await world.connect(owner, {}, { resource: `${world.origin}/api` })
    const asApi = { authorization: `Bearer ${ofApi.access_token}` }
    expect((await world.http.inject({ url: '/api/jobs', headers: asApi })).statusCode).toBe(200)
    expect((await world.callTool(ofApi.access_token)).statusCode).toBe(401)
    const account = await world.http.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers: asApi,
      payload: { name: 'Mine' },
    })
    expect([account.statusCode, account.json().error.code]).toEqual([403, 'FORBIDDEN'])
    // What an app sets up would go on after it is disconnected.
    const pushed = await world.http.inject({
      method: 'POST',
      url: `/api/agents/0x${'1'.repeat(40)}/a2a`,
      headers: { ...asApi, 'a2a-version': '1.0' },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: {
          message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Sing.' }] },
          configuration: { taskPushNotificationConfig: { url: 'https://example.com/hook' } },
        },
      },
    })
    expect(pushed.json().error).toMatchObject({
      code: -32004,
      message: expect.stringContaining('Connected apps get no push notifications.'),
    })
    const [grant] = await world.listGrants(owner)
    expect(Date.parse(grant.lastUsedAt)).toBe(Math.floor(world.wallClock.now().getTime() / 60_000) * 60_000)
  })

  test('ends by itself, with its grant, and when the account does', async () => {
    const { tokens, started } = await world.connect(owner, { expiresInDays: 1 })
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(200)
    world.wallClock.advance(3601)
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(401)
    const next = (await world.refresh(started, tokens.refresh_token)).json()
    expect((await world.callTool(next.access_token)).statusCode).toBe(200)
    world.wallClock.advance(24 * 3600)
    const late = await world.refresh(started, next.refresh_token)
    expect([late.statusCode, late.json().error]).toEqual([400, 'invalid_grant'])
  })

  test('of a code needs its verifier, and a code that comes twice ends the grant', async () => {
    const { started, code } = await world.allow(owner)
    const wrong = await world.exchange({ ...started, verifier: 'x'.repeat(43) }, code)
    expect([wrong.statusCode, wrong.json().error]).toEqual([400, 'invalid_grant'])
    const stranger = await world.exchange({ ...started, clientId: await world.newClient() }, code)
    expect([stranger.statusCode, stranger.json().error]).toEqual([400, 'invalid_grant'])
    const tokens = (await world.exchange(started, code)).json()
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(200)
    const again = await world.exchange(started, code)
    expect([again.statusCode, again.json().error]).toEqual([400, 'invalid_grant'])
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(401)
    expect(await world.listGrants(owner)).toEqual([])
  })

  test('is refreshed once by each refresh token; a second use ends the grant', async () => {
    const { started, tokens } = await world.connect(owner)
    const next = (await world.refresh(started, tokens.refresh_token)).json()
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await world.callTool(next.access_token)).statusCode).toBe(200)
    const stolen = await world.refresh(started, tokens.refresh_token)
    expect([stolen.statusCode, stolen.json().error]).toEqual([400, 'invalid_grant'])
    expect((await world.callTool(next.access_token)).statusCode).toBe(401)
    expect((await world.refresh(started, next.refresh_token)).statusCode).toBe(400)
    expect(await world.listGrants(owner)).toEqual([])
  })

  test('is refreshed by at most one of two that come at once', async () => {
    const { started, tokens } = await world.connect(owner)
    const both = await Promise.all([
      world.refresh(started, tokens.refresh_token),
      world.refresh(started, tokens.refresh_token),
    ])
    expect(both.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(1)
    expect(await world.listGrants(owner)).toEqual([])
  })

  test.each(['refresh_token', 'access_token'] as const)(
    'that its client revokes by its %s works no more, nor does its grant',
    async (kind) => {
      const { started, tokens } = await world.connect(owner)
      expect((await world.revokeToken(started, tokens[kind])).statusCode).toBe(200)
      expect((await world.callTool(tokens.access_token)).statusCode).toBe(401)
      expect((await world.refresh(started, tokens.refresh_token)).statusCode).toBe(400)
      expect(await world.listGrants(owner)).toEqual([])
    },
  )
})

describe('a grant', () => {
  test('is listed with its budget, and revoked by its owner alone, in every process at once', async () => {
    const { started, tokens } = await world.connect(owner, {
      expiresInDays: 7,
      budget: { perJob: '5000000', total: '9000000' },
    })
    const [grant] = await world.listGrants(owner)
    expect(grant).toMatchObject({
      clientName: 'Ledger Assistant',
      clientHost: 'localhost:7777',
      scopes: ['read', 'hire'],
      budget: { caps: { perJob: '5000000', total: '9000000' } },
    })
    const there = await world.startBeside()
    const tool = { method: 'tools/call', params: { name: 'my_jobs', arguments: {} } }
    const statusThere = async () =>
      (
        await there.http.inject({
          method: 'POST',
          url: '/mcp',
          headers: {
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${tokens.access_token}`,
          },
          payload: { jsonrpc: '2.0', id: 1, ...tool },
        })
      ).statusCode
    expect(await statusThere()).toBe(200)
    const remove = ({ headers }: WorldOwner) =>
      world.http.inject({ method: 'DELETE', url: `/api/oauth/grants/${grant.id}`, headers })
    expect((await remove(await world.newOwner())).statusCode).toBe(404)
    expect((await remove(owner)).statusCode).toBe(200)
    expect(await statusThere()).toBe(401)
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(401)
    expect((await world.refresh(started, tokens.refresh_token)).statusCode).toBe(400)
    expect((await remove(owner)).statusCode).toBe(404)
  })

  test('ends where its code is never redeemed, and is forgotten 30 days after its end, with its budget', async () => {
    await world.allow(owner)
    expect(await world.listGrants(owner)).toHaveLength(1)
    const { tokens } = await world.connect(owner)
    const clean = async (seconds: number) => {
      world.wallClock.advance(seconds)
      await world.tick('oauth-expired')
      await world.tick('oauth-ended')
    }
    await clean(21 * 60)
    expect(await world.listGrants(owner)).toHaveLength(1)
    expect((await world.callTool(tokens.access_token)).statusCode).toBe(200)
    const left = async (table: 'oauth_grants' | 'budgets') => {
      const rows = table === 'budgets' ? sql`select id from budgets` : sql`select id from oauth_grants`
      return (await world.db.rows(sql`${rows} where owner_id = ${owner.ownerId}`)).length
    }
    expect([await left('oauth_grants'), await left('budgets')]).toEqual([2, 2])
    await clean(31 * 24 * 3600)
    expect([await left('oauth_grants'), await left('budgets')]).toEqual([1, 1])
    await clean(31 * 24 * 3600)
    expect([await left('oauth_grants'), await left('budgets')]).toEqual([0, 0])
  })

  test('ends where its code is never redeemed, however many others there are: some are looked at in each turn', async () => {
    for (let count = 0; count < 3; count += 1) await world.allow(owner)
    world.wallClock.advance(21 * 60)
    await world.tick('oauth-expired')
    const endSome = createGrantEnding({
      db: world.db,
      clock: world.wallClock,
      examinedAtOnce: 2,
      random: () => 0,
    })
    const left: number[] = []
    // Grants of other tests may be among those of a turn.
    for (let turns = 0; left.at(-1) !== 0 && turns < 1_000; turns += 1) {
      await endSome()
      left.push((await world.listGrants(owner)).length)
    }
    expect(left.at(-1)).toBe(0)
    expect(left.length).toBeGreaterThan(1)
    const last = await world.allow(owner)
    expect(last).toBeDefined()
    world.wallClock.advance(21 * 60)
    await world.tick('oauth-expired')
    for (let turns = 0; turns < left.length + 2; turns += 1) await endSome()
    expect(await world.listGrants(owner)).toEqual([])
  })

  test('ends if its code is never redeemed, even when one before it cannot be ended', async () => {
    for (let count = 0; count < 3; count += 1) await world.allow(owner)
    world.wallClock.advance(21 * 60)
    await world.tick('oauth-expired')
    let ended = 0
    const db: Database = {
      ...world.db,
      async transaction(work) {
        ended += 1
        if (ended === 1) throw new Error('cannot be ended')
        return world.db.transaction(work)
      },
    }
    const endAll = createGrantEnding({ db, clock: world.wallClock, random: () => 0 })
    await expect(endAll()).rejects.toThrow('could not be dealt with')
    expect(await world.listGrants(owner)).toHaveLength(1)
    await endAll()
    expect(await world.listGrants(owner)).toEqual([])
  })

  test('ends so too where every process is restarted after its first turn: each begins somewhere else', async () => {
    // Behind all others, two of which are looked at in a turn.
    for (let count = 0; count < 4; count += 1) {
      world.wallClock.advance(1)
      await world.allow(owner)
    }
    world.wallClock.advance(21 * 60)
    await world.tick('oauth-expired')
    const restarted = (share: number) =>
      createGrantEnding({ db: world.db, clock: world.wallClock, examinedAtOnce: 2, random: () => share })
    for (let count = 0; count < 2; count += 1) await restarted(0)()
    const left = async () => (await world.listGrants(owner)).length
    const before = await left()
    const beginsLate = restarted(1 - 1e-12)
    await beginsLate()
    expect(await left()).toBe(before - 1)
    // Then from the first on.
    for (let turns = 0; (await left()) > 0 && turns < 1_000; turns += 1) await beginsLate()
    expect(await left()).toBe(0)
  })

  test('moves no money but what its budget counts, and changes nothing that stays when it is revoked', async () => {
    const api = { resource: `${world.origin}/api`, scope: 'read hire sell' }
    const { tokens } = await world.connect(owner, {}, api)
    const kept = ['registerOwner', 'setAgentConnection', 'deleteAgentConnection']
    const refused = allEndpoints.filter(({ id, keys }) => keys?.money === 'uncapped' || kept.includes(id))
    expect(refused.map(({ id }) => id)).toEqual(
      expect.arrayContaining([...kept, 'refundJob', 'createWithdrawal', 'payKycFee', 'settleX402Payment']),
    )
    for (const { id, method, path } of refused) {
      const { statusCode, body } = await world.http.inject({
        method,
        url: path.replaceAll(/\{\w+\}/g, 'unknown'),
        headers: { authorization: `Bearer ${tokens.access_token}` },
        payload: {},
      })
      expect([id, statusCode, body]).toEqual([id, 403, expect.stringMatching('grant')])
    }
  })

  test('spends its cap exactly, however many hires come at once', async () => {
    const agent = await world.newAgent(await world.newOwner())
    const api = { resource: `${world.origin}/api` }
    const { tokens } = await world.connect(owner, { budget: { total: '5000000' } }, api)
    const hire = (title: string) =>
      world.http.inject({
        method: 'POST',
        url: '/api/jobs',
        headers: { authorization: `Bearer ${tokens.access_token}` },
        payload: { agentId: agent.id, title, description: 'All of it.', agreedPrice: '1000000' },
      })
    const replies = await Promise.all(Array.from({ length: 12 }, (_, number) => hire(`Job ${number}`)))
    const statuses = replies.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(7).fill(402)])
    const [grant] = await world.listGrants(owner)
    expect(grant.budget.spending.total).toMatchObject({ reserved: '5000000', left: '0' })
    const budget = await world.http.inject({
      url: '/api/budget',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(budget.json().data).toMatchObject({
      scopes: ['read', 'hire'],
      budget: { caps: { total: '5000000' } },
    })
    expect(await world.breaches()).toEqual([])
  })
})
