import { pino } from 'pino'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkInvariants } from '../../../money/audit/invariants.ts'
import type { MoneyEngine } from '../../../money/engine.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../../../money/testing/money-world.ts'
import { orderTransfer } from '../../../money/testing/orders.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import { createQueue, type Queue } from '../../../platform/queue/queue.ts'
import { createTestClock } from '../../../testing/test-clock.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { createAudit } from '../audit.ts'
import { createOperations } from './operations.ts'
import { operationRoutes } from './routes.ts'

/** The operators' handles over a real queue and a real engine on a chain that can be reorganised. */
const log = pino({ level: 'silent' })
const clock = createTestClock()
const newId = createIdSource(clock)
const adminId = newId()
const headers = { authorization: `Bearer ${tokenFor({ ownerId: adminId, isAdmin: true })}` }

let world: MoneyWorld
let engine: MoneyEngine
let queue: Queue
let http: Awaited<ReturnType<typeof createTestHttp>>
let isBroken: boolean
let done: number[]
beforeAll(async () => {
  world = await createMoneyWorld()
  const { db, connection, chaos } = world
  engine = world.startEngine({ settings: { maxReorgDepth: 3 } })
  queue = createQueue({ db, connection, log })
  queue.define('note', {
    schema: Type.Object({ n: Type.Integer() }),
    handler: async ({ n }) => {
      if (isBroken) throw new Error(`no ${n} today`)
      done.push(n)
    },
  })
  await queue.start({ isWorking: false })
  await db.run(
    sql`insert into owners (id, wallet_address, created_at) values (${adminId}, '0x1', ${clock.now()})`,
  )
  const operations = createOperations({
    engine,
    queue,
    reader: chaos.chain.reader,
    cursorSecret: 'a secret for cursors in tests',
    audit: createAudit({ db, clock, newId }),
  })
  http = await createTestHttp(operationRoutes({ operations }), {
    db,
    clock,
    idempotency: createIdempotency({ db, clock }),
    rateLimitsEnforced: false,
  })
})
beforeEach(() => {
  isBroken = true
  done = []
})
afterAll(async () => {
  await http.close()
  await queue.stop()
  await world.close()
})

const get = async (path: string) => (await http.app.inject({ url: `/api/admin${path}`, headers })).json()
const post = (path: string, payload?: object, more: Record<string, string> = {}) =>
  http.app.inject({
    method: 'POST',
    url: `/api/admin${path}`,
    headers: { ...headers, ...more },
    ...(payload && { payload }),
  })
const entriesOf = (subjectId: string) =>
  world.db.rows<{ actorId: string; action: string; details: Record<string, unknown> }>(
    sql`select actor_id, action, details from audit_log where subject_id = ${subjectId} order by seq`,
  )

