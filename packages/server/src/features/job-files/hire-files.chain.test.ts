import {
  MAX_BYTES_OF_JOB,
  MAX_JOB_FILE_BYTES,
  MAX_WAITING_BYTES,
  MAX_WAITING_FILES,
  UNSENT_FILE_HOURS,
} from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { cidByHand } from '../../ports/storage/testing/unixfs.ts'
import { sinceNow } from '../../testing/since.ts'
import type { JobCalls } from '../jobs/testing/job-calls.ts'
import { startDeal } from '../jobs/testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../jobs/testing/start-jobs.ts'

/** Files that a client uploads before a hire, and hands in with it. */

const HOUR = 3600

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let stranger: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, stranger, agent } = await startDeal())
  await world.give(client.wallet.address, 1_000_000_000n)
})
afterAll(() => world.close())

const upload = (
  owner: { headers: Record<string, string> },
  name: string,
  payload: Buffer | string = 'x',
  headers: Record<string, string> = { 'content-type': 'text/csv; charset=utf-8' },
) =>
  world.http.inject({
    method: 'PUT',
    url: `/api/uploads/${encodeURIComponent(name)}`,
    headers: { ...owner.headers, ...headers },
    payload,
  })
const uploaded = async (...given: Parameters<typeof upload>) => {
  const response = await upload(...given)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().data
}
const order = (files: string[], agreedPrice = '5000000') => ({
  agentId: agent.id,
  title: 'Reconcile October',
  description: 'All of it.',
  agreedPrice,
  files,
})
const hire = (files: string[], owner = client) => calls.send(owner, '/api/jobs', order(files))
const hired = async (...given: Parameters<typeof hire>): Promise<string> => {
  const response = await hire(...given)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().data.jobId
}
const issueOf = (response: Awaited<ReturnType<typeof hire>>) => {
  const [issue] = response.json().error?.details?.issues ?? []
  return [response.statusCode, issue?.path, issue?.message]
}
const NOT_FOUND = 'is no file that you have uploaded for a hire within 24 hours. Upload it again'
const USED = 'is a file of another job already. Upload it again'
const statusFor = async (owner: TestOwner, jobId: string, fileId: string) =>
  (await calls.get(owner, `/api/jobs/${jobId}/files/${fileId}`)).statusCode

