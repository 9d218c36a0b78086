import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook } from './verifyWebhook.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({
  type: 'job.funded',
  timestamp: '2026-11-15T12:00:00.000Z',
  data: { jobId: 'c1' },
})

/** As the text of Standard Webhooks says, by other code than that under test. */
function signed(message: string, key: string, secondsAgo = 0): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo
  const digest = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    .update(`evt_1.${timestamp}.${message}`)
    .digest('base64')
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${digest}`,
  }
}

const codeOf = (message: Parameters<typeof verifyWebhook>[0]): unknown => {
  try {
    return verifyWebhook(message)
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('reads what is signed, from headers of either kind', () => {
  const headers = signed(body, secret)
  const event = {
    id: 'evt_1',
    type: 'job.funded',
    timestamp: '2026-11-15T12:00:00.000Z',
    data: { jobId: 'c1' },
  }
  expect(verifyWebhook({ body, headers, secret })).toEqual(event)
  expect(verifyWebhook({ body, headers: new Headers(headers), secret })).toEqual(event)
})

test('while a secret is rotated, either of the two verifies', () => {
  const old = `whsec_${randomBytes(32).toString('base64')}`
  const headers = signed(body, secret)
  const both = `${signed(body, old)['webhook-signature']} ${headers['webhook-signature']}`
  for (const known of [old, secret]) {
    const message = { body, headers: { ...headers, 'webhook-signature': both }, secret: known }
    expect(verifyWebhook(message).id).toBe('evt_1')
  }
})

test('rejects what was changed, is signed by others, is old, or has no signature', () => {
  const headers = signed(body, secret)
  const other = `whsec_${randomBytes(32).toString('base64')}`
  expect(codeOf({ body: `${body} `, headers, secret })).toBe('UNAUTHORIZED')
  expect(codeOf({ body, headers, secret: other })).toBe('UNAUTHORIZED')
  expect(codeOf({ body, headers: { ...headers, 'webhook-id': 'evt_2' }, secret })).toBe('UNAUTHORIZED')
  expect(codeOf({ body, headers: signed(body, secret, 3600), secret })).toBe('UNAUTHORIZED')
  expect(codeOf({ body, headers: signed(body, secret, -3600), secret })).toBe('UNAUTHORIZED')
  expect(codeOf({ body, headers: {}, secret })).toBe('UNAUTHORIZED')
})
