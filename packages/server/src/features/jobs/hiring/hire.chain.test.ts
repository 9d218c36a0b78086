import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { printFigures, timesFor } from '../../../testing/proof.ts'
import { addFileOwner } from '../../files/file-owners.ts'
import { isSharedByJob } from '../reading/file-access.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../testing/start-jobs.ts'

/** Hiring, reading and listing, in both forms and by status. */

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal())
})
afterAll(() => world.close())

const body = (more: object = {}) => ({
  agentId: agent.id,
  title: 'Reconcile October',
  description: 'All of it.',
  agreedPrice: '150000000',
  ...more,
})
const form = (version: 1 | 2) => ({ accept: `application/vnd.agent-marketplace.v${version}+json` })
const inAnHour = () => new Date(world.clock.now().getTime() + 3_600_000).toISOString()

describe('201', () => {
  test('a plain response carries both forms', async () => {
    const response = await calls.send(client, '/api/jobs', body({ deadlineHours: 72, category: 'finance' }))
    expect(response.statusCode).toBe(201)
    const { data } = response.json()
    expect(data).toMatchObject({
      status: 'PENDING',
      paymentMethod: 'ESCROW',
      agreedPriceUsdc: '150.00',
      job: {
        id: data.jobId,
        status: 'PENDING',
        paymentMethod: 'ESCROW',
        agreedPrice: '150000000',
        platformFee: '3000000',
      },
      paymentInfo: { method: 'escrow', amount: '150000000', escrow: world.chain.facts.contracts.escrow },
    })
    const { typedData } = data.paymentInfo
    expect(typedData).toMatchObject({
      primaryType: 'ReceiveWithAuthorization',
      domain: { verifyingContract: world.chain.facts.contracts.usdc, chainId: world.chain.facts.chainId },
      message: { from: client.wallet.address, to: world.chain.facts.contracts.escrow, value: '150000000' },
    })
    const { key } = await world.db.one<{ key: string }>(
      sql`select escrow_key as key from jobs where id = ${data.jobId}`,
    )
    expect(typedData.message.nonce).toBe(key)
  })

  test('each form alone, as documented', async () => {
    const a = await calls.send(client, '/api/jobs', body({ agreedPrice: '99999999' }), form(1))
    expect(Object.keys(a.json().data)).toEqual(['jobId', 'status', 'paymentMethod', 'agreedPriceUsdc'])
    expect(a.json().data).toMatchObject({ paymentMethod: 'X402', agreedPriceUsdc: '99.99' })
    const attachments = ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy']
    const b = await calls.send(client, '/api/jobs', body({ deadline: inAnHour(), attachments }), form(2))
    expect(Object.keys(b.json().data)).toEqual(['job', 'paymentInfo'])
    const read = await calls.jobOf(client, b.json().data.job.id)
    expect(read.attachments).toEqual(attachments)
    // The escrow takes no deposit after the deadline, so the job must be paid before it.
    expect(read.fundBy).toBe(read.deadlineAt)
  })

  test('the price alone decides the rail and the fee', async () => {
    for (const [agreedPrice, method, platformFee] of [
      ['1', 'X402', '0'],
      ['99999999', 'X402', '0'],
      ['100000000', 'ESCROW', '2000000'],
      ['100000049', 'ESCROW', '2000000'],
      ['1000000000000000', 'ESCROW', '20000000000000'],
    ] as const) {
      const { job } = await calls.hire(client, agent, agreedPrice)
      expect(job).toMatchObject({ paymentMethod: method, platformFee })
      const detail = await calls.jobOf(client, job.id)
      expect(BigInt(detail.platformFee) + BigInt(detail.netAmount)).toBe(BigInt(agreedPrice))
    }
  })

  test('an X402 job says where to pay', async () => {
    const { paymentInfo } = await calls.hire(client, agent, '5000000')
    expect(paymentInfo).toMatchObject({ method: 'x402', payTo: agent.wallet, amount: '5000000' })
    expect(paymentInfo.typedData).toBeUndefined()
  })

  test('large jobs of unverified buyers are marked for AML, which only admins see and nothing blocks', async () => {
    const admin = await world.newAdmin()
    const verified = await world.newOwner({ kycStatus: 'VERIFIED' })
    for (const [owner, price, flagged] of [
      [client, '5000000000', true],
      [client, '4999999999', false],
      [verified, '5000000000', false],
    ] as const) {
      const { jobId } = await calls.hire(owner, agent, price)
      expect((await calls.jobOf(admin, jobId)).amlFlagged).toBe(flagged)
      // Unpaid, it is nobody's business yet: the queue hears of it with the money.
      expect(await world.amlFlags()).toEqual([])
      expect(await calls.jobOf(owner, jobId)).not.toHaveProperty('amlFlagged')
      expect(await calls.jobOf(seller, jobId)).not.toHaveProperty('amlFlagged')
    }
  })

  test('a file is read by the other side of a job once its owner gives it there', async () => {
    const stranger = await world.newOwner()
    const admin = await world.newAdmin()
    const keep = async (owner: TestOwner, cid: string) => {
      await world.db.run(sql`insert into stored_files (cid, size_bytes, stored_at) values (${cid}, 1, now())`)
      await addFileOwner(world.db, { cid, ownerId: owner.ownerId })
    }
    const reads = ({ ownerId }: TestOwner, cid: string, isAdmin = false) =>
      isSharedByJob(world.db, { ownerId, isAdmin }, cid)
    await keep(client, 'bafkreibrief')
    await calls.hire(client, agent, '5000000', { attachments: ['ipfs://bafkreibrief'] })
    const readers = [seller, stranger, admin]
    expect(await Promise.all(readers.map((owner) => reads(owner, 'bafkreibrief', owner === admin)))).toEqual([
      true,
      false,
      false,
    ])
    // Naming someone else's file, even in a job with them, grants no access.
    await keep(seller, 'bafkreisecret')
    await calls.hire(stranger, agent, '5000000', { attachments: ['ipfs://bafkreisecret'] })
    expect(await reads(stranger, 'bafkreisecret')).toBe(false)
    const jobId = await calls.hireAndFund(client, agent)
    await calls.act(seller, jobId, 'deliver', { content: 'All of it is done.' })
    const { deliveryCid } = await calls.jobOf(client, jobId)
    expect(await Promise.all([reads(client, deliveryCid), reads(admin, deliveryCid, true)])).toEqual([
      true,
      false,
    ])
    await calls.act(client, jobId, 'dispute', { reason: 'Half is missing.' })
    expect(await reads(admin, deliveryCid, true)).toBe(true)
  })

  test('a pending agent can be hired by its id, and one’s own agent too', async () => {
    const pending = await world.newAgent(seller, { approval: 'PENDING' })
    await calls.hire(client, pending, '5000000')
    const { jobId } = await calls.hire(seller, agent, '5000000')
    expect(await calls.jobOf(seller, jobId)).toMatchObject({ clientId: seller.ownerId })
  })

  test('the seller is notified', async () => {
    const { jobId } = await calls.hire(await world.newOwner(), agent, '5000000')
    const [told] = await world.db.rows(sql`
      select owner_id, type, link from notifications where owner_id = ${seller.ownerId} order by seq desc limit 1`)
    expect(told).toEqual({ ownerId: seller.ownerId, type: 'JOB_CREATED', link: `/jobs/${jobId}` })
  })

  test('the same Idempotency-Key makes one job, however often and at once', async () => {
    const keys = timesFor({ usual: 2, proof: 500 })
    const buyer = await world.newOwner()
    let conflicts = 0
    for (let round = 0; round < keys; round += 1) {
      const key = { 'idempotency-key': `hire-once-${round}` }
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => calls.send(buyer, '/api/jobs', body(), key)),
      )
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(201))
      expect(new Set(responses.map((response) => response.json().data.jobId)).size).toBe(1)
      const other = await calls.send(buyer, '/api/jobs', body({ title: 'Other' }), key)
      expect([other.statusCode, other.json().error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
      conflicts += 1
    }
    const { jobs } = await world.db.one<{ jobs: number }>(
      sql`select count(*)::int as jobs from jobs where client_id = ${buyer.ownerId}`,
    )
    expect(jobs).toBe(keys)
    printFigures('G7', { keys, posts: keys * 5, jobs, conflicts })
  })
})