describe('a hire with files', () => {
  test('they keep their names and are for both parties, in the order of the hire, before it is paid', async () => {
    const expiresAt = sinceNow(world.clock, UNSENT_FILE_HOURS * HOUR * 1000)
    const first = await uploaded(client, 'Zażółć 1.csv', 'a,b')
    expect(first).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      name: 'Zażółć 1.csv',
      mediaType: 'text/csv',
      sizeBytes: 3,
      cid: cidByHand(Buffer.from('a,b')),
      expiresAt,
    })
    const second = await uploaded(client, '../note.txt', 'Read me.', {})
    const jobId = await hired([second.id, first.id])
    for (const party of [client, seller]) {
      const { files } = await calls.jobOf(party, jobId)
      expect(files).toMatchObject([
        { id: second.id, name: 'note.txt', mediaType: 'application/octet-stream', from: 'CLIENT' },
        { id: first.id, name: 'Zażółć 1.csv', mediaType: 'text/csv', sizeBytes: 3, removed: false },
      ])
      const taken = await calls.get(party, `/api/jobs/${jobId}/files/${first.id}`)
      expect([taken.statusCode, taken.body]).toEqual([200, 'a,b'])
      expect(taken.headers['content-disposition']).toContain("filename*=UTF-8''Za%C5%BC")
    }
    expect(await statusFor(stranger, jobId, first.id)).toBe(404)
    expect((await calls.get(client, `/api/files/${first.cid}`)).statusCode).toBe(404)
    const plain = await calls.hire(client, agent, '5000000')
    expect((await calls.jobOf(client, plain.jobId)).files).toEqual([])
  })

  test.each([
    [1, { deadlineHours: 48 }],
    [2, { deadline: '2099-01-01T00:00:00.000Z' }],
  ])('in form %s', async (version, deadline) => {
    const { id } = await uploaded(client, 'a.csv')
    const accept = { accept: `application/vnd.agent-marketplace.v${version}+json` }
    const response = await calls.send(client, '/api/jobs', { ...order([id]), ...deadline }, accept)
    expect(response.statusCode, response.body).toBe(201)
    const { data } = response.json()
    const { files } = await calls.jobOf(seller, version === 1 ? data.jobId : data.job.id)
    expect(files).toMatchObject([{ id }])
  })

  test('paid by x402 in one call, and the same call again is the same job', async () => {
    const { id } = await uploaded(client, 'a.csv')
    const quote = (await calls.send(client, '/api/jobs/quote', order([id]))).json().data
    const header = await calls.x402HeaderFor(client.wallet, quote.paymentInfo.requirements)
    const body = { ...order([id]), reservation: quote.reservation }
    const [first, again] = [
      await world.whileWorking(calls.send(client, '/api/jobs', body, header)),
      await world.whileWorking(calls.send(client, '/api/jobs', body, header)),
    ]
    expect([first.statusCode, first.json().data.status]).toEqual([201, 'IN_PROGRESS'])
    expect(again.json().data.jobId).toBe(first.json().data.jobId)
    expect((await calls.jobOf(seller, first.json().data.jobId)).files).toMatchObject([{ id }])
  })

  test('paid into escrow in one call; the reservation is for these files and no others', async () => {
    const [file, other] = [await uploaded(client, 'a.csv'), await uploaded(client, 'b.csv')]
    const body = order([file.id], '150000000')
    const { reservation, paymentInfo } = (await calls.send(client, '/api/jobs/quote', body)).json().data
    const signed = await calls.sign(client.wallet, paymentInfo.typedData)
    for (const files of [[other.id], []]) {
      const refused = await calls.send(client, '/api/jobs', { ...body, files, reservation, ...signed })
      expect(issueOf(refused).slice(0, 2)).toEqual([400, '/reservation'])
    }
    const response = await world.whileWorking(
      calls.send(client, '/api/jobs', { ...body, reservation, ...signed }),
    )
    expect([response.statusCode, response.json().data.status]).toEqual([201, 'IN_PROGRESS'])
    expect((await calls.jobOf(seller, response.json().data.jobId)).files).toMatchObject([{ id: file.id }])
    await world.engine.runUntilIdle()
    expect(await world.breaches()).toEqual([])
  })

  test('a file that was used before the payment came is refused, and nothing is paid', async () => {
    const { id } = await uploaded(client, 'a.csv')
    const body = order([id], '150000000')
    const { reservation, paymentInfo } = (await calls.send(client, '/api/jobs/quote', body)).json().data
    const signed = await calls.sign(client.wallet, paymentInfo.typedData)
    await hired([id])
    const before = await world.chain.usdc.balanceOf(client.wallet.address)
    const refused = await world.whileWorking(
      calls.send(client, '/api/jobs', { ...body, reservation, ...signed }),
    )
    expect(issueOf(refused)).toEqual([400, '/files/0', USED])
    await world.engine.runUntilIdle()
    expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(before)
  })
})

describe('400, and the files stay free', () => {
  test('for files of others, of jobs, of nobody, and for one named twice; in quotes alike', async () => {
    const [own, theirs] = [await uploaded(client, 'a.csv'), await uploaded(stranger, 'a.csv')]
    const used = await uploaded(client, 'used.csv')
    const jobId = await hired([used.id])
    const unknown = 'cnosuchfile00000000000000'
    for (const [files, issue] of [
      [
        [own.id, theirs.id],
        [400, '/files/1', NOT_FOUND],
      ],
      [
        [own.id, unknown],
        [400, '/files/1', NOT_FOUND],
      ],
      [
        [used.id, own.id],
        [400, '/files/0', USED],
      ],
    ] as const) {
      expect(issueOf(await hire([...files]))).toEqual(issue)
      expect(issueOf(await calls.send(client, '/api/jobs/quote', order([...files])))).toEqual(issue)
    }
    expect((await hire([own.id, own.id])).statusCode).toBe(400)
    expect((await calls.jobOf(client, jobId)).files).toMatchObject([{ id: used.id }])
    expect((await calls.jobOf(client, await hired([own.id]))).files).toMatchObject([{ id: own.id }])
    expect((await calls.jobOf(stranger, await hired([theirs.id], stranger))).files).toHaveLength(1)
  })

  test('where two hires at once name the same file, one gets it', async () => {
    const { id } = await uploaded(client, 'a.csv')
    const responses = await Promise.all([hire([id]), hire([id]), hire([])])
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 400])
    expect(responses[2]?.statusCode).toBe(201)
  })

  test('for more bytes than a job has room for', async () => {
    const owner = await world.newOwner()
    const [one, two] = [await uploaded(owner, 'a', '123'), await uploaded(owner, 'b', '1')]
    await world.db.run(sql`update job_files set size_bytes = ${MAX_BYTES_OF_JOB} where id = ${one.id}`)
    const refused = await hire([one.id, two.id], owner)
    const words = `has ${MAX_BYTES_OF_JOB + 1} bytes in all; ${MAX_BYTES_OF_JOB} are the most`
    expect(issueOf(refused)).toEqual([400, '/files', words])
    expect((await calls.jobOf(owner, await hired([one.id], owner))).files).toHaveLength(1)
  })
})

