import { WebhookNotification } from '@agent-marketplace/contract'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { countValidSignatures, respondWith } from '../../../testing/processes/start-receiver.ts'
import { RETRY_DELAYS_SECONDS } from '../rules.ts'
import { jobFunded, startWebhooks } from '../testing/start-webhooks.ts'

let api: Awaited<ReturnType<typeof startWebhooks>>
beforeAll(async () => {
  api = await startWebhooks()
})
afterAll(() => api.close())
beforeEach(() => {
  api.receiver.received.length = 0
  api.receiver.respondWith(respondWith(204))
})

const onlyDue = { onlyDue: true }

function countStatements(tx: Queryable) {
  const statements: string[] = []
  const heard = (statement: Sql) => {
    statements.push(statement.text)
    return statement
  }
  const counted: Queryable = {
    rows: (statement) => tx.rows(heard(statement)),
    one: (statement) => tx.one(heard(statement)),
    maybeOne: (statement) => tx.maybeOne(heard(statement)),
    run: (statement) => tx.run(heard(statement)),
    afterCommit: tx.afterCommit,
  }
  return { counted, statements }
}

describe('an event', () => {
  test('arrives signed, with its id, as JSON', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id, secret } = await api.newWebhook(headers)
    await api.tell(jobFunded(ownerId))
    await api.queue.runAllNow(onlyDue)

    const [message, ...rest] = api.receiver.received
    if (!message) throw new Error('nothing arrived')
    expect(rest).toEqual([])
    const [delivery] = await api.logOf(headers, id)
    const nowSeconds = Math.floor(api.wallClock.now().getTime() / 1000)
    expect(message).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: {
        'content-type': 'application/json',
        'webhook-id': delivery.eventId,
        'webhook-timestamp': String(nowSeconds),
      },
    })
    expect(Check(WebhookNotification, JSON.parse(message.body))).toBe(true)
    expect(JSON.parse(message.body)).toEqual({
      type: 'job.funded',
      timestamp: api.wallClock.now().toISOString(),
      data: {
        notificationType: 'JOB_FUNDED',
        title: 'Job funded',
        message: 'The money is in escrow.',
        link: '/jobs/cjob',
      },
    })
    expect(countValidSignatures(message, secret)).toBe(1)
    expect(countValidSignatures({ ...message, body: `${message.body} ` }, secret)).toBe(0)
    expect(delivery).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      webhookId: id,
      eventId: expect.stringMatching(/^evt_/),
      eventType: 'job.funded',
      status: 'DELIVERED',
      attempts: 1,
      responseStatus: 204,
      error: null,
      nextAttemptAt: null,
      createdAt: api.wallClock.now().toISOString(),
    })
  })

  test('costs as many statements alone as with nine others in its transaction', async () => {
    const owners = await Promise.all(Array.from({ length: 5 }, () => api.newOwner()))
    for (const { headers } of owners) {
      await api.newWebhook(headers)
      await api.newWebhook(headers)
    }
    const notices = [...owners, ...owners].map(({ ownerId }) => jobFunded(ownerId))
    const countOf = (told: typeof notices) =>
      api.db.transaction(async (tx) => {
        const { counted, statements } = countStatements(tx)
        await api.notify(counted, ...told)
        // The feed's own are counted in its tests.
        return statements.filter((text) => !/notif/.test(text)).length
      })
    const alone = await countOf(notices.slice(0, 1))
    expect(alone).toBeLessThanOrEqual(4)
    expect(await countOf(notices)).toBe(alone)
    await api.queue.runAllNow(onlyDue)
    expect(api.receiver.received).toHaveLength(2 + 20)
  })

  test('goes to each webhook that wants it, with one id, and to nobody else’s', async () => {
    const [mine, theirs] = [await api.newOwner(), await api.newOwner()]
    const wanting = await api.newWebhook(mine.headers, { events: ['job.funded'] })
    const all = await api.newWebhook(mine.headers)
    const other = await api.newWebhook(mine.headers, { events: ['kyc.updated'] })
    const off = await api.newWebhook(mine.headers)
    await api.call('PATCH', `/${off.id}`, mine.headers, { active: false })
    const foreign = await api.newWebhook(theirs.headers)
    await api.tell(jobFunded(mine.ownerId))
    await api.queue.runAllNow(onlyDue)
    expect(api.receiver.received).toHaveLength(2)
    expect(new Set(api.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    for (const { id } of [wanting, all]) expect(await api.logOf(mine.headers, id)).toHaveLength(1)
    for (const { id } of [other, off]) expect(await api.logOf(mine.headers, id)).toEqual([])
    expect(await api.logOf(theirs.headers, foreign.id)).toEqual([])
  })

  test('is not sent when its transaction rolls back', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    const failing = api.db.transaction(async (tx) => {
      await api.notify(tx, jobFunded(ownerId))
      throw new Error('it was not meant')
    })
    await expect(failing).rejects.toThrow('it was not meant')
    await api.queue.runAllNow()
    expect(api.receiver.received).toEqual([])
    expect(await api.logOf(headers, id)).toEqual([])
  })

  test('is sent once however often its job comes', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    await api.tell(jobFunded(ownerId))
    const [delivery] = await api.logOf(headers, id)
    const order = { deliveryId: delivery.id, attempt: 1 }
    await api.queue.enqueue(api.db, 'webhook-delivery', order)
    await api.queue.enqueue(api.db, 'webhook-delivery', order)
    await api.queue.runAllNow()
    expect(api.receiver.received).toHaveLength(1)
  })

  test('sends alerts too', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    await api.tell({ ownerId, type: 'SYSTEM_ALERT', title: 'Alert', message: 'Look.' })
    await api.queue.runAllNow()
    expect(await api.logOf(headers, id)).toMatchObject([{ eventType: 'system.alert', status: 'DELIVERED' }])
  })
})

