import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  AppError,
  JOB_FILE_BYTES_PER_DAY,
  MAX_BYTES_OF_JOB,
  MAX_FILES_OF_JOB,
  MAX_JOB_FILE_BYTES,
  UNSENT_FILE_HOURS,
} from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { cidByHand, dagBytesByHand } from '../../ports/storage/testing/unixfs.ts'
import { sinceNow } from '../../testing/since.ts'
import { computeFolderCid } from '../files/job-files/folder-cid.ts'
import type { JobCalls } from '../jobs/testing/job-calls.ts'
import { startDeal } from '../jobs/testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../jobs/testing/start-jobs.ts'

const HOUR = 3600

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let stranger: TestOwner
let admin: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, stranger, agent } = await startDeal({
    environment: { FILE_RETENTION_DAYS: '10' },
  }))
  admin = await world.newAdmin()
})
afterAll(() => world.close())

const newJob = () => calls.hireAndFund(client, agent)
const bring = (
  owner: TestOwner,
  jobId: string,
  name: string,
  payload: Buffer | string,
  headers: Record<string, string> = { 'content-type': 'text/plain; charset=utf-8' },
) =>
  world.http.inject({
    method: 'PUT',
    url: `/api/jobs/${jobId}/uploads/${encodeURIComponent(name)}`,
    headers: { ...owner.headers, ...headers },
    payload,
  })
const brought = async (...given: Parameters<typeof bring>) => {
  const response = await bring(...given)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().data
}
const take = (owner: TestOwner, jobId: string, fileId: string, headers: Record<string, string> = {}) =>
  calls.get(owner, `/api/jobs/${jobId}/files/${fileId}`, headers)
const statusFor = async (owner: TestOwner, jobId: string, fileId: string) =>
  (await take(owner, jobId, fileId)).statusCode