describe('an upload', () => {
  test('makes a file of its own, whatever others are called', async () => {
    const [one, two] = [await uploaded(client, 'same.csv', 'x'), await uploaded(client, 'same.csv', 'x')]
    expect(one.id).not.toBe(two.id)
    await hired([one.id])
    expect((await calls.jobOf(client, await hired([two.id]))).files).toMatchObject([{ name: 'same.csv' }])
  })

  test('401, 403 and 413', async () => {
    expect((await upload({ headers: {} }, 'a')).statusCode).toBe(401)
    const suspended = await world.newOwner({ accountStatus: 'SUSPENDED' })
    expect((await upload(suspended, 'a')).statusCode).toBe(403)
    const declared = { 'content-length': String(MAX_JOB_FILE_BYTES + 1) }
    expect((await upload(client, 'a', 'x', declared)).statusCode).toBe(413)
  })

  test('429 above the files and bytes that wait, those of unpaid hires with them', async () => {
    const owner = await world.newOwner()
    const { id } = await uploaded(owner, 'a', '1')
    const resize = (bytes: number) =>
      world.db.run(sql`update job_files set size_bytes = ${bytes} where id = ${id}`)
    await resize(MAX_WAITING_BYTES - 1)
    expect((await upload(owner, 'b', '12')).statusCode).toBe(429)
    await resize(1)
    const jobId = await hired([id], owner)
    await resize(MAX_WAITING_BYTES - 1)
    expect((await upload(owner, 'b', '12')).statusCode).toBe(429)
    expect((await calls.act(owner, jobId, 'cancel')).statusCode).toBe(200)
    const waiting = await uploaded(owner, 'b', '12')
    await world.db.run(sql`
      insert into job_files (id, owner_id, brought_by, name, media_type, size_bytes, cid, dag_bytes, created_at)
      select id || n, owner_id, brought_by, name, media_type, 1, cid, 1, created_at
      from job_files, generate_series(2, ${MAX_WAITING_FILES}) n where id = ${waiting.id}`)
    const refused = await upload(owner, 'c', '1')
    expect([refused.statusCode, refused.json().error.details]).toEqual([
      429,
      { retryAfterSeconds: UNSENT_FILE_HOURS * HOUR },
    ])
  })
})

describe('removing', () => {
  test('what no hire has taken goes after a day, and cannot be named from then on', async () => {
    const [late, kept] = [await uploaded(client, 'late.csv', 'nobody took this'), await uploaded(client, 'b')]
    const jobId = await calls.hireAndFund(client, agent, '150000000', { files: [kept.id] })
    await world.advance(UNSENT_FILE_HOURS * HOUR + 1)
    expect(issueOf(await hire([late.id]))).toEqual([400, '/files/0', NOT_FOUND])
    await world.tick('job-files')
    expect(await world.deps.storage.has(late.cid)).toBe(false)
    expect(issueOf(await hire([late.id]))).toEqual([400, '/files/0', NOT_FOUND])
    expect(await statusFor(seller, jobId, kept.id)).toBe(200)
  })

  test.each(['5000000', '150000000'])('so do files of a hire for %s that ended unpaid', async (price) => {
    const file = await uploaded(client, 'unpaid.csv', `nobody paid ${price}`)
    const { jobId } = await calls.hire(client, agent, price, { files: [file.id] })
    expect((await calls.act(client, jobId, 'cancel')).statusCode).toBe(200)
    await world.advance(23 * HOUR)
    await world.tick('job-files')
    expect(await statusFor(seller, jobId, file.id)).toBe(200)
    await world.advance(2 * HOUR)
    await world.tick('job-files')
    expect([await statusFor(seller, jobId, file.id), await world.deps.storage.has(file.cid)]).toEqual([
      404,
      false,
    ])
    expect((await calls.jobOf(client, jobId)).files).toMatchObject([{ name: 'unpaid.csv', removed: true }])
  })
})