describe('a failure', () => {
  test('is tried again after the pauses, with the same id and bytes and a new time, until it gets through', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id, secret } = await api.newWebhook(headers)
    api.receiver.respondWith(respondWith(500, 'out of\u0000 order\n'))
    await api.tell(jobFunded(ownerId))
    await api.queue.runAllNow(onlyDue)
    expect(await api.logOf(headers, id)).toMatchObject([
      {
        status: 'PENDING',
        attempts: 1,
        responseStatus: 500,
        error: 'The receiver returned 500.',
        nextAttemptAt: addSeconds(api.wallClock.now(), RETRY_DELAYS_SECONDS[0]).toISOString(),
      },
    ])
    // The pause is not over: nothing is due.
    await api.queue.runAllNow(onlyDue)
    expect(api.receiver.received).toHaveLength(1)

    api.wallClock.advance(30)
    api.receiver.respondWith(respondWith(200, 'thanks'))
    await api.queue.runAllNow()
    const [first, second] = api.receiver.received
    if (!first || !second) throw new Error('two were expected')
    expect(second.body).toBe(first.body)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp'])).toBe(30)
    expect(countValidSignatures(second, secret)).toBe(1)
    expect(await api.logOf(headers, id)).toMatchObject([
      { status: 'DELIVERED', attempts: 2, responseStatus: 200, error: null, nextAttemptAt: null },
    ])
  })

  test('for three days switches the webhook off, once, and says so', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    api.receiver.respondWith(respondWith(503))
    await api.tell(jobFunded(ownerId, 'first'), jobFunded(ownerId, 'second'))
    await api.queue.runAllNow()
    const log = await api.logOf(headers, id)
    const attempts = RETRY_DELAYS_SECONDS.length + 1
    expect(log).toContainEqual(expect.objectContaining({ status: 'FAILED', attempts, responseStatus: 503 }))
    expect(log.every(({ status }: { status: string }) => status === 'FAILED')).toBe(true)
    expect((await api.call('GET', '', headers)).json().data).toMatchObject([{ active: false }])
    const alerts = (await api.notificationsOf(ownerId)).filter(({ type }) => type === 'SYSTEM_ALERT')
    expect(alerts).toHaveLength(1)
    expect(alerts[0]?.message).toContain(`127.0.0.1:${api.receiver.port}`)

    api.receiver.received.length = 0
    await api.tell(jobFunded(ownerId, 'third'))
    await api.queue.runAllNow()
    expect(api.receiver.received).toEqual([])
  })

  test('of one event among successes leaves the webhook on', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    api.receiver.respondWith(respondWith(500))
    await api.tell(jobFunded(ownerId, 'bad'))
    await api.queue.runAllNow(onlyDue)
    api.wallClock.advance(60)
    api.receiver.respondWith(respondWith(200))
    await api.call('POST', `/${id}/test`, headers)
    await api.queue.runAllNow(onlyDue)
    api.receiver.respondWith(respondWith(500))
    await api.queue.runAllNow()
    expect(await api.logOf(headers, id)).toMatchObject([{ status: 'DELIVERED' }, { status: 'FAILED' }])
    expect((await api.call('GET', '', headers)).json().data).toMatchObject([{ active: true }])
    expect((await api.notificationsOf(ownerId)).map(({ type }) => type)).toEqual(['JOB_FUNDED'])
  })

  test('with 410 switches the webhook off at once', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    api.receiver.respondWith(respondWith(410))
    await api.tell(jobFunded(ownerId))
    await api.queue.runAllNow()
    expect(api.receiver.received).toHaveLength(1)
    expect(await api.logOf(headers, id)).toMatchObject([
      { status: 'FAILED', attempts: 1, responseStatus: 410 },
    ])
    expect((await api.call('GET', '', headers)).json().data).toMatchObject([{ active: false }])
  })

  test('is found again when its job was lost', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    await api.tell(jobFunded(ownerId))
    await api.db.run(sql`delete from pgboss.job where name = 'webhook-delivery'`)
    await api.queue.runAllNow()
    expect(api.receiver.received).toEqual([])
    api.wallClock.advance(16 * 60)
    await api.queue.runAllNow()
    expect(await api.logOf(headers, id)).toMatchObject([{ status: 'DELIVERED' }])
  })

  test('is found again even behind very many of another owner', async () => {
    const [crowd, other] = [await api.newOwner(), await api.newOwner()]
    for (const { headers, ownerId } of [crowd, other]) {
      await api.newWebhook(headers)
      await api.tell(jobFunded(ownerId))
    }
    await api.db.run(sql`
      insert into webhook_deliveries (id, webhook_id, event_id, event_type, body, next_attempt_at, created_at)
      select d.id || n, webhook_id, event_id, event_type, body, next_attempt_at - interval '1 hour', d.created_at
      from webhook_deliveries d join webhooks w on w.id = webhook_id, generate_series(1, 1000) n
      where w.owner_id = ${crowd.ownerId}`)
    await api.db.run(sql`delete from pgboss.job where name = 'webhook-delivery'`)
    api.wallClock.advance(16 * 60)
    await api.queue.runTicks(['webhooks-upkeep'])
    const queued = await api.db.rows(sql`
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id
        join pgboss.job on data ->> 'deliveryId' = d.id
      where w.owner_id = ${other.ownerId}`)
    expect(queued).toHaveLength(1)
    await api.db.run(sql`delete from webhooks where owner_id = any(${[crowd.ownerId, other.ownerId]})`)
    await api.db.run(sql`delete from pgboss.job where name = 'webhook-delivery'`)
  })
})

