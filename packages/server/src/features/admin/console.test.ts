import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { startAdmin, testDispute, testJob } from './testing/start-admin.ts'

let api: Awaited<ReturnType<typeof startAdmin>>
let headers: Record<string, string>
let adminId: string
beforeAll(async () => {
  api = await startAdmin()
  const made = await api.newAdmin()
  headers = made.headers
  adminId = made.ownerId
})
afterAll(() => api.close())

describe('agents', () => {
  async function newAgent() {
    const seller = await api.market.newSeller()
    const { id } = (await api.market.create(seller)).json().data.agent
    return { id, seller }
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
    const told = (await api.market.told(seller.ownerId)).map(({ type }) => type)
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
  async function newFlag() {
    const { ownerId } = await api.market.newSeller()
    const job = testJob({ id: api.newId(), clientId: ownerId, amlFlagged: true, agreedPrice: '5000000000' })
    api.jobs.set(job.id, { job, dispute: testDispute, escrowKey: '0x' })
    const flag = { jobId: job.id, ownerId, amountMicro: 5_000_000_000n }
    await api.db.transaction((tx) => api.admin.aml.raise(tx, flag))
    return { job, flag }
  }

  const list = async (query = '') => (await api.get(`/aml-flags${query}`, headers)).json().data

  test('are raised once for a job, listed and resolved with a reason', async () => {
    const { job, flag } = await newFlag()
    await api.db.transaction((tx) => api.admin.aml.raise(tx, flag))
    const open = await list('?status=OPEN')
    expect(open).toMatchObject({ total: 1, limit: 50, offset: 0 })
    expect(open.flags).toEqual([
      {
        id: expect.stringMatching(/^c/),
        job,
        ownerId: flag.ownerId,
        amount: '5000000000',
        status: 'OPEN',
        note: null,
        createdAt: api.clock.now().toISOString(),
        resolvedAt: null,
      },
    ])
    const [{ id }] = open.flags
    const response = await api.post(`/aml-flags/${id}/resolve`, headers, { reason: 'Known customer.' })
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({
      status: 'RESOLVED',
      note: 'Known customer.',
      resolvedAt: api.clock.now().toISOString(),
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
  const withdrawal = {
    id: api.newId(),
    ownerId: api.newId(),
    agentId: api.newId(),
    amount: '5',
    to: `0x${'11'.repeat(20)}`,
    status: 'FAILED' as const,
    txHash: null,
    failureReason: 'The token is paused.',
    reservedUntil: null,
    createdAt: api.clock.now().toISOString(),
  }
  api.withdrawals.push(withdrawal)
  const found = await api.get(`/withdrawals?status=FAILED&ownerId=${withdrawal.ownerId}`, headers)
  expect(found.json()).toEqual({ data: { withdrawals: [withdrawal], total: 1, limit: 50, offset: 0 } })
  expect((await api.get('/withdrawals?status=CONFIRMED', headers)).json().data.total).toBe(0)
})

test('health of worker and indexer', async () => {
  expect((await api.get('/health', headers)).json()).toEqual({
    data: {
      worker: { deadLetters: 1, waitingIntents: 2 },
      indexer: { blockNumber: 7, headNumber: 8, updatedAt: null, haltedReason: null },
    },
  })
})

describe('the audit log', () => {
  test('is listed newest first, by actor and by subject', async () => {
    const [first, second] = [await api.market.newSeller(), await api.market.newSeller()]
    const other = await api.newAdmin()
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
        createdAt: api.clock.now().toISOString(),
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
    const { ownerId } = await api.market.newSeller()
    const decision = { actor: { ownerId: adminId, requestId: 'r1' }, subjectId: ownerId, reason: 'why' }
    const failing = api.db.transaction(async (tx) => {
      await api.admin.owners.suspend(tx, decision)
      throw new Error('not after all')
    })
    await expect(failing).rejects.toThrow('not after all')
    expect(await api.entriesOf(ownerId)).toEqual([])
    expect(await api.market.told(ownerId)).toEqual([])
    expect(api.forgotten).not.toContain(ownerId)
  })
})
