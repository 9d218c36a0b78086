import { afterEach, describe, expect, test } from 'vitest'
import type { OutgoingMessage } from '../../../platform/outbound/guarded-post.ts'
import { LANES_PER_HOST } from '../../../platform/outbound/host-lanes.ts'
import { REDELIVERIES, TESTS } from '../order-limit.ts'
import { LANES, LANES_PER_OWNER } from '../tasks.ts'
import { jobFunded, startWebhooks } from '../testing/start-webhooks.ts'
import { MAX_FAILURES_IN_ROW } from './breaker.ts'
import type { SendResult } from './send-message.ts'

let api: Awaited<ReturnType<typeof startWebhooks>>
let hanging: PromiseWithResolvers<SendResult>[] = []
let sent: string[] = []
let responseOf: (message: OutgoingMessage) => SendResult | Promise<SendResult>
const ok: SendResult = { kind: 'response', status: 204, excerpt: '' }
const silent: SendResult = { kind: 'failure', why: 'No response within 5 s.' }

/** Until the test is over, as a receiver that takes the message and says nothing. */
function hang(): Promise<SendResult> {
  const held = Promise.withResolvers<SendResult>()
  hanging.push(held)
  return held.promise
}

async function start(isWorking: boolean): Promise<void> {
  hanging = []
  sent = []
  const send = async (message: OutgoingMessage) => {
    sent.push(new URL(message.url).hostname)
    return responseOf(message)
  }
  api = await startWebhooks({ isWorking, send })
}

afterEach(async () => {
  responseOf = () => ok
  for (const { resolve } of hanging) resolve(ok)
  await api.close()
})

const countSent = (host: string) => sent.filter((other) => other === host).length
const eventually = (what: () => number) => expect.poll(what, { interval: 10 })

describe('receivers that never respond', () => {
  test('of one owner hold a few lanes, and another owner’s event passes them', async () => {
    responseOf = ({ url }) => (url.includes('dead') ? hang() : ok)
    await start(true)
    const [attacker, victim] = [await api.newOwner(), await api.newOwner()]
    for (let n = 0; n < 3; n += 1) {
      await api.newWebhook(attacker.headers, { url: `https://dead-${n}.example.com/` })
    }
    await api.newWebhook(victim.headers, { url: 'https://alive.example.com/' })
    await api.tell(...Array.from({ length: LANES }, () => jobFunded(attacker.ownerId)))
    await eventually(() => hanging.length).toBe(LANES_PER_OWNER)
    await api.tell(jobFunded(victim.ownerId))
    await eventually(() => countSent('alive.example.com')).toBe(1)
    expect(hanging).toHaveLength(LANES_PER_OWNER)
  })

  test('on one host hold a few lanes, however many owners name it', async () => {
    responseOf = ({ url }) => (url.includes('dead') ? hang() : ok)
    await start(true)
    const owners = await Promise.all(Array.from({ length: LANES / LANES_PER_OWNER }, () => api.newOwner()))
    const victim = await api.newOwner()
    for (const [n, { headers }] of owners.entries()) {
      await api.newWebhook(headers, { url: `https://dead.example.com:${8000 + n}/` })
    }
    await api.newWebhook(victim.headers, { url: 'https://alive.example.com/' })
    for (const { ownerId } of owners) {
      await api.tell(...Array.from({ length: LANES_PER_OWNER }, () => jobFunded(ownerId)))
    }
    await eventually(() => hanging.length).toBe(LANES_PER_HOST)
    await api.tell(jobFunded(victim.ownerId))
    await eventually(() => countSent('alive.example.com')).toBe(1)
    expect(hanging).toHaveLength(LANES_PER_HOST)
  })
})

describe('a webhook whose messages get no response', () => {
  test('is left alone for a while, which the log says, and works again with the first response', async () => {
    responseOf = () => silent
    await start(false)
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers, { url: 'https://dead.example.com/' })
    const more = 3
    await api.tell(...Array.from({ length: MAX_FAILURES_IN_ROW + more }, () => jobFunded(ownerId)))
    await api.queue.runAllNow({ onlyDue: true })
    expect(sent).toHaveLength(MAX_FAILURES_IN_ROW)
    const log: { error: string; status: string }[] = await api.logOf(headers, id)
    const spared = log.filter(({ error }) =>
      error.startsWith('Not sent: the last 5 messages got no response'),
    )
    expect(spared).toHaveLength(more)
    expect(log.every(({ status }) => status === 'PENDING')).toBe(true)

    // What the owner orders is sent: that is how one sees that a repair works.
    responseOf = () => ok
    await api.call('POST', `/${id}/test`, headers)
    await api.queue.runAllNow({ onlyDue: true })
    expect(sent).toHaveLength(MAX_FAILURES_IN_ROW + 1)
    await api.tell(jobFunded(ownerId))
    await api.queue.runAllNow()
    const after: { status: string }[] = await api.logOf(headers, id)
    expect(after.every(({ status }) => status === 'DELIVERED')).toBe(true)
  })

  test('is tried again when the pause is over, and that of another endpoint is its own', async () => {
    responseOf = () => silent
    await start(false)
    const { ownerId, headers } = await api.newOwner()
    await api.newWebhook(headers, { url: 'https://dead.example.com/', events: ['job.funded'] })
    await api.tell(...Array.from({ length: MAX_FAILURES_IN_ROW }, () => jobFunded(ownerId)))
    await api.queue.runAllNow({ onlyDue: true })
    await api.newWebhook(headers, { url: 'https://other.example.com/' })
    await api.tell(jobFunded(ownerId))
    await api.queue.runAllNow({ onlyDue: true })
    expect([countSent('dead.example.com'), countSent('other.example.com')]).toEqual([MAX_FAILURES_IN_ROW, 1])
    api.clock.advance(61)
    await api.tell(jobFunded(ownerId))
    await api.queue.runAllNow({ onlyDue: true })
    expect(countSent('dead.example.com')).toBe(MAX_FAILURES_IN_ROW + 1)
  })
})

describe('what an owner orders is limited', () => {
  test('to a few tests a minute over all webhooks, also when many are asked for at once', async () => {
    responseOf = () => ok
    await start(false)
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
    api.clock.advance(61)
    expect((await api.call('POST', `/${hooks[0].id}/test`, headers)).statusCode).toBe(202)
  })

  test('to more redeliveries, which no test uses up', async () => {
    responseOf = () => ok
    await start(false)
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