test.each(['SUSPENDED', 'DEACTIVATED'])(
  'nothing is sent for a %s account, also not what waited',
  async (status) => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    await api.tell(jobFunded(ownerId, 'before'))
    await api.db.run(sql`update owners set account_status = ${status} where id = ${ownerId}`)
    await api.tell(jobFunded(ownerId, 'after'))
    await api.queue.runAllNow()
    expect(api.receiver.received).toEqual([])
    await api.db.run(sql`update owners set account_status = 'ACTIVE' where id = ${ownerId}`)
    expect(await api.logOf(headers, id)).toMatchObject([
      { status: 'FAILED', attempts: 1, error: 'Not sent: the account is suspended or deactivated.' },
    ])
    await api.tell(jobFunded(ownerId, 'again'))
    await api.queue.runAllNow()
    expect(api.receiver.received).toHaveLength(1)
  },
)

test('one rotation repairs a webhook whose secret was sealed under a key that is gone', async () => {
  const { ownerId, headers } = await api.newOwner()
  const [{ id }, other] = [
    await api.newWebhook(headers),
    await api.newWebhook(headers, { events: ['kyc.updated'] }),
  ]
  // A seal belongs to its webhook: that of another one opens as little as one under a lost key.
  await api.db.run(sql`
    update webhooks set sealed_secret = (select sealed_secret from webhooks where id = ${other.id}) where id = ${id}`)
  const { secret } = (await api.call('POST', `/${id}/rotate-secret`, headers)).json().data
  await api.tell(jobFunded(ownerId))
  await api.queue.runAllNow(onlyDue)
  const [message] = api.receiver.received
  if (!message) throw new Error('nothing arrived')
  expect(countValidSignatures(message, secret)).toBe(1)
})