describe('bringing a file', () => {
  test('201 with name, type, size and the CID of its bytes; others see it once it is sent', async () => {
    const jobId = await newJob()
    const createdAt = sinceNow(world.clock)
    const file = await brought(seller, jobId, 'Zażółć 1.txt', 'October')
    expect(file).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      name: 'Zażółć 1.txt',
      mediaType: 'text/plain',
      sizeBytes: 7,
      cid: cidByHand(Buffer.from('October')),
      from: 'SELLER',
      removed: false,
      createdAt,
    })
    expect([await statusFor(seller, jobId, file.id), await statusFor(client, jobId, file.id)]).toEqual([
      200, 404,
    ])
    const sent = await calls.send(seller, `/api/jobs/${jobId}/messages`, { text: 'Here.', files: [file.id] })
    expect([sent.statusCode, sent.json().data.files]).toEqual([201, [file]])
    const listed = await calls.get(client, `/api/jobs/${jobId}/messages`)
    expect(listed.json().data[0].files).toEqual([file])
    expect(await statusFor(client, jobId, file.id)).toBe(200)
    expect(await statusFor(stranger, jobId, file.id)).toBe(404)
    // The bytes are nobody's by their CID alone.
    expect((await calls.get(client, `/api/files/${file.cid}`)).statusCode).toBe(404)
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\report.pdf', 'report.pdf'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    [' . ', 'file'],
    ['CON.txt', '_CON.txt'],
    ['a<b>"c".csv', 'a_b__c_.csv'],
    [`${'x'.repeat(145)}.tar`, `${'x'.repeat(145)}.tar`],
  ])('the name %j becomes %j', async (given, kept) => {
    const jobId = await sharedJob()
    expect((await brought(seller, jobId, given, 'x')).name).toBe(kept)
  })

  test('the same name again replaces what was not sent, and the same bytes again are the same file', async () => {
    const jobId = await newJob()
    const first = await brought(seller, jobId, 'a.txt', 'one')
    expect(await brought(seller, jobId, 'a.txt', 'one')).toEqual(first)
    const retyped = await brought(seller, jobId, 'a.txt', 'one', { 'content-type': 'text/csv' })
    expect(retyped).toEqual({ ...first, mediaType: 'text/csv' })
    const second = await brought(seller, jobId, 'a.txt', 'two')
    expect(second.id).not.toBe(first.id)
    expect([await statusFor(seller, jobId, first.id), await statusFor(seller, jobId, second.id)]).toEqual([
      404, 200,
    ])
    expect(await world.deps.storage.has(first.cid)).toBe(false)
  })

  test('is for the parties of a paid job: 401, 403, 404, 409', async () => {
    const { jobId: unpaid } = await calls.hire(client, agent, '150000000')
    const jobId = await sharedJob()
    const nobody = { ...stranger, headers: {} } as TestOwner
    const statuses = await Promise.all([
      bring(nobody, jobId, 'a', 'x'),
      bring(admin, jobId, 'a', 'x'),
      bring(stranger, jobId, 'a', 'x'),
      bring(client, 'cnosuchjobatall', 'a', 'x'),
      bring(client, unpaid, 'a', 'x'),
    ])
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([401, 403, 404, 404, 409])
    const encoded = await bring(client, jobId, 'a', 'x', { 'content-encoding': 'gzip' })
    expect([encoded.statusCode, encoded.json().error.message]).toEqual([
      415,
      'Send the file as it is, without Content-Encoding.',
    ])
  })

  test('413 by its declared length alone, and above what the files of a job may have', async () => {
    const jobId = await newJob()
    const declared = { 'content-length': String(MAX_JOB_FILE_BYTES + 1) }
    expect((await bring(client, jobId, 'a', 'x', declared)).statusCode).toBe(413)
    const file = await brought(client, jobId, 'large', 'x')
    await world.db.run(sql`update job_files set size_bytes = ${MAX_BYTES_OF_JOB - 3} where id = ${file.id}`)
    const refused = await bring(client, jobId, 'b', '1234')
    expect([refused.statusCode, refused.json().error.details]).toEqual([413, { maxBytes: 3 }])
    expect((await bring(client, jobId, 'b', '123')).statusCode).toBe(201)
    // A client who fills the room does not keep the seller from delivering.
    expect((await bring(seller, jobId, 'b', '1234')).statusCode).toBe(201)
  })

  test('413 above the files that one party may have in a job, however small', async () => {
    const jobId = await newJob()
    const { id } = await brought(client, jobId, 'a', '')
    await world.db.run(sql`
      insert into job_files (id, job_id, owner_id, brought_by, name, media_type, size_bytes, created_at)
      select id || n, job_id, owner_id, brought_by, name || n, media_type, 0, to_timestamp(0)
      from job_files, generate_series(1, ${MAX_FILES_OF_JOB - 1}) n where id = ${id}`)
    expect((await bring(client, jobId, 'b', '')).statusCode).toBe(413)
    expect((await bring(seller, jobId, 'b', '')).statusCode).toBe(201)
    await world.db.run(sql`delete from job_files where job_id = ${jobId} and cid is null`)
    expect((await bring(client, jobId, 'b', '')).statusCode).toBe(201)
  })

  test('429 above the uploads that one owner has under way', async () => {
    const jobId = await newJob()
    const { id } = await brought(client, jobId, 'a', 'x')
    await world.db.run(sql`
      insert into job_files (id, job_id, owner_id, brought_by, name, media_type, size_bytes, created_at)
      select id || n, job_id, owner_id, brought_by, name || n, media_type, 1, created_at
      from job_files, generate_series(1, 20) n where id = ${id}`)
    const refused = await bring(client, jobId, 'b', 'x')
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      429,
      'You have 20 uploads under way; wait until one of them has ended.',
    ])
    expect((await bring(seller, jobId, 'b', 'x')).statusCode).toBe(201)
    await world.db.run(sql`delete from job_files where job_id = ${jobId} and cid is null`)
    expect((await bring(client, jobId, 'b', 'x')).statusCode).toBe(201)
  })

  test('429 above what an owner may bring within 24 hours, over all jobs', async () => {
    const owner = await world.newOwner()
    const [one, other] = [await calls.hireAndFund(owner, agent), await calls.hireAndFund(owner, agent)]
    const file = await brought(owner, one, 'a', 'x')
    await world.db.run(
      sql`update job_files set size_bytes = ${JOB_FILE_BYTES_PER_DAY - 1} where id = ${file.id}`,
    )
    expect((await bring(owner, other, 'a', '12')).statusCode).toBe(429)
    expect((await bring(owner, other, 'a', '1')).statusCode).toBe(201)
  })

  test('a sender that goes away leaves neither room taken nor bytes', async () => {
    const jobId = await newJob()
    await world.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = world.http.server.address() as AddressInfo
    const upload = httpRequest({
      port,
      method: 'PUT',
      path: `/api/jobs/${jobId}/uploads/half.bin`,
      headers: { ...seller.headers, 'content-length': '1000000' },
    })
    const broken = once(upload, 'error')
    upload.write(Buffer.alloc(100_000))
    const rooms = () => world.db.rows(sql`select id from job_files where job_id = ${jobId}`)
    await expect.poll(rooms).toHaveLength(1)
    upload.destroy(new Error('gone'))
    await broken
    await expect.poll(rooms).toEqual([])
  })

  test('a file that turns out to be too large leaves its connection usable', async () => {
    const jobId = await newJob()
    const { port } = world.http.server.address() as AddressInfo
    const oneConnection = new HttpAgent({ keepAlive: true, maxSockets: 1 })
    const call = async (method: string, path: string, body?: Buffer): Promise<number | undefined> => {
      const request = httpRequest({ port, method, path, headers: seller.headers, agent: oneConnection })
      if (body) request.write(body)
      request.end()
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      await once(response.resume(), 'end')
      return response.statusCode
    }
    // Without a Content-Length, so that its size is known when it has come in.
    const tooLarge = Buffer.alloc(MAX_JOB_FILE_BYTES + 2_000_000)
    expect(await call('PUT', `/api/jobs/${jobId}/uploads/large.bin`, tooLarge)).toBe(413)
    expect(await call('GET', `/api/jobs/${jobId}`)).toBe(200)
    oneConnection.destroy()
  })
})

