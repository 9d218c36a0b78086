import { UPLOAD_BYTES_PER_DAY } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { cidByHand } from '../../ports/storage/testing/unixfs.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import type { WorldOwner } from '../../testing/world/world-people.ts'

const clock = createTestClock()
let world: World
let owner: WorldOwner
beforeAll(async () => {
  world = await startWorld({ clock })
  owner = await world.newOwner()
})
afterAll(() => world.close())

const upload = (payload: object, more: Record<string, string> = {}) =>
  world.http.inject({ method: 'POST', url: '/api/files', headers: { ...owner.headers, ...more }, payload })
const download = (cid: string, more: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  world.http.inject({ method, url: `/api/files/${cid}`, headers: { ...owner.headers, ...more } })

describe('POST /api/files', () => {
  test('201 with the CID that any IPFS node gives these bytes', async () => {
    const response = await upload({ content: 'hello world' })
    expect(response.statusCode).toBe(201)
    const cid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'
    expect(response.json()).toEqual({ data: { cid, uri: `ipfs://${cid}`, sizeBytes: 11 } })
    expect((await upload({ content: 'hello world' })).json()).toEqual(response.json())
  })

  test('text and the same bytes in base64 are one file', async () => {
    const text = 'Zażółć, 😀'
    const asText = await upload({ content: text, encoding: 'utf8' })
    const asBytes = await upload({ content: Buffer.from(text).toString('base64'), encoding: 'base64' })
    expect(asBytes.json()).toEqual(asText.json())
  })

  test('every byte survives', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_value, index) => index))
    const { data } = (await upload({ content: bytes.toString('base64'), encoding: 'base64' })).json()
    expect((await download(data.cid)).rawPayload).toEqual(bytes)
  })

  test('an Idempotency-Key is bound to its content', async () => {
    const key = { 'idempotency-key': 'upload-1' }
    const first = await upload({ content: 'one' }, key)
    const again = await upload({ content: 'one' }, key)
    expect(again.json()).toEqual(first.json())
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await upload({ content: 'two' }, key)).statusCode).toBe(409)
  })

  test.each([
    [{}],
    [{ content: '' }],
    [{ content: 7 }],
    [{ content: 'a', encoding: 'hex' }],
    [{ content: 'not base64!', encoding: 'base64' }],
    [{ content: 'YWI', encoding: 'base64' }],
    [{ content: 'YWJ=', encoding: 'base64' }],
    [{ content: 'a\u0000b' }],
  ])('400 for %j', async (payload) => {
    expect((await upload(payload)).statusCode).toBe(400)
  })

  test('429 above what an owner may store within 24 hours, until the first of it is a day old', async () => {
    const { ownerId, headers } = await world.newOwner()
    await world.db.run(sql`
      insert into file_uploads (owner_id, size_bytes, uploaded_at)
      values (${ownerId}, ${UPLOAD_BYTES_PER_DAY - 3}, ${clock.now()})`)
    expect((await upload({ content: 'four' }, headers)).statusCode).toBe(429)
    expect((await upload({ content: 'abc' }, headers)).statusCode).toBe(201)
    clock.advance(24 * 3600 - 1)
    const refused = await upload({ content: 'a' }, headers)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('1')
    clock.advance(1)
    expect((await upload({ content: 'a' }, headers)).statusCode).toBe(201)
  })

  test('413 above 100 kB', async () => {
    expect((await upload({ content: 'x'.repeat(100_000) })).statusCode).toBe(413)
  })

  test('bytes of a process that dies before it records them are removed, unless somebody brought the same', async () => {
    const { storage } = world.deps
    const put = storage.put
    const dieAfterKeeping = vi.spyOn(storage, 'put').mockImplementation(async (...args) => {
      await put(...args)
      throw new Error('the process died')
    })
    for (const content of ['of nobody', 'brought again'])
      expect((await upload({ content })).statusCode).toBe(500)
    dieAfterKeeping.mockRestore()
    const [lost, found] = ['of nobody', 'brought again'].map((content) => cidByHand(Buffer.from(content)))
    if (!lost || !found) throw new Error('no CIDs')
    expect((await upload({ content: 'brought again' })).statusCode).toBe(201)

    await world.tick('job-files')
    expect(await storage.has(lost)).toBe(true)
    clock.advance(2 * 3600)
    await world.tick('job-files')
    expect([await storage.has(lost), await storage.has(found)]).toEqual([false, true])
    expect((await download(found)).body).toBe('brought again')
  })

  test('bytes that are about to be recorded stay when the last other reference to them ends', async () => {
    const { storage } = world.deps
    const put = storage.put
    const overtaken = vi.spyOn(storage, 'put').mockImplementation(async (...args) => {
      const kept = await put(...args)
      await world.db.run(sql`
        insert into expected_content (id, cid, expected_at)
        values ('of a process that died', ${kept.cid}, ${new Date(clock.now().getTime() - 86_400_000)})`)
      await world.tick('job-files')
      return kept
    })
    const response = await upload({ content: 'weighed by another' })
    overtaken.mockRestore()
    expect(response.statusCode).toBe(201)
    expect(await world.db.rows(sql`select id from expected_content`)).toEqual([])
    expect((await download(response.json().data.cid)).body).toBe('weighed by another')
  })

  test('401 without a credential, 403 for the suspended', async () => {
    const anonymous = await world.http.inject({
      method: 'POST',
      url: '/api/files',
      payload: { content: 'a' },
    })
    expect(anonymous.statusCode).toBe(401)
    const { headers } = await world.newOwner({ accountStatus: 'SUSPENDED' })
    expect((await upload({ content: 'a' }, headers)).statusCode).toBe(403)
  })
})