test('after a rotation both secrets sign for a day, then the new one alone', async () => {
  const { ownerId, headers } = await api.newOwner()
  const { id, secret: old } = await api.newWebhook(headers)
  const { secret: fresh } = (await api.call('POST', `/${id}/rotate-secret`, headers)).json().data
  await api.tell(jobFunded(ownerId))
  await api.queue.runAllNow(onlyDue)
  api.wallClock.advance(24 * 3600)
  await api.tell(jobFunded(ownerId))
  await api.queue.runAllNow(onlyDue)
  const counts = api.receiver.received.map((message) =>
    [fresh, old].map((secret) => countValidSignatures(message, secret)),
  )
  expect(counts).toEqual([
    [1, 1],
    [1, 0],
  ])
})

describe('on the owner’s order', () => {
  test('a test event is sent once, also when the webhook is off, and its response shows', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id, secret } = await api.newWebhook(headers, { events: ['job.funded'] })
    await api.call('PATCH', `/${id}`, headers, { active: false })
    api.receiver.respondWith(respondWith(404, 'no such hook'))
    const response = await api.call('POST', `/${id}/test`, headers)
    expect(response.statusCode).toBe(202)
    expect(response.json().data).toMatchObject({ eventType: 'webhook.test', status: 'PENDING', attempts: 0 })
    await api.queue.runAllNow()
    const [message] = api.receiver.received
    if (!message) throw new Error('nothing arrived')
    expect(api.receiver.received).toHaveLength(1)
    expect(countValidSignatures(message, secret)).toBe(1)
    expect(await api.logOf(headers, id)).toMatchObject([
      { status: 'FAILED', attempts: 1, error: 'The receiver returned 404.' },
    ])
    expect(await api.notificationsOf(ownerId)).toEqual([])
  })

  test('an event is sent again under the same id, and the log keeps both', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    await api.tell(jobFunded(ownerId))
    await api.queue.runAllNow(onlyDue)
    const [first] = await api.logOf(headers, id)
    const response = await api.call('POST', `/${id}/deliveries/${first.id}/redeliver`, headers)
    expect(response.statusCode).toBe(202)
    expect(response.json().data).toMatchObject({ eventId: first.eventId, status: 'PENDING' })
    await api.queue.runAllNow(onlyDue)
    const [one, two] = api.receiver.received
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
    expect(two?.body).toBe(one?.body)
    const log = await api.logOf(headers, id)
    expect(log.map(({ id: deliveryId }: { id: string }) => deliveryId)).toEqual([
      response.json().data.id,
      first.id,
    ])
    const delivered = await api.call('GET', `/${id}/deliveries?status=DELIVERED&limit=1`, headers)
    expect(delivered.json().data).toMatchObject({ total: 2, limit: 1, offset: 0 })
    const failed = await api.call('GET', `/${id}/deliveries?status=FAILED`, headers)
    expect(failed.json().data).toMatchObject({ deliveries: [], total: 0 })
  })
})

test('the log is kept for thirty days', async () => {
  const { ownerId, headers, wallet } = await api.newOwner()
  const { id } = await api.newWebhook(headers)
  await api.tell(jobFunded(ownerId))
  await api.queue.runAllNow(onlyDue)
  api.wallClock.advance(30 * 24 * 3600)
  await api.queue.runAllNow()
  // The session of that time has run out.
  const { headers: newHeaders } = await api.newOwner({ wallet })
  expect(await api.logOf(newHeaders, id)).toHaveLength(1)
  api.wallClock.advance(1)
  await api.queue.runAllNow()
  expect(await api.logOf(newHeaders, id)).toEqual([])
})
