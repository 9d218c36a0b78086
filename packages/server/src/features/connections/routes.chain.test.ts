import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { cidByHand } from '../../ports/storage/testing/unixfs.ts'
import { countValidSignatures, respondWith } from '../../testing/processes/start-receiver.ts'
import { respondJson, startConnections } from './testing/start-connections.ts'

let world: Awaited<ReturnType<typeof startConnections>>
beforeAll(async () => {
  world = await startConnections()
})
afterAll(() => world.close())

const manual = {
  kind: 'MANUAL',
  url: null,
  hasToken: false,
  createdAt: null,
  lastCall: null,
  lastSeenAt: null,
  failedJobsInRow: 0,
  dispatches: [],
}

describe('the connection', () => {
  test('is manual until it is set, and again once it is removed', async () => {
    const seller = await world.newOwner()
    const agent = await world.newAgent(seller)
    const url = `/api/agents/${agent.wallet}/connection`
    expect(await world.connectionOf(seller, agent)).toEqual(manual)
    const target = { kind: 'HTTP', url: 'https://agent.example.com/jobs' }
    for (const remove of [
      () => world.inject('DELETE', url, seller.headers),
      () => world.inject('PUT', url, seller.headers, { kind: 'MANUAL' }),
    ]) {
      const set = await world.inject('PUT', url, seller.headers, target)
      expect(set.statusCode).toBe(200)
      expect(set.json().data).toMatchObject({ ...target, secret: expect.stringMatching(/^whsec_/) })
      expect((await remove()).json().data).toMatchObject(manual)
      expect(await world.connectionOf(seller, agent)).toEqual(manual)
    }
  })

  test('shows its secret when it is new, and keeps it sealed', async () => {
    const { agent, seller, url, secret } = await world.newConnectedAgent()
    const set = (more: object) =>
      world.inject('PUT', url, seller.headers, { kind: 'HTTP', url: world.program.url, ...more })
    expect((await set({})).json().data.secret).toBeNull()
    expect(await world.connectionOf(seller, agent)).not.toHaveProperty('secret')
    const stored = await world.db.one<{ text: string }>(
      sql`select row_to_json(agent_connections)::text as text from agent_connections where agent_id = ${agent.id}`,
    )
    expect(stored.text).not.toContain(secret.slice('whsec_'.length))

    const renewed: string = (await set({ newSecret: true })).json().data.secret
    expect(renewed).not.toBe(secret)
    await world.inject('POST', `${url}/test`, seller.headers)
    const sent = world.program.received.at(-1)
    if (!sent) throw new Error('nothing was sent')
    expect([countValidSignatures(sent, renewed), countValidSignatures(sent, secret)]).toEqual([1, 1])
  })

  test('a repeated call gets the secret again, and what is kept of it for that is sealed', async () => {
    const seller = await world.newOwner()
    const agent = await world.newAgent(seller)
    const headers = { ...seller.headers, 'idempotency-key': 'connect-once' }
    const set = () =>
      world.inject('PUT', `/api/agents/${agent.wallet}/connection`, headers, {
        kind: 'HTTP',
        url: world.program.url,
      })
    const first = await set()
    expect(first.json().data.secret).toMatch(/^whsec_/)
    const again = await set()
    expect([again.statusCode, again.json()]).toEqual([200, first.json()])
    const kept = await world.db.one<{ text: string }>(
      sql`select answer::text as text from idempotency_keys where owner_id = ${seller.ownerId}`,
    )
    expect(kept.text).not.toContain(first.json().data.secret.slice('whsec_'.length))
  })

  test.each([
    ['no URL', { kind: 'HTTP' }],
    ['a URL for MANUAL', { kind: 'MANUAL', url: 'https://agent.example.com/' }],
    ['an unknown kind', { kind: 'FTP', url: 'https://agent.example.com/' }],
    ['another scheme', { kind: 'HTTP', url: 'ftp://agent.example.com/' }],
    ['a password in the URL', { kind: 'HTTP', url: 'https://me:secret@agent.example.com/' }],
    ['the cloud’s metadata', { kind: 'HTTP', url: 'https://169.254.169.254/latest' }],
  ])('400 for %s', async (_name, payload) => {
    const { seller, url } = await world.newConnectedAgent()
    expect((await world.inject('PUT', url, seller.headers, payload)).statusCode).toBe(400)
  })

  test('is its owner’s alone', async () => {
    const { url } = await world.newConnectedAgent()
    const { headers } = await world.newOwner()
    const payload = { kind: 'HTTP', url: 'https://agent.example.com/' }
    const calls = (path: string, caller: Record<string, string>) =>
      Promise.all([
        world.inject('GET', path, caller),
        world.inject('PUT', path, caller, payload),
        world.inject('DELETE', path, caller),
        world.inject('POST', `${path}/test`, caller),
      ])
    const statuses = async (path: string, caller: Record<string, string>) =>
      (await calls(path, caller)).map(({ statusCode }) => statusCode)
    expect(await statuses(url, headers)).toEqual([403, 403, 403, 403])
    expect(await statuses(url, {})).toEqual([401, 401, 401, 401])
    const unknown = `/api/agents/0x${'12'.repeat(20)}/connection`
    expect(await statuses(unknown, headers)).toEqual([404, 404, 404, 404])
  })
})

