import { AppError } from '@agent-marketplace/contract'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startDeal } from './features/jobs/testing/start-deal.ts'
import { createDatabase, type Database } from './platform/db/database.ts'
import { type Pulse, startPulse } from './platform/db/pulse.ts'
import { sql } from './platform/db/sql.ts'
import { PATIENCE_MS } from './testing/patience.ts'
import { startSilentProxy } from './testing/processes/silent-proxy.ts'

/** After so many messages to the database it stands still: in every part of a hire, a payment and the work on both. */
const MOMENTS = [1, 3, 8, 17, 30, 47, 68]

let deal: Awaited<ReturnType<typeof startDeal>>
let proxy: Awaited<ReturnType<typeof startSilentProxy>>
let pulse: Pulse
let watched: Database
let turn: () => void
let isOver = false
let healing: Promise<void>

beforeAll(async () => {
  const { user = '', password = '', ...server } = new pg.Client(inject('testDatabase').connection)
  proxy = await startSilentProxy(server)
  deal = await startDeal({
    ports: ({ connection, log }) => {
      const { database = '' } = new pg.Client(connection)
      pulse = startPulse({
        connection: { user, password, database, host: proxy.host, port: proxy.port },
        log: pino({ level: 'silent' }),
        everyTurn: (callback) => {
          turn = callback
          return () => undefined
        },
      })
      watched = createDatabase({
        connection: pulse.connection,
        poolSize: 10,
        log,
        connectTimeoutMs: PATIENCE_MS,
        statementTimeoutMs: PATIENCE_MS,
      })
      return { db: watched, searchDb: watched, connection: pulse.connection, silences: pulse.silences }
    },
  })
  healing = healAgainAndAgain()
})
afterAll(async () => {
  isOver = true
  await healing
  await deal.world.close()
  await watched.close()
  await pulse.close()
  await proxy.close()
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** A database that stands still does so until that is noticed; then it goes on. */
async function healAgainAndAgain(): Promise<void> {
  while (!isOver) {
    await nextTurn()
    if (!proxy.standsStill()) continue
    while (!pulse.isSilent()) {
      turn()
      await nextTurn()
    }
    proxy.goOn()
    while (pulse.isSilent()) {
      turn()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

/** The engine goes round until the work is done, as its loops do: a turn that fails is no more than a pause. */
async function whileWorking<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  while (!isDone) {
    await deal.world.engine.runOnce().catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'UNAVAILABLE')) throw error
    })
    await nextTurn()
  }
  return done
}

/** As clients do: 503 is repeated with the same key, and 202 too. */
async function insist(send: () => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  for (;;) {
    const response = await whileWorking(send())
    if (response.statusCode !== 503 && response.statusCode !== 202) return response
    await nextTurn()
  }
}

test('jobs are hired and paid once each while the database stands still again and again', async () => {
  const { world, calls, client, agent } = deal
  const prices = MOMENTS.map((_, index) => 150_000_000n + BigInt(index) * 1_000_003n)
  const total = prices.reduce((sum, price) => sum + price, 0n)
  await world.give(client.wallet.address, total)

  for (const [index, price] of prices.entries()) {
    const post = (url: string, payload: object, key: string) =>
      insist(() => calls.send(client, url, payload, { 'idempotency-key': `${key}-${index}` }))
    proxy.standStillAfter(MOMENTS[index] ?? 1)
    const hired = await post(
      '/api/jobs',
      {
        agentId: agent.id,
        title: `Job ${index}`,
        description: 'All of it.',
        agreedPrice: String(price),
      },
      'hire',
    )
    expect(hired.statusCode).toBe(201)
    const { jobId, paymentInfo } = hired.json().data
    const signed = await calls.sign(client.wallet, paymentInfo.typedData)
    const paid = await post(`/api/jobs/${jobId}/pay`, signed, 'pay')
    expect([index, paid.statusCode]).toEqual([index, 200])
  }

  expect(pulse.silences()).toBeGreaterThan(MOMENTS.length / 2)
  proxy.standStillAfter(Number.POSITIVE_INFINITY)
  await world.runUntilIdle()
  expect(await world.db.rows(sql`select status, price_micro from jobs order by price_micro`)).toEqual(
    prices.map((priceMicro) => ({ status: 'IN_PROGRESS', priceMicro })),
  )
  expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(0n)
  expect(await world.breaches()).toEqual([])
})
