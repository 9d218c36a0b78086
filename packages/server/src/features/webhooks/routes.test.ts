import { MAX_BODY_BYTES } from '@agent-marketplace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { jobFunded, startWebhooks } from './testing/start-webhooks.ts'

let api: Awaited<ReturnType<typeof startWebhooks>>
beforeAll(async () => {
  api = await startWebhooks()
})
afterAll(() => api.close())

describe('the secret', () => {
  test('is shown at the creation and never again, and is not readable in the database', async () => {
    const { headers } = await api.newOwner()
    const response = await api.call('POST', '', headers, {
      url: 'https://example.com/hooks',
      events: ['job.funded'],
      description: 'Accounting',
    })
    expect(response.statusCode).toBe(201)
    const { secret, ...shown } = response.json().data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      url: 'https://example.com/hooks',
      events: ['job.funded'],
      description: 'Accounting',
      active: true,
      createdAt: api.wallClock.now().toISOString(),
    })
    const list = await api.call('GET', '', headers)
    expect(list.json()).toEqual({ data: [shown] })
    const stored = await api.db.one<{ text: string }>(
      sql`select row_to_json(webhooks)::text as text from webhooks where id = ${shown.id}`,
    )
    expect(stored.text).not.toContain(secret.slice('whsec_'.length))
  })

  test('is another one after a rotation', async () => {
    const { headers } = await api.newOwner()
    const { id, secret } = await api.newWebhook(headers)
    const response = await api.call('POST', `/${id}/rotate-secret`, headers)
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) })
    expect(response.json().data.secret).not.toBe(secret)
  })

  test('is the first one when the call is repeated with its key, and rests nowhere in plain', async () => {
    const { ownerId, headers } = await api.newOwner()
    const repeat = async (path: string, key: string, payload?: object) => {
      const call = () => api.call('POST', path, { ...headers, 'idempotency-key': key }, payload)
      const [first, again] = [await call(), await call()]
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect([again.statusCode, again.json()]).toEqual([first.statusCode, first.json()])
      return first.json().data
    }
    const made = await repeat('', 'make', { url: 'https://example.com/hooks' })
    const rotated = await repeat(`/${made.id}/rotate-secret`, 'rotate')
    expect(rotated.secret).not.toBe(made.secret)
    const later = await repeat('', 'make', { url: 'https://example.com/hooks' })
    expect(later).toEqual(made)
    const kept = await api.db.rows<{ response: string }>(
      sql`select answer::text as response from idempotency_keys where owner_id = ${ownerId}`,
    )
    expect(kept).toHaveLength(2)
    for (const { response } of kept) {
      expect(response).toContain(made.id)
      for (const { secret } of [made, rotated]) {
        expect(secret).toMatch(/^whsec_/)
        expect(response).not.toContain(secret.slice('whsec_'.length))
      }
    }
  })
})

