import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { startConsole, type TestConsole } from './testing/start-console.ts'

let api: TestConsole
let headers: Record<string, string>
let adminId: string
beforeAll(async () => {
  api = await startConsole({ environment: { AGENT_APPROVAL: 'manual' } })
  const made = await api.newAdmin()
  headers = made.headers
  adminId = made.ownerId
})
afterAll(() => api.close())

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)

describe('agents', () => {
  async function newAgent() {
    const seller = await api.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true })
    const payload = { name: 'Lark', description: 'Counts.', category: 'finance', hourlyRateUsdc: '1' }
    const made = await api.http.inject({
      method: 'POST',
      url: '/api/agents',
      headers: seller.headers,
      payload,
    })
    expect(made.statusCode).toBe(201)
    return { id: made.json().data.id as string, seller }
  }

  test('are approved, rejected with a reason and approved again, each with its entry', async () => {
    const { id, seller } = await newAgent()
    const waiting = (await api.get('/agents?approvalStatus=PENDING', headers)).json().data
    expect(waiting.agents.map((agent: { id: string }) => agent.id)).toContain(id)

    const approved = await api.post(`/agents/${id}/approve`, headers)
    expect(approved.statusCode).toBe(200)
    expect(approved.json().data).toMatchObject({ id, approvalStatus: 'APPROVED' })
    const rejected = await api.post(`/agents/${id}/reject`, headers, { reason: 'It copies another.' })
    expect(rejected.json().data).toMatchObject({ id, approvalStatus: 'REJECTED' })
    await api.post(`/agents/${id}/approve`, headers)

    const entries = await api.entriesOf(id)
    expect(entries.map(({ action }) => action)).toEqual([
      'agent.approved',
      'agent.rejected',
      'agent.approved',
    ])
    expect(entries[1]).toMatchObject({
      actorId: adminId,
      details: {
        before: { approvalStatus: 'APPROVED' },
        after: { approvalStatus: 'REJECTED' },
        reason: 'It copies another.',
      },
    })
    const told = (await api.notificationsOf(seller.ownerId)).map(({ type }) => type)
    expect(told).toEqual(['WALLET_PROVISIONED', 'AGENT_APPROVED', 'AGENT_REJECTED', 'AGENT_APPROVED'])
  })

  test('the same decision twice is a 409 and leaves one entry', async () => {
    const { id } = await newAgent()
    await api.post(`/agents/${id}/approve`, headers)
    const again = await api.post(`/agents/${id}/approve`, headers)
    expect(again.statusCode).toBe(409)
    expect(again.json().error.details).toMatchObject({ status: 'APPROVED' })
    expect(await api.entriesOf(id)).toHaveLength(1)
  })
})

describe('AML flags', () => {
  /** An unverified buyer pays for a large job. */
  async function newFlag() {
    const [client, seller] = [await api.newOwner(), await api.newOwner()]
    const agent = await api.newAgent(seller)
    await api.give(client.wallet.address, 5_000_000_000n)
    const send = (url: string, payload: object) =>
      api.http.inject({ method: 'POST', url, headers: client.headers, payload })
    const order = { agentId: agent.id, title: 'Reconcile', description: 'All.', agreedPrice: '5000000000' }
    const { jobId, paymentInfo } = (await send('/api/jobs', order)).json().data
    const { typedData } = paymentInfo
    const signed = {
      authorization: typedData.message,
      signature: await client.wallet.signTypedData(typedData),
    }
    const paid = await api.whileWorking(send(`/api/jobs/${jobId}/pay`, signed))
    expect(paid.statusCode).toBe(200)
    return { jobId: jobId as string, ownerId: client.ownerId }
  }

  const list = async (query = '') => (await api.get(`/aml-flags${query}`, headers)).json().data

  test('are raised once for a job, listed and resolved with a reason', async () => {
    const { jobId, ownerId } = await newFlag()
    await api.runUntilIdle()
    const open = await list('?status=OPEN')
    expect(open).toMatchObject({ total: 1, limit: 50, offset: 0 })
    const [{ job, ...flag }] = open.flags
    expect(job).toMatchObject({ id: jobId, clientId: ownerId, amlFlagged: true, agreedPrice: '5000000000' })
    expect(flag).toEqual({
      id: expect.stringMatching(/^c/),
      ownerId,
      amount: '5000000000',
      status: 'OPEN',
      note: null,
      createdAt: isoTime,
      resolvedAt: null,
    })
    const { id } = flag
    const response = await api.post(`/aml-flags/${id}/resolve`, headers, { reason: 'Known customer.' })
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({
      status: 'RESOLVED',
      note: 'Known customer.',
      resolvedAt: isoTime,
    })
    expect(await list('?status=OPEN')).toMatchObject({ flags: [], total: 0 })
    expect(await list('?status=RESOLVED')).toMatchObject({ flags: [{ id }], total: 1 })
    expect(await api.entriesOf(id)).toMatchObject([
      { actorId: adminId, action: 'aml_flag.resolved', details: { reason: 'Known customer.' } },
    ])
  })

  test('are resolved once', async () => {
    await newFlag()
    const [{ id }] = (await list('?status=OPEN')).flags
    const responses = await Promise.all(
      ['one', 'two'].map((reason) => api.post(`/aml-flags/${id}/resolve`, headers, { reason })),
    )
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(await api.entriesOf(id)).toHaveLength(1)
  })
})

