import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkInvariants } from '../../../money/audit/invariants.ts'
import type { MoneyEngine } from '../../../money/engine.ts'
import { type ChaosChain, startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { impatient, testAccount } from '../../../money/testing/money-world.ts'
import { orderTransfer } from '../../../money/testing/orders.ts'
import { createEffectsTable, registerTestKinds } from '../../../money/testing/test-kinds.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import { adminWallet, startWorld, type World } from '../../../testing/start-world.ts'
import { createConsoleCalls } from '../testing/start-console.ts'

/** On a chain that can be reorganised, with a task that fails when the test says so and money that moves by its orders. */
let world: World
let chaos: ChaosChain
let engine: MoneyEngine
let queue: Queue
let headers: Record<string, string>
let adminId: string
let isBroken: boolean
let done: number[]
beforeAll(async () => {
  chaos = await startChaosChain()
  world = await startWorld({
    chain: chaos,
    moneyOptions: { settings: { ...impatient, maxReorgDepth: 3 } },
    prepare({ queue, money }) {
      queue.define('note', {
        schema: Type.Object({ n: Type.Integer() }),
        handler: async ({ n }) => {
          if (isBroken) throw new Error(`no ${n} today`)
          done.push(n)
        },
      })
      registerTestKinds(money, chaos)
    },
  })
  await createEffectsTable(world.db)
  engine = world.money
  queue = world.queue
  // Ticks go by the time of the books.
  await world.runUntilIdle()
  const admin = await world.newOwner({ wallet: adminWallet })
  headers = admin.headers
  adminId = admin.ownerId
})
beforeEach(() => {
  isBroken = true
  done = []
})
afterAll(async () => {
  await world.close()
  await chaos.close()
})

const get = async (path: string) => (await world.http.inject({ url: `/api/admin${path}`, headers })).json()
const post = (path: string, payload?: object, more: Record<string, string> = {}) =>
  createConsoleCalls(world).post(path, { ...headers, ...more }, payload)
const entriesOf = (subjectId: string) => createConsoleCalls(world).entriesOf(subjectId)

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
    const forged = await world.http.inject({ url: '/api/admin/dead-letters?cursor=abc', headers })
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
    const { db } = world
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
    const { db } = world
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
    chaos.setDown(true)
    const { data } = await get('/engine')
    chaos.setDown(false)
    expect(data).toMatchObject({ headBlock: null, lagBlocks: null, halted: false })
  })
})