test.each([
  [{ 'content-type': 'a/b\tc' }, 'The Content-Type cannot be read. Send one such as text/csv, or none.'],
  [{ 'content-encoding': 'gzip' }, 'Send the file as it is, without Content-Encoding.'],
])('415 for %o', async (headers, message) => {
  const refused = await bring(seller, await sharedJob(), 'a.txt', 'x', headers)
  expect([refused.statusCode, refused.json().error?.message]).toEqual([415, message])
})

describe('taking a file', () => {
  test('HEAD reads no bytes of it', async () => {
    const jobId = await sharedJob()
    const file = await brought(seller, jobId, 'a.txt', 'four')
    const read = vi.spyOn(world.deps.storage, 'read')
    const url = `/api/jobs/${jobId}/files/${file.id}`
    const headers = { ...seller.headers, range: 'bytes=0-1' }
    const head = await world.http.inject({ method: 'HEAD', url, headers })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '4', ''])
    expect(read).not.toHaveBeenCalled()
    expect((await take(seller, jobId, file.id)).body).toBe('four')
    expect(read).toHaveBeenCalledOnce()
    read.mockRestore()
  })

  test('with its name, never as a page, whole or in part', async () => {
    const jobId = await sharedJob()
    const html = '<!doctype html><script>alert(1)</script>'
    const file = await brought(seller, jobId, 'naïve "page".html', html, { 'content-type': 'text/html' })
    const whole = await take(seller, jobId, file.id)
    expect([whole.statusCode, whole.body]).toEqual([200, html])
    expect(whole.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="na_ve _page_.html"; filename*=UTF-8''na%C3%AFve%20_page_.html`,
      'content-length': String(html.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'private, no-cache',
      etag: `"${file.cid}"`,
    })
    expect((await take(seller, jobId, file.id, { 'if-none-match': `"${file.cid}"` })).statusCode).toBe(304)
    for (const [range, part] of [
      ['bytes=0-8', html.slice(0, 9)],
      ['bytes=10-', html.slice(10)],
      ['bytes=-5', html.slice(-5)],
      ['bytes=0-99999', html],
    ] as const) {
      const response = await take(seller, jobId, file.id, { range })
      expect([response.statusCode, response.body]).toEqual([206, part])
      expect(response.headers['content-range']).toMatch(new RegExp(`/${html.length}$`))
    }
    const beyond = await take(seller, jobId, file.id, { range: 'bytes=40-' })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${html.length}`])
    for (const range of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=5-2', 'bytes=-'])
      expect((await take(seller, jobId, file.id, { range })).statusCode).toBe(200)
    const stale = await take(seller, jobId, file.id, { range: 'bytes=0-1', 'if-range': '"other"' })
    expect(stale.statusCode).toBe(200)
  })

  test('an admin reads what was sent once there is a dispute; a file of another job is not found', async () => {
    const jobId = await newJob()
    const file = await brought(seller, jobId, 'proof.txt', 'proof')
    await calls.send(seller, `/api/jobs/${jobId}/messages`, { text: 'Proof.', files: [file.id] })
    expect(await statusFor(admin, jobId, file.id)).toBe(404)
    await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
    await world.runUntilIdle()
    expect((await calls.act(client, jobId, 'dispute', { reason: 'It is not.' })).statusCode).toBe(200)
    expect(await statusFor(admin, jobId, file.id)).toBe(200)
    expect(await statusFor(client, await sharedJob(), file.id)).toBe(404)
  })
})

