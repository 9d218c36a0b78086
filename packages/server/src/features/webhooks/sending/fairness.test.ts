import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LANES_PER_HOST } from '../../../platform/outbound/host-lanes.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import {
  type Receiver,
  type Reply,
  respondWith,
  silence,
  startReceiver,
} from '../../../testing/processes/start-receiver.ts'
import { REDELIVERIES, TESTS } from '../order-limit.ts'
import { LANES, LANES_PER_OWNER } from '../tasks.ts'
import { jobFunded, startWebhooks } from '../testing/start-webhooks.ts'
import { MAX_FAILURES_IN_ROW } from './breaker.ts'

let api: Awaited<ReturnType<typeof startWebhooks>>
let others: Receiver[] = []

/** Ends the connection without a response. */
const cutOff: Reply = (request) => void request.socket.destroy()

async function newReceiver(reply: Reply): Promise<Receiver> {
  const receiver = await startReceiver()
  receiver.respondWith(reply)
  others.push(receiver)
  return receiver
}

/** The same machine under another host name. */
const elsewhere = ({ port }: Receiver) => `http://localhost:${port}/`

/** What hangs ends with its connection. */
async function closeOthers(): Promise<void> {
  for (const receiver of others) await receiver.close()
  others = []
}

const countSent = (...receivers: Receiver[]) => receivers.flatMap(({ received }) => received).length
const eventually = (what: () => number) => expect.poll(what, { interval: 10 })

describe('receivers that never respond', () => {
  beforeEach(async () => {
    // The wait is long, so that what they hold is held until the test is over.
    api = await startWebhooks({ isWorking: true, webhookTimeoutMs: PATIENCE_MS })
  })
  afterEach(async () => {
    await closeOthers()
    await api.close()
  })

  test('of one owner hold a few lanes, and another owner’s event passes them', async () => {
    const [attacker, victim] = [await api.newOwner(), await api.newOwner()]
    const dead: Receiver[] = []
    for (let n = 0; n < 3; n += 1) {
      const receiver = await newReceiver(silence)
      dead.push(receiver)
      // Less than a host's share on each of both names.
      await api.newWebhook(attacker.headers, { url: n === 0 ? receiver.url : elsewhere(receiver) })
    }
    await api.newWebhook(victim.headers)
    await api.tell(...Array.from({ length: LANES }, () => jobFunded(attacker.ownerId)))
    await eventually(() => countSent(...dead)).toBe(LANES_PER_OWNER)
    await api.tell(jobFunded(victim.ownerId))
    await eventually(() => countSent(api.receiver)).toBe(1)
    expect(countSent(...dead)).toBe(LANES_PER_OWNER)
  })

  test('on one host hold a few lanes, however many owners name it', async () => {
    const owners = await Promise.all(Array.from({ length: LANES / LANES_PER_OWNER }, () => api.newOwner()))
    const victim = await api.newOwner()
    const dead: Receiver[] = []
    for (const { headers } of owners) {
      const receiver = await newReceiver(silence)
      dead.push(receiver)
      await api.newWebhook(headers, { url: elsewhere(receiver) })
    }
    await api.newWebhook(victim.headers)
    for (const { ownerId } of owners) {
      await api.tell(...Array.from({ length: LANES_PER_OWNER }, () => jobFunded(ownerId)))
    }
    await eventually(() => countSent(...dead)).toBe(LANES_PER_HOST)
    await api.tell(jobFunded(victim.ownerId))
    await eventually(() => countSent(api.receiver)).toBe(1)
    expect(countSent(...dead)).toBe(LANES_PER_HOST)
  })
})