describe('changing', () => {
  test('changes what is given and leaves the rest', async () => {
    const { headers } = await api.newOwner()
    const { secret: _secret, ...made } = await api.newWebhook(headers, { description: 'First' })
    const changed = await api.call('PATCH', `/${made.id}`, headers, { events: ['kyc.updated'] })
    expect(changed.json()).toEqual({ data: { ...made, events: ['kyc.updated'] } })
    const off = await api.call('PATCH', `/${made.id}`, headers, {
      active: false,
      url: 'https://example.com/b',
    })
    expect(off.json().data).toEqual({
      ...made,
      events: ['kyc.updated'],
      active: false,
      url: 'https://example.com/b',
    })
  })

  test('an empty change is a 400', async () => {
    const { headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    expect((await api.call('PATCH', `/${id}`, headers, {})).statusCode).toBe(400)
  })

  test('switching off drops what waits', async () => {
    const { ownerId, headers } = await api.newOwner()
    const { id } = await api.newWebhook(headers)
    await api.tell(jobFunded(ownerId))
    await api.call('PATCH', `/${id}`, headers, { active: false })
    const before = api.receiver.received.length
    await api.queue.runAllNow()
    expect(api.receiver.received.length).toBe(before)
    expect(await api.logOf(headers, id)).toMatchObject([
      { status: 'FAILED', attempts: 0, error: 'The webhook was switched off.', nextAttemptAt: null },
    ])
  })
})

test('removing takes the deliveries along, and what waits is not sent', async () => {
  const { ownerId, headers } = await api.newOwner()
  const { id } = await api.newWebhook(headers)
  await api.tell(jobFunded(ownerId))
  const response = await api.call('DELETE', `/${id}`, headers)
  expect(response.json()).toEqual({ data: { deleted: true } })
  const before = api.receiver.received.length
  await api.queue.runAllNow()
  expect(api.receiver.received.length).toBe(before)
  expect((await api.call('GET', `/${id}/deliveries`, headers)).statusCode).toBe(404)
  expect((await api.call('DELETE', `/${id}`, headers)).statusCode).toBe(404)
})

describe('limits', () => {
  test('409 beyond ten, also when many come at once', async () => {
    const { headers } = await api.newOwner()
    const responses = await Promise.all(
      Array.from({ length: 14 }, () => api.call('POST', '', headers, { url: 'https://example.com/' })),
    )
    const statuses = responses.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(4).fill(409)])
  })

  test('a key makes the creation happen once', async () => {
    const { headers } = await api.newOwner()
    const keyed = { ...headers, 'idempotency-key': 'k1' }
    const [first, second] = [
      await api.call('POST', '', keyed, { url: 'https://example.com/' }),
      await api.call('POST', '', keyed, { url: 'https://example.com/' }),
    ]
    expect(second.json()).toEqual(first.json())
    expect((await api.call('GET', '', headers)).json().data).toHaveLength(1)
  })

  test('413 for a body that is too large', async () => {
    const { headers } = await api.newOwner()
    const payload = { url: `https://example.com/${'x'.repeat(MAX_BODY_BYTES)}` }
    expect((await api.call('POST', '', headers, payload)).statusCode).toBe(413)
  })
})

test.each([
  ['an unknown event', { url: 'https://example.com/', events: ['job.exploded'] }],
  ['no URL', {}],
  ['another scheme', { url: 'ftp://example.com/' }],
  ['a URL that cannot be parsed', { url: 'https://exa mple.com/' }],
  ['a host that cannot be', { url: 'https://999.999.999.999/' }],
  ['a password in the URL', { url: 'https://user:secret@example.com/' }],
  ['the cloud’s metadata', { url: 'https://169.254.169.254/latest' }],
])('400 for %s', async (_name, payload) => {
  const { headers } = await api.newOwner()
  const response = await api.call('POST', '', headers, payload)
  expect(response.statusCode).toBe(400)
  expect(response.json().error.code).toBe('VALIDATION_ERROR')
})

test('401 without a credential', async () => {
  expect((await api.call('GET', '', {})).statusCode).toBe(401)
  expect((await api.call('POST', '', {}, { url: 'https://example.com/' })).statusCode).toBe(401)
})

test('another owner’s webhook is unknown to every call, and stays as it is', async () => {
  const [mine, theirs] = [await api.newOwner(), await api.newOwner()]
  const { id, secret: _secret, ...made } = await api.newWebhook(mine.headers)
  await api.tell(jobFunded(mine.ownerId))
  const [delivery] = await api.logOf(mine.headers, id)
  const calls = [
    api.call('PATCH', `/${id}`, theirs.headers, { active: false }),
    api.call('DELETE', `/${id}`, theirs.headers),
    api.call('POST', `/${id}/rotate-secret`, theirs.headers),
    api.call('POST', `/${id}/test`, theirs.headers),
    api.call('GET', `/${id}/deliveries`, theirs.headers),
    api.call('POST', `/${id}/deliveries/${delivery.id}/redeliver`, theirs.headers),
  ]
  for (const response of await Promise.all(calls)) expect(response.statusCode).toBe(404)
  const own = await api.newWebhook(theirs.headers)
  const crossed = await api.call('POST', `/${own.id}/deliveries/${delivery.id}/redeliver`, theirs.headers)
  expect(crossed.statusCode).toBe(404)
  expect((await api.call('GET', '', theirs.headers)).json().data).toMatchObject([{ id: own.id }])
  expect((await api.call('GET', '', mine.headers)).json().data).toEqual([{ id, ...made }])
  expect(await api.logOf(mine.headers, id)).toHaveLength(1)
})