test('withdrawals of all owners are listed, with whose they are', async () => {
  const seller = await api.newOwner({ kycStatus: 'VERIFIED' })
  const agent = await api.newAgent(seller)
  await api.give(agent.wallet, 5n)
  await api.runUntilIdle()
  const own = (method: 'GET' | 'POST', url: string, payload?: object) =>
    api.http.inject({ method, url, headers: seller.headers, ...(payload && { payload }) })
  const ordered = await own('POST', '/api/owners/withdrawals', { agentId: agent.id, amount: '5' })
  expect(ordered.statusCode).toBe(201)
  await api.runUntilIdle()
  const withdrawal = (await own('GET', `/api/owners/withdrawals/${ordered.json().data.id}`)).json().data
  const { ownerId } = seller
  const found = await api.get(`/withdrawals?status=CONFIRMED&ownerId=${ownerId}`, headers)
  expect(found.json()).toEqual({
    data: { withdrawals: [{ ...withdrawal, ownerId }], total: 1, limit: 50, offset: 0 },
  })
  expect((await api.get('/withdrawals?status=FAILED', headers)).json().data.total).toBe(0)
})

test('health of worker and indexer', async () => {
  await api.runUntilIdle()
  const { worker, indexer } = (await api.get('/health', headers)).json().data
  expect(worker).toEqual({ deadLetters: 0, waitingIntents: 0 })
  const head = await api.chain.reader.getBlock('latest')
  const number = Number(head?.number)
  expect(indexer).toEqual({ blockNumber: number, headNumber: number, updatedAt: isoTime, haltedReason: null })
})

describe('the audit log', () => {
  test('is listed newest first, by actor and by subject', async () => {
    const [first, second] = [await api.newOwner(), await api.newOwner()]
    const other = await api.newOtherAdmin()
    await api.post(`/owners/${first.ownerId}/suspend`, headers, { reason: 'one' })
    await api.post(`/owners/${second.ownerId}/suspend`, other.headers, { reason: 'two' })
    await api.post(`/owners/${first.ownerId}/reinstate`, other.headers, { reason: 'three' })
    const actions = async (query: string) =>
      (await api.get(`/audit-log?${query}`, headers))
        .json()
        .data.entries.map((entry: { details: { reason: string } }) => entry.details.reason)
    expect(await actions('limit=3')).toEqual(['three', 'two', 'one'])
    expect(await actions(`subjectId=${first.ownerId}`)).toEqual(['three', 'one'])
    expect(await actions(`actorId=${other.ownerId}`)).toEqual(['three', 'two'])
    expect(await actions(`actorId=${other.ownerId}&subjectId=${first.ownerId}&limit=1`)).toEqual(['three'])
    const page = (await api.get(`/audit-log?actorId=${other.ownerId}&limit=1&offset=1`, headers)).json().data
    expect(page).toMatchObject({ total: 2, limit: 1, offset: 1 })
    expect(page.entries).toEqual([
      {
        id: expect.stringMatching(/^c[0-9a-z]{24}$/),
        actorId: other.ownerId,
        action: 'owner.suspended',
        subjectType: 'owner',
        subjectId: second.ownerId,
        details: {
          before: { accountStatus: 'ACTIVE' },
          after: { accountStatus: 'SUSPENDED' },
          reason: 'two',
          requestId: expect.any(String),
        },
        createdAt: isoTime,
      },
    ])
  })

  test.each([
    ['update', sql`update audit_log set action = 'forged'`],
    ['update of nothing', sql`update audit_log set action = 'forged' where false`],
    ['delete', sql`delete from audit_log`],
    ['truncate', sql`truncate audit_log`],
  ])('refuses %s', async (_name, statement) => {
    const before = await api.db.rows(sql`select * from audit_log order by seq`)
    await expect(api.db.run(statement)).rejects.toThrow('the audit log is append only')
    expect(await api.db.rows(sql`select * from audit_log order by seq`)).toEqual(before)
  })

  test('has nothing of a decision that was rolled back', async () => {
    const { ownerId } = await api.newOwner()
    const statusOf = async () =>
      (
        await api.db.one<{ status: string }>(
          sql`select account_status as status from owners where id = ${ownerId}`,
        )
      ).status
    // The owner cannot be notified, so nothing of it happens.
    await api.db.run(sql`alter table notifications rename to notifications_away`)
    const failed = await api.post(`/owners/${ownerId}/suspend`, headers, { reason: 'why' })
    await api.db.run(sql`alter table notifications_away rename to notifications`)
    expect(failed.statusCode).toBe(500)
    expect(await statusOf()).toBe('ACTIVE')
    expect(await api.entriesOf(ownerId)).toEqual([])
    expect(await api.notificationsOf(ownerId)).toEqual([])
  })
})