describe('refused', () => {
  const refused = async (given: object, owner = client) => {
    const response = await calls.send(owner, '/api/jobs', given)
    return [response.statusCode, response.json().error.code]
  }

  test('400: shapes and deadlines', async () => {
    const invalid = [400, 'VALIDATION_ERROR']
    for (const agreedPrice of ['0', '-1', '1.5', '01', '1e9', '1000000000000001', 150]) {
      expect(await refused(body({ agreedPrice })), String(agreedPrice)).toEqual(invalid)
    }
    expect(await refused(body({ deadlineHours: 1, deadline: inAnHour() }))).toEqual(invalid)
    expect(await refused(body({ deadline: '2020-01-01T00:00:00.000Z' }))).toEqual(invalid)
    expect(await refused(body({ deadline: '2100-01-01T00:00:00.000Z' }))).toEqual(invalid)
    for (const deadlineHours of [0, 8761, '5'])
      expect(await refused(body({ deadlineHours }))).toEqual(invalid)
    for (const deadline of ['tomorrow', 5]) expect(await refused(body({ deadline }))).toEqual(invalid)
    expect(await refused(body({ title: 'x'.repeat(81) }))).toEqual(invalid)
    expect(await refused(body({ title: '  ' }))).toEqual(invalid)
    expect(await refused(body({ attachments: ['https://example.com/a'] }))).toEqual(invalid)
    expect(await refused(body({ attachments: Array(21).fill('ipfs://bafkreigh2akiscai') }))).toEqual(invalid)
  })

  test('401, 403, 404', async () => {
    const nobody = { ...client, headers: { authorization: 'Bearer nonsense' } }
    expect(await refused(body(), nobody)).toEqual([401, 'UNAUTHORIZED'])
    const suspended = await world.newOwner({ accountStatus: 'SUSPENDED' })
    expect(await refused(body(), suspended)).toEqual([403, 'FORBIDDEN'])
    expect(await refused(body({ agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k' }))).toEqual([404, 'NOT_FOUND'])
  })

  test('409: agents that are rejected, paused or of a suspended owner', async () => {
    const other = await world.newOwner()
    const agents = [
      await world.newAgent(seller, { approval: 'REJECTED' }),
      await world.newAgent(seller, { pausedBy: 'OWNER' }),
      await world.newAgent(seller, { pausedBy: 'QUOTA' }),
      await world.newAgent(other),
    ]
    await world.db.run(sql`update owners set account_status = 'SUSPENDED' where id = ${other.ownerId}`)
    for (const { id } of agents) {
      expect(await refused(body({ agentId: id }))).toEqual([409, 'INVALID_STATE'])
    }
  })
})

describe('reading', () => {
  test('both forms, for the parties and admins', async () => {
    const { jobId } = await calls.hire(client, agent, '5000000')
    const admin = await world.newAdmin()
    for (const owner of [client, seller, admin]) {
      const { data } = (await calls.get(owner, `/api/jobs/${jobId}`)).json()
      expect(data).toMatchObject({
        id: jobId,
        status: 'PENDING',
        escrowState: null,
        job: {
          client: { id: client.ownerId, walletAddress: client.wallet.address, entityName: '' },
          agent: { id: agent.id, ownerId: seller.ownerId, walletAddress: agent.wallet, name: 'Ledger Lark' },
          timeline: [{ type: 'JOB_CREATED', actor: 'CLIENT' }],
          delivery: null,
          dispute: null,
          review: null,
        },
      })
      expect(data.job.paymentInfo === null).toBe(owner !== client)
    }
    const a = (await calls.get(client, `/api/jobs/${jobId}`, form(1))).json()
    expect(a.data).not.toHaveProperty('job')
    const b = (await calls.get(client, `/api/jobs/${jobId}`, form(2))).json()
    expect(Object.keys(b.data)).toEqual(['job'])
  })

  test('a job of others and one that never was look the same', async () => {
    const { jobId } = await calls.hire(client, agent, '5000000')
    const stranger = await world.newOwner({ kycStatus: 'VERIFIED' })
    const strip = (response: { json(): { error: object } }) => ({
      ...response.json().error,
      requestId: '',
      timestamp: '',
    })
    const absent = await calls.get(stranger, '/api/jobs/cmi0a1b2c3d4e5f6g7h8i9j0k')
    const foreign = await calls.get(stranger, `/api/jobs/${jobId}`)
    expect([absent.statusCode, foreign.statusCode]).toEqual([404, 404])
    expect(strip(foreign)).toEqual(strip(absent))
    for (const verb of ['pay', 'cancel', 'deliver', 'approve', 'dispute/settlement/accept']) {
      const given = verb === 'deliver' ? { content: 'x' } : {}
      const responses = await Promise.all(
        [jobId, 'cmi0a1b2c3d4e5f6g7h8i9j0k'].map((id) => calls.act(stranger, id, verb, given)),
      )
      expect(
        responses.map(({ statusCode }) => statusCode),
        verb,
      ).toEqual([404, 404])
      expect(strip(responses[0] as never), verb).toEqual(strip(responses[1] as never))
    }
  })

  test('lists page by page, by role, status and agent, and only one’s own', async () => {
    const [buyer, vendor, stranger] = await Promise.all([
      world.newOwner(),
      world.newOwner(),
      world.newOwner(),
    ])
    const agents = [await world.newAgent(vendor), await world.newAgent(vendor)] as const
    const made: string[] = []
    for (let count = 0; count < 7; count += 1) {
      const { jobId } = await calls.hire(buyer, agents[count % 2 === 0 ? 0 : 1], '5000000')
      made.unshift(jobId)
      await world.advance(1)
    }
    const own = (await calls.hire(vendor, agents[0], '5000000')).jobId
    await calls.act(buyer, made[0] ?? '', 'cancel')

    const walk = async (owner: TestOwner, query: string) => {
      const ids: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: { data: { id: string }[]; nextCursor: string | null } = (
          await calls.get(owner, `/api/jobs?limit=3${query}${cursor ? `&cursor=${cursor}` : ''}`)
        ).json()
        ids.push(...page.data.map(({ id }) => id))
        cursor = page.nextCursor
      }
      return ids
    }
    expect(await walk(buyer, '')).toEqual(made)
    expect(await walk(vendor, '')).toEqual([own, ...made])
    expect(await walk(vendor, '&role=client')).toEqual([own])
    expect(await walk(vendor, '&role=seller&status=CANCELLED')).toEqual([made[0]])
    expect(await walk(vendor, `&agentId=${agents[1].id}`)).toEqual(
      made.filter((_id, index) => index % 2 === 1),
    )
    expect(await walk(stranger, '')).toEqual([])
    expect(await walk(stranger, `&agentId=${agents[1].id}`)).toEqual([])

    await world.db.run(sql`
      update agents set name = 'Owl', avatar_url = 'https://cdn.example.com/owl.png' where id = ${agents[0].id}`)
    const { data, nextCursor } = (await calls.get(buyer, '/api/jobs?limit=3')).json()
    const [owl, lark] = [
      { name: 'Owl', walletAddress: agents[0].wallet, avatarUrl: 'https://cdn.example.com/owl.png' },
      { name: 'Ledger Lark', walletAddress: agents[1].wallet, avatarUrl: null },
    ]
    expect(data.map(({ agent }: { agent: unknown }) => agent)).toEqual([owl, lark, owl])
    for (const [owner, query] of [
      [buyer, `cursor=${nextCursor}&status=PENDING`],
      [vendor, `cursor=${nextCursor}`],
      [buyer, `cursor=${nextCursor.slice(0, -2)}xx`],
      [buyer, 'cursor=nonsense'],
    ] as const) {
      expect((await calls.get(owner, `/api/jobs?limit=3&${query}`)).statusCode, query).toBe(400)
    }
  })
})