describe('delivering files', () => {
  test('text and files together, under the CID of their folder, and every version stays', async () => {
    const jobId = await newJob()
    const [csv, pdf] = [
      await brought(seller, jobId, 'a.csv', 'x,y', { 'content-type': 'text/csv' }),
      await brought(seller, jobId, 'b.pdf', '%PDF', { 'content-type': 'application/pdf' }),
    ]
    const first = await calls.act(seller, jobId, 'deliver', { content: 'Both.', files: [pdf.id, csv.id] })
    expect(first.statusCode).toBe(200)
    const folder = await computeFolderCid([
      { name: 'delivery.md', cid: cidByHand(Buffer.from('Both.')), dagBytes: 5 },
      { name: 'a.csv', cid: csv.cid, dagBytes: 3 },
      { name: 'b.pdf', cid: pdf.cid, dagBytes: 4 },
    ])
    const job = await calls.jobOf(client, jobId)
    expect([job.deliveryCid, job.delivery.cid, job.delivery.files]).toEqual([folder, folder, [pdf, csv]])
    expect(await statusFor(client, jobId, csv.id)).toBe(200)
    await world.runUntilIdle()
    await world.whileWorking(calls.act(client, jobId, 'request-changes', { reason: 'Add the fees.' }))
    await world.runUntilIdle()
    const better = await brought(seller, jobId, 'a.csv', 'x,y,fee', { 'content-type': 'text/csv' })
    const again = await calls.act(seller, jobId, 'deliver', { files: [better.id, pdf.id] })
    expect(again.statusCode, again.body).toBe(200)
    const { deliveries, delivery } = await calls.jobOf(client, jobId)
    expect(deliveries).toMatchObject([
      { version: 1, cid: folder, content: 'Both.', changeRequest: 'Add the fees.', files: [pdf, csv] },
      { version: 2, content: null, changeRequest: null, files: [better, pdf] },
    ])
    expect(delivery).toEqual(deliveries[1])
    expect((await take(client, jobId, csv.id)).body).toBe('x,y')
  })

  test('a result of several blocks counts in the folder with the nodes that link them', async () => {
    const service = { id: 'cnumbers00000000000000001', priceMicro: '150000000', deliveryHours: 24 }
    const counting = await world.newAgent(seller, { services: [service] })
    await world.db.run(sql`
      update agents set service_terms = ${sql.json({ [service.id]: { outputSchema: { type: 'array' } } })}
      where id = ${counting.id}`)
    const jobId = await calls.hireAndFund(client, counting, service.priceMicro, { serviceId: service.id })
    const file = await brought(seller, jobId, 'a.csv', 'x,y')
    const output = [[[[Array.from({ length: 30_000 }, () => 1)]]]]
    const delivered = await calls.act(seller, jobId, 'deliver', { output, files: [file.id] })
    expect(delivered.statusCode, delivered.body).toBe(200)
    const bytes = Buffer.from(JSON.stringify(output, null, 2))
    expect(dagBytesByHand(bytes)).toBeGreaterThan(bytes.length)
    const folder = await computeFolderCid([
      { name: 'output.json', cid: cidByHand(bytes), dagBytes: dagBytesByHand(bytes) },
      { name: 'a.csv', cid: file.cid, dagBytes: 3 },
    ])
    expect((await calls.jobOf(client, jobId)).deliveryCid).toBe(folder)
  })

  test('text beside a file with its name gets another one', async () => {
    const jobId = await newJob()
    const files = [
      await brought(seller, jobId, 'delivery.md', 'a'),
      await brought(seller, jobId, 'delivery-2.md', 'b'),
    ]
    const ids = files.map(({ id }) => id)
    const delivered = await calls.act(seller, jobId, 'deliver', { content: 'Both.', files: ids })
    expect(delivered.statusCode, delivered.body).toBe(200)
    const folder = await computeFolderCid([
      { name: 'delivery-3.md', cid: cidByHand(Buffer.from('Both.')), dagBytes: 5 },
      ...files.map(({ name, cid }) => ({ name, cid, dagBytes: 1 })),
    ])
    expect((await calls.jobOf(client, jobId)).deliveryCid).toBe(folder)
  })

  test('400 for files of others, of another job, with two of one name, or with a CID', async () => {
    const [jobId, other] = [await newJob(), await sharedJob()]
    const own = await brought(seller, jobId, 'a.txt', 'a')
    const elsewhere = await brought(seller, other, 'b.txt', 'b')
    const theirs = await brought(client, jobId, 'c.txt', 'c')
    const bodies = [
      { files: [elsewhere.id] },
      { files: [theirs.id] },
      { files: ['cnosuchfile00000000000000'] },
      { deliveryCid: own.cid, files: [own.id] },
      { files: [] },
    ]
    for (const body of bodies) {
      const response = await calls.act(seller, jobId, 'deliver', body)
      expect([JSON.stringify(body), response.statusCode]).toEqual([JSON.stringify(body), 400])
    }
    expect((await calls.jobOf(seller, jobId)).status).toBe('IN_PROGRESS')
    const message = await calls.send(seller, `/api/jobs/${jobId}/messages`, { text: 'x', files: [theirs.id] })
    expect(message.statusCode).toBe(400)
  })
})

