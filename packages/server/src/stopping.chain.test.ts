import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from './app.ts'
import { sql } from './platform/db/sql.ts'
import { type Asked, startWaitingCalls, type WaitingCalls } from './testing/start-waiting-calls.ts'

/** A process that is stopped ends what its calls wait for, and another one follows what they have begun. */

let waiting: WaitingCalls
let world: WaitingCalls['world']
beforeAll(async () => {
  waiting = await startWaitingCalls()
  world = waiting.world
})
afterAll(() => waiting.close())

/** Sends the call to the process, and stops that while the call waits. */
async function stopDuring(
  service: App,
  { url, method = 'POST', headers, payload }: Asked,
  isWaiting: (response: Promise<Response>) => Promise<unknown>,
) {
  const origin = await service.http.listen({ port: 0, host: '127.0.0.1' })
  const arrived = once(service.http.server, 'request')
  const response = fetch(origin + url, {
    method,
    headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
    ...(payload && { body: JSON.stringify(payload) }),
  })
  await arrived
  await isWaiting(response)
  const closed = service.close()
  const reply = await response
  const text = await reply.text()
  await closed
  return { status: reply.status, connection: reply.headers.get('connection'), text }
}

const intents = () => world.db.rows(sql`select key, status from intents order by key`)

const pending = { data: { status: 'PENDING' } }
const unsettled = { success: false, errorReason: 'settlement_pending' }

test.each([
  ['deposit', 202, pending, 200],
  ['payment', 202, pending, 200],
  ['hire', 202, pending, 201],
  ['order', 202, {}, 202],
  ['refund', 202, { data: { refund: { status: 'PENDING' } } }, 200],
  ['dispute', 202, {}, 200],
  ['fee', 202, { data: { payment: pending.data } }, 200],
  ['facilitator', 200, unsettled, 200],
  ['subscription', 202, { data: { plan: 'AGENT_QUOTA' } }, 201],
  ['upgrade', 202, { data: { plan: 'AGENT_QUOTA' } }, 201],
] as const)('%s: a stop returns %i, and what has begun is done once', async (name, status, body, done) => {
  const asked = await waiting.calls[name]()
  const service = await world.startBeside()
  const { waitingCount } = service.money.waiting
  const stopped = await stopDuring(service, asked, () => expect.poll(waitingCount).toBe(1))
  expect(stopped).toMatchObject({ status, connection: 'close' })
  expect(JSON.parse(stopped.text)).toMatchObject(body)

  await world.runUntilIdle()
  const before = await intents()
  const again = await waiting.send(asked)
  expect([again.statusCode, again.body.includes('settlement_pending')]).toEqual([done, false])
  expect(await intents()).toEqual(before)
  expect(await world.breaches()).toEqual([])
})

test('a payment that another facilitator settles: a stop returns 202, and it stays open', async () => {
  const asked = await waiting.calls.payment()
  const isAsked = Promise.withResolvers<void>()
  const settle = () => {
    isAsked.resolve()
    return new Promise<never>(() => undefined)
  }
  const service = await world.startBeside({
    ports: ({ payments }) => ({ payments: { ...payments, settlement: { by: 'facilitator', settle } } }),
  })
  const stopped = await stopDuring(service, asked, () => isAsked.promise)
  expect(stopped).toMatchObject({ status: 202, connection: 'close' })
})

test('a call that waits for a delivery: a stop returns the order as it is', async () => {
  const asked = await waiting.calls.delivery()
  const stopped = await stopDuring(await world.startBeside(), asked, async () => undefined)
  expect(stopped).toMatchObject({ status: 202, connection: 'close' })
})

test.each([
  ['feed', 'retry: 2000'],
  ['tool', 'call wait_for_job again'],
] as const)('%s: a stop ends what is being sent', async (name, text) => {
  const asked = await waiting.calls[name]()
  const stopped = await stopDuring(await world.startBeside(), asked, (response) => response)
  expect(stopped).toMatchObject({ status: 200, text: expect.stringContaining(text) })
})