describe('with a queue that works step by step', () => {
  beforeAll(async () => {
    api = await startWebhooks()
  })
  afterEach(closeOthers)
  afterAll(() => api.close())

  describe('a webhook whose messages get no response', () => {
    test('is left alone for a while, which the log says, and works again with the first response', async () => {
      const dead = await newReceiver(cutOff)
      const { ownerId, headers } = await api.newOwner()
      const { id } = await api.newWebhook(headers, { url: dead.url })
      const more = 3
      await api.tell(...Array.from({ length: MAX_FAILURES_IN_ROW + more }, () => jobFunded(ownerId)))
      await api.queue.runAllNow({ onlyDue: true })
      expect(countSent(dead)).toBe(MAX_FAILURES_IN_ROW)
      const log: { error: string; status: string }[] = await api.logOf(headers, id)
      const spared = log.filter(({ error }) =>
        error.startsWith('Not sent: the last 5 messages got no response'),
      )
      expect(spared).toHaveLength(more)
      expect(log.every(({ status }) => status === 'PENDING')).toBe(true)

      // What the owner orders is sent: that is how one sees that a repair works.
      dead.respondWith(respondWith(204))
      await api.call('POST', `/${id}/test`, headers)
      await api.queue.runAllNow({ onlyDue: true })
      expect(countSent(dead)).toBe(MAX_FAILURES_IN_ROW + 1)
      await api.tell(jobFunded(ownerId))
      await api.queue.runAllNow()
      const after: { status: string }[] = await api.logOf(headers, id)
      expect(after.every(({ status }) => status === 'DELIVERED')).toBe(true)
    })

    test('is tried again when the pause is over, and that of another endpoint is its own', async () => {
      const [dead, other] = [await newReceiver(cutOff), await newReceiver(cutOff)]
      const { ownerId, headers } = await api.newOwner()
      await api.newWebhook(headers, { url: dead.url, events: ['job.funded'] })
      await api.tell(...Array.from({ length: MAX_FAILURES_IN_ROW }, () => jobFunded(ownerId)))
      await api.queue.runAllNow({ onlyDue: true })
      await api.newWebhook(headers, { url: other.url })
      await api.tell(jobFunded(ownerId))
      await api.queue.runAllNow({ onlyDue: true })
      expect([countSent(dead), countSent(other)]).toEqual([MAX_FAILURES_IN_ROW, 1])
      api.wallClock.advance(61)
      await api.tell(jobFunded(ownerId))
      await api.queue.runAllNow({ onlyDue: true })
      expect(countSent(dead)).toBe(MAX_FAILURES_IN_ROW + 1)
    })
  })

  describe('what an owner orders is limited', () => {
    test('to a few tests a minute over all webhooks, also when many are requested at once', async () => {
      const [{ headers }, other] = [await api.newOwner(), await api.newOwner()]
      const hooks = [await api.newWebhook(headers), await api.newWebhook(headers)]
      const asked = Array.from({ length: TESTS.perMinute + 2 }, (_, n) =>
        api.call('POST', `/${hooks[n % 2].id}/test`, headers),
      )
      const responses = await Promise.all(asked)
      const refused = responses.filter(({ statusCode }) => statusCode === 429)
      expect(refused).toHaveLength(2)
      expect(refused[0]?.headers['retry-after']).toBe('60')
      expect(refused[0]?.json().error.details).toMatchObject({ limit: TESTS.perMinute })
      const { id } = await api.newWebhook(other.headers)
      expect((await api.call('POST', `/${id}/test`, other.headers)).statusCode).toBe(202)
      api.wallClock.advance(61)
      expect((await api.call('POST', `/${hooks[0].id}/test`, headers)).statusCode).toBe(202)
    })

    test('to more redeliveries, which no test uses up', async () => {
      const { ownerId, headers } = await api.newOwner()
      const { id } = await api.newWebhook(headers)
      await api.tell(jobFunded(ownerId))
      const [{ id: first }] = await api.logOf(headers, id)
      await api.call('POST', `/${id}/test`, headers)
      const responses = await Promise.all(
        Array.from({ length: REDELIVERIES.perMinute + 1 }, () =>
          api.call('POST', `/${id}/deliveries/${first}/redeliver`, headers),
        ),
      )
      expect(responses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
    })
  })
})