describe('removing', () => {
  test('what is not sent is removed after a day, with its bytes unless another file has the same', async () => {
    const jobId = await newJob()
    const lonely = await brought(seller, jobId, 'lonely.txt', 'nobody sends this')
    const shared = await brought(seller, jobId, 'twin.txt', 'two have this')
    const sent = await brought(client, jobId, 'twin.txt', 'two have this')
    await calls.send(client, `/api/jobs/${jobId}/messages`, { text: 'x', files: [sent.id] })
    await world.advance(UNSENT_FILE_HOURS * HOUR - 60)
    await world.tick('job-files')
    expect(await statusFor(seller, jobId, lonely.id)).toBe(200)
    await world.advance(120)
    await world.tick('job-files')
    expect([await statusFor(seller, jobId, lonely.id), await statusFor(seller, jobId, shared.id)]).toEqual([
      404, 404,
    ])
    expect([await world.deps.storage.has(lonely.cid), await world.deps.storage.has(sent.cid)]).toEqual([
      false,
      true,
    ])
    expect((await take(seller, jobId, sent.id)).body).toBe('two have this')
  })

  test('with FILE_RETENTION_DAYS the bytes go so long after the end of the job, and the names stay', async () => {
    const jobId = await newJob()
    const file = await brought(seller, jobId, 'work.txt', 'kept for a while')
    await calls.act(seller, jobId, 'deliver', { files: [file.id] })
    await world.runUntilIdle()
    expect((await world.whileWorking(calls.act(client, jobId, 'approve'))).statusCode).toBe(200)
    await world.runUntilIdle()
    await world.advance(9 * 24 * HOUR)
    await world.tick('job-files')
    expect(await statusFor(client, jobId, file.id)).toBe(200)
    await world.advance(2 * 24 * HOUR)
    await world.tick('job-files')
    expect(await statusFor(client, jobId, file.id)).toBe(404)
    const { delivery } = await calls.jobOf(client, jobId)
    expect(delivery.files).toEqual([{ ...file, removed: true }])
  })

  test('files that the storage cannot remove hold up no others', async () => {
    const jobId = await newJob()
    const stuck = []
    for (const name of ['1', '2', '3', '4']) stuck.push(await brought(seller, jobId, name, `stuck ${name}`))
    await world.advance(1)
    const other = await brought(seller, jobId, 'other.txt', 'can be removed')
    const { storage } = world.deps
    const cids = new Set(stuck.map(({ cid }) => cid))
    const really = storage.remove
    const remove = vi.spyOn(storage, 'remove').mockImplementation(async (cid) => {
      if (cids.has(cid)) throw new AppError('UNAVAILABLE', { message: 'DELETE: 403' })
      await really(cid)
    })
    await world.advance((UNSENT_FILE_HOURS + 1) * HOUR)
    // Three in a row look like a storage that is away. The next turn goes on behind them.
    await expect(world.tick('job-files')).rejects.toThrow('unsent files could not be dealt with')
    expect(await statusFor(seller, jobId, other.id)).toBe(200)
    await expect(world.tick('job-files')).rejects.toThrow('unsent files could not be dealt with')
    expect(await statusFor(seller, jobId, other.id)).toBe(404)

    remove.mockRestore()
    await world.tick('job-files')
    expect(await Promise.all(stuck.map(({ id }) => statusFor(seller, jobId, id)))).toEqual([
      404, 404, 404, 404,
    ])
  })

  test('so do those that are sent after its end', async () => {
    const jobId = await newJob()
    await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
    await world.runUntilIdle()
    expect((await world.whileWorking(calls.act(client, jobId, 'approve'))).statusCode).toBe(200)
    await world.runUntilIdle()
    const file = await brought(seller, jobId, 'late.txt', 'sent after the end')
    const message = { text: 'One more.', files: [file.id] }
    expect((await calls.send(seller, `/api/jobs/${jobId}/messages`, message)).statusCode).toBe(201)
    await world.advance(9 * 24 * HOUR)
    await world.tick('job-files')
    expect(await statusFor(client, jobId, file.id)).toBe(200)
    await world.advance(2 * 24 * HOUR)
    await world.tick('job-files')
    expect(await statusFor(client, jobId, file.id)).toBe(404)
  })
})