describe('GET /api/files/{cid}', () => {
  test.each([
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['plain text', 'hello'],
  ])('%s comes as a download that no browser shows or runs', async (_name, content) => {
    const { data } = (await upload({ content })).json()
    const response = await download(data.cid)
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe(content)
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${data.cid}"`,
      'content-length': String(Buffer.byteLength(content)),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
      etag: `"${data.cid}"`,
    })
  })

  test('304 for a caller who has it', async () => {
    const { cid } = (await upload({ content: 'cached' })).json().data
    for (const tag of [`"${cid}"`, `W/"${cid}"`, `"other", "${cid}"`, '*']) {
      const response = await download(cid, { 'if-none-match': tag })
      expect(response.statusCode).toBe(304)
      expect(response.body).toBe('')
    }
    expect((await download(cid, { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  test('HEAD returns the size alone', async () => {
    const { cid } = (await upload({ content: 'four' })).json().data
    const response = await download(cid, {}, 'HEAD')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-length']).toBe('4')
    expect(response.body).toBe('')
  })

  test('404 for a file of somebody else, until a job shares it or the same bytes are brought', async () => {
    const { cid } = (await upload({ content: 'between us' })).json().data
    const [seller, stranger] = [await world.newOwner(), await world.newOwner()]
    const readBy = async ({ headers }: WorldOwner, more: Record<string, string> = {}) =>
      (await download(cid, { ...headers, ...more })).statusCode
    expect([await readBy(seller), await readBy(seller, { 'if-none-match': '*' })]).toEqual([404, 404])
    const agent = await world.newAgent(seller)
    const job = { agentId: agent.id, title: 'Read it', description: 'All of it.', agreedPrice: '150000000' }
    const payload = { ...job, attachments: [`ipfs://${cid}`] }
    const { headers } = owner
    const hired = await world.http.inject({ method: 'POST', url: '/api/jobs', headers, payload })
    expect(hired.statusCode).toBe(201)
    expect([await readBy(seller), await readBy(stranger)]).toEqual([200, 404])
    await upload({ content: 'between us' }, stranger.headers)
    expect(await readBy(stranger)).toBe(200)
  })

  test('404 for what the storage holds but this service never stored', async () => {
    const { cid } = await world.deps.storage.put(Buffer.from('somebody else’s'))
    expect((await download(cid)).statusCode).toBe(404)
  })

  test.each(['bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy', 'nothing', 'x'.repeat(128)])(
    '404 for %s',
    async (cid) => {
      expect((await download(cid)).statusCode).toBe(404)
    },
  )

  test.each(['..%2F..%2Fetc%2Fpasswd', 'a.b', 'x'.repeat(129)])('400 for %s', async (cid) => {
    expect((await download(cid)).statusCode).toBe(400)
  })

  test('401 without a credential', async () => {
    expect((await download('nothing', { authorization: '' })).statusCode).toBe(401)
  })
})