describe('dead letters', () => {
  async function fail(...numbers: number[]): Promise<void> {
    for (const n of numbers) {
      await queue.enqueue(world.db, 'note', { n })
      await queue.runAllNow()
    }
  }

  test('are listed newest first, page by page, with what they were and why they failed', async () => {
    await fail(1, 2, 3, 4, 5)
    const first = await get('/dead-letters?limit=2')
    expect(first.data).toMatchObject([
      { task: 'note', payload: { n: 5 }, reason: 'no 5 today', failedAt: expect.any(String) },
      { payload: { n: 4 } },
    ])
    const second = await get(`/dead-letters?limit=2&cursor=${first.nextCursor}`)
    const third = await get(`/dead-letters?limit=2&cursor=${second.nextCursor}`)
    expect([...second.data, ...third.data].map(({ payload }) => payload.n)).toEqual([3, 2, 1])
    expect(third.nextCursor).toBeNull()
    const forged = await http.app.inject({ url: '/api/admin/dead-letters?cursor=abc', headers })
    expect(forged.statusCode).toBe(400)
  })

  test('are sent again once, also by two admins at the same time, and leave an entry', async () => {
    await fail(7)
    const [{ id }] = (await get('/dead-letters?limit=1')).data
    isBroken = false
    const responses = await Promise.all([
      post(`/dead-letters/${id}/retry`),
      post(`/dead-letters/${id}/retry`),
    ])
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
    await queue.runAllNow()
    expect(done).toEqual([7])
    expect((await post(`/dead-letters/${id}/retry`)).statusCode).toBe(404)
    expect(await entriesOf(id)).toMatchObject([
      {
        actorId: adminId,
        action: 'dead_letter.retried',
        details: { before: { task: 'note', reason: { message: 'no 7 today' } } },
      },
    ])
  })

  test('the same Idempotency-Key sends once and returns the same response', async () => {
    await fail(8)
    const [{ id }] = (await get('/dead-letters?limit=1')).data
    isBroken = false
    const key = { 'idempotency-key': `retry-${id}` }
    const responses = [
      await post(`/dead-letters/${id}/retry`, undefined, key),
      await post(`/dead-letters/${id}/retry`, undefined, key),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(responses[1]?.json()).toEqual(responses[0]?.json())
    await queue.runAllNow()
    expect(done).toEqual([8])
  })

  test('that fail again come back as new ones', async () => {
    await fail(9)
    const [{ id }] = (await get('/dead-letters?limit=1')).data
    await post(`/dead-letters/${id}/retry`)
    await queue.runAllNow()
    const [again] = (await get('/dead-letters?limit=1')).data
    expect(again).toMatchObject({ payload: { n: 9 }, reason: 'no 9 today' })
    expect(again.id).not.toBe(id)
  })

  test('of a task that is not known any more stay, and so does the log: 409', async () => {
    await fail(10)
    const [{ id }] = (await get('/dead-letters?limit=1')).data
    await world.db.run(sql`update pgboss.job set source_name = 'gone' where id = ${id}::uuid`)
    const response = await post(`/dead-letters/${id}/retry`)
    expect([response.statusCode, response.json().error.code]).toEqual([409, 'CONFLICT'])
    expect((await get('/dead-letters?limit=1')).data).toMatchObject([{ id, task: 'gone' }])
    expect(await entriesOf(id)).toEqual([])
  })

  test.each(['cunknown', '0b6ff6f6-3f0c-4a52-9d3a-5d2d1a9f0e11'])('404 for %s', async (id) => {
    expect((await post(`/dead-letters/${id}/retry`)).statusCode).toBe(404)
  })
})

describe('the engine', () => {
  const payer = testAccount(1)
  const reason = { reason: 'Two other nodes show the same.' }

  test('says how far it is and what waits; it cannot be resumed while it runs', async () => {
    const { chaos, db } = world
    await chaos.faucet({ address: payer.address, amountMicro: 1_000_000n })
    await engine.runUntilIdle()
    await chaos.mine()
    const order = await orderTransfer(chaos, {
      kind: 'test.withdrawal',
      from: payer,
      to: testAccount(2).address,
      amountMicro: 5n,
      number: 1,
    })
    await db.transaction((tx) => engine.intents.create(tx, order))
    const { data } = await get('/engine')
    expect(data).toEqual({
      halted: false,
      haltedReason: null,
      isOperator: true,
      indexedBlock: data.headBlock - 1,
      headBlock: expect.any(Number),
      lagBlocks: 1,
      updatedAt: expect.any(String),
      intents: { pending: 1, submitted: 0, oldestSeconds: expect.any(Number) },
      wallets: { followed: 2, waiting: 0 },
    })
    const response = await post('/engine/resume', reason)
    expect(response.statusCode).toBe(409)
    expect(response.json().error.details).toMatchObject({ status: 'RUNNING', allowed: ['HALTED'] })
    expect(await entriesOf('money')).toEqual([])
    await engine.runUntilIdle()
  })

  test('halts on a deep fork, says why, and goes on when an admin says so, with an entry of it', async () => {
    const { chaos, db } = world
    for (let block = 0; block < 6; block += 1) {
      await chaos.mine()
      await engine.runUntilIdle()
    }
    await chaos.reorganise(7, () => false)
    await engine.runUntilIdle()
    expect((await get('/engine')).data).toMatchObject({
      halted: true,
      haltedReason: expect.stringContaining('the chain parted from ours'),
    })
    expect((await post('/engine/resume', {})).statusCode).toBe(400)

    chaos.setDown(true)
    expect((await post('/engine/resume', reason)).statusCode).toBe(503)
    chaos.setDown(false)
    expect((await get('/engine')).data.halted).toBe(true)

    const responses = await Promise.all([post('/engine/resume', reason), post('/engine/resume', reason)])
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(responses.find(({ statusCode }) => statusCode === 200)?.json().data).toMatchObject({
      halted: false,
      haltedReason: null,
    })
    await engine.runUntilIdle()
    expect((await get('/engine')).data).toMatchObject({ halted: false, lagBlocks: 0 })
    expect(await chaos.chain.usdc.balanceOf(testAccount(2).address)).toBe(5n)
    expect(await checkInvariants({ db, chain: chaos.chain })).toEqual([])
    expect(await entriesOf('money')).toMatchObject([
      {
        actorId: adminId,
        action: 'engine.resumed',
        details: {
          before: { haltedReason: expect.stringContaining('parted') },
          after: { haltedReason: null },
          reason: reason.reason,
        },
      },
    ])
  })

  test('a chain that does not respond is part of the report', async () => {
    world.chaos.setDown(true)
    const { data } = await get('/engine')
    world.chaos.setDown(false)
    expect(data).toMatchObject({ headBlock: null, lagBlocks: null, halted: false })
  })
})