let shared: Promise<string> | undefined
function sharedJob(): Promise<string> {
  shared ??= newJob()
  return shared
}

describe('bytes that belong to no file are removed', () => {
  test('when the upload fails after they were kept', async () => {
    const jobId = await sharedJob()
    const has = vi.spyOn(world.deps.storage, 'has').mockRejectedValueOnce(new Error('gone for a moment'))
    expect((await bring(seller, jobId, 'a.txt', 'kept, then nothing')).statusCode).toBe(500)
    has.mockRestore()
    expect(await world.deps.storage.has(cidByHand(Buffer.from('kept, then nothing')))).toBe(false)
  })

  test('when the process dies before the upload ends: the sweep finds them, unless another file has them', async () => {
    const jobId = await sharedJob()
    const { cid: alone } = await world.deps.storage.put(Buffer.from('of a process that died'))
    const file = await brought(seller, jobId, 'shared.txt', 'of two uploads')
    const message = { text: 'Here.', files: [file.id] }
    expect((await calls.send(seller, `/api/jobs/${jobId}/messages`, message)).statusCode).toBe(201)
    for (const cid of [alone, file.cid])
      await world.db.run(sql`
        insert into job_files (id, job_id, owner_id, brought_by, name, media_type, size_bytes, created_at, expected_cid)
        values (${`cdied${cid.slice(-20)}`}, ${jobId}, ${seller.ownerId}, 'SELLER', 'a', 'text/plain', 1, ${world.clock.now()}, ${cid})`)
    await world.tick('job-files')
    expect(await world.deps.storage.has(alone)).toBe(true)
    await world.advance(2 * HOUR)
    await world.tick('job-files')
    expect([await world.deps.storage.has(alone), await world.deps.storage.has(file.cid)]).toEqual([
      false,
      true,
    ])
  })
})