const nothingHeard = { progress: [], messages: [], files: [], delivery: null }

describe('a test job', () => {
  test('shows what was sent and what came back, and leaves no job behind', async () => {
    const { agent, seller, url } = await world.newConnectedAgent()
    world.program.respondWith(respondJson(200, { content: 'Hello.' }))
    const response = await world.inject('POST', `${url}/test`, seller.headers)
    expect(response.statusCode).toBe(200)
    const { request, ...report } = response.json().data
    expect(report).toEqual({
      ok: true,
      waiting: false,
      verdict: 'The agent delivered a result.',
      status: 200,
      response: JSON.stringify({ content: 'Hello.' }),
      callback: nothingHeard,
      durationMs: expect.any(Number),
    })
    expect(request.body).toMatchObject({
      test: true,
      callback: { token: expect.stringMatching(/^jtt_/) },
      job: { amount: '0' },
    })
    const sent = world.program.received.at(-1)
    expect(JSON.parse(sent?.body ?? '')).toEqual(request.body)
    expect(sent?.headers).toMatchObject(request.headers)
    const { lastCall, dispatches } = await world.connectionOf(seller, agent)
    expect([lastCall.ok, dispatches]).toEqual([true, []])
    expect(await world.db.rows(sql`select 1 from jobs where agent_id = ${agent.id}`)).toEqual([])
  })

  test.each([
    ['does not deliver', respondWith(202), false, 'The agent took the job and has not delivered yet.'],
    [
      'names files that are not there',
      respondJson(200, { files: ['cnosuchfileatall'] }),
      false,
      'names files',
    ],
    ['fails', respondWith(500, 'Broken'), false, 'The agent returned 500: Broken'],
    ['returns something else', respondWith(200, '<html>'), false, 'The response is no result'],
    ['returns nothing', respondJson(200, {}), false, 'The result is rejected'],
  ])('says that the agent %s', async (_name, reply, ok, verdict) => {
    const { seller, url } = await world.newConnectedAgent()
    world.program.respondWith(reply)
    const { data } = (await world.inject('POST', `${url}/test`, seller.headers)).json()
    expect(data.ok).toBe(ok)
    expect(data.verdict).toContain(verdict)
  })

  describe('by the callback', () => {
    /** Does this with the callback of the test job before the response: the agent is as fast as can be. */
    async function tested(
      work: (callback: { path: string; headers: Record<string, string> }) => Promise<void>,
    ) {
      const { agent, seller, url } = await world.newConnectedAgent()
      world.program.respondWith((request, response) => {
        const { callback } = JSON.parse(world.program.received.at(-1)?.body ?? '')
        const headers = { authorization: `Bearer ${callback.token}` }
        work({ path: new URL(callback.url).pathname, headers }).then(
          () => respondWith(202)(request, response),
          (error: Error) => respondWith(500, error.message)(request, response),
        )
      })
      const report = (await world.inject('POST', `${url}/test`, seller.headers)).json().data
      return { agent, seller, report }
    }

    test('runs the whole way: progress, a message, a file, a delivery that is rejected, and one that is not', async () => {
      const statuses: number[] = []
      let path = ''
      let headers = {}
      const post = async (verb: string, payload: object) =>
        void statuses.push((await world.inject('POST', `${path}/${verb}`, headers, payload)).statusCode)
      const { agent, seller, report } = await tested(async (callback) => {
        ;({ path, headers } = callback)
        await post('progress', { step: 'Reading', percent: 40 })
        await post('messages', { text: 'Which month?' })
        const file = await world.http.inject({
          method: 'PUT',
          url: `${path}/uploads/a.csv`,
          headers: { ...headers, 'content-type': 'text/csv' },
          payload: 'a,b',
        })
        statuses.push(file.statusCode)
        const read = await world.inject('GET', `${path}/messages`, headers)
        expect(read.json().data).toMatchObject([{ from: 'SELLER', text: 'Which month?' }])
        statuses.push((await world.inject('GET', `${path}/files/cnosuchfileatall`, headers)).statusCode)
        await post('deliver', { output: { not: 'promised' } })
        await post('deliver', { content: 'Hello.', files: ['cnosuchfileatall'] })
        await post('deliver', { content: 'Hello.', files: [file.json().data.id] })
        await post('deliver', { content: 'Hello.', files: [file.json().data.id] })
        await post('progress', { step: 'Too late' })
      })
      expect(statuses).toEqual([201, 201, 201, 404, 400, 400, 200, 200, 401])
      expect(report).toMatchObject({
        ok: true,
        waiting: false,
        verdict: 'The agent delivered a result by the callback.',
        status: 202,
        callback: {
          progress: [{ step: 'Reading', percent: 40, note: null }],
          messages: [{ text: 'Which month?' }],
          files: [{ name: 'a.csv', mediaType: 'text/csv', sizeBytes: 3, cid: expect.any(String) }],
          delivery: { content: 'Hello.' },
        },
      })
      expect(await world.deps.storage.has(report.callback.files[0].cid)).toBe(false)
      expect((await world.connectionOf(seller, agent)).lastCall).toMatchObject({ ok: true })
      expect(await world.db.rows(sql`select 1 from jobs where agent_id = ${agent.id}`)).toEqual([])
    })

    test('leaves no bytes behind, also where they could not be removed at once', async () => {
      const { storage } = world.deps
      const bytes = Buffer.from('weighed, then the process dies')
      const { report } = await tested(async ({ path, headers }) => {
        const remove = vi.spyOn(storage, 'remove').mockRejectedValueOnce(new Error('the process died'))
        const url = `${path}/uploads/a.csv`
        const file = await world.http.inject({
          method: 'PUT',
          url,
          headers: { ...headers, 'content-type': 'text/csv' },
          payload: bytes,
        })
        remove.mockRestore()
        if (file.statusCode !== 500) throw new Error(file.body)
      })
      expect(report).toMatchObject({ status: 202, callback: { files: [] } })
      expect(await storage.has(cidByHand(bytes))).toBe(true)
      await world.advance(2 * 3600)
      await world.tick('job-files')
      expect(await storage.has(cidByHand(bytes))).toBe(false)
    })

    test('says why the delivery was rejected, waits on, and opens nothing else', async () => {
      let path = ''
      let headers = {}
      const { agent, seller, report } = await tested(async (callback) => {
        ;({ path, headers } = callback)
        await world.inject('POST', `${path}/deliver`, headers, { output: { not: 'promised' } })
      })
      expect(report).toMatchObject({ ok: false, waiting: true, callback: nothingHeard })
      expect(report.verdict).toContain('The result is rejected: /output')
      const lastCall = async () => (await world.connectionOf(seller, agent)).lastCall
      expect(await lastCall()).toMatchObject({ ok: false, error: report.verdict })
      const deliver = (to: string) => world.inject('POST', `${to}/deliver`, headers, { content: 'Hello.' })
      expect((await deliver(path.replace(/c[0-9a-z]{24}/, 'cmi0a1b2c3d4e5f6g7h8i9j0k'))).statusCode).toBe(403)
      expect((await deliver(path)).statusCode).toBe(200)
      expect(await lastCall()).toMatchObject({ ok: true, error: null })
      await world.db.run(sql`update connection_trials set expires_at = ${world.clock.now()}`)
      expect((await deliver(path)).statusCode).toBe(401)
    })
  })

  test('409 without a connection', async () => {
    const seller = await world.newOwner()
    const agent = await world.newAgent(seller)
    const response = await world.inject('POST', `/api/agents/${agent.wallet}/connection/test`, seller.headers)
    expect([response.statusCode, response.json().error.code]).toEqual([409, 'INVALID_STATE'])
  })
})
