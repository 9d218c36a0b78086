import { notificationTypes, webhookEventTypes } from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import { checkUrl } from '../../platform/outbound/target-url.ts'
import { eventTypeOf, RETRY_DELAYS_SECONDS } from './rules.ts'

test('every event type but the test comes from some notification', () => {
  const reached = new Set(notificationTypes.map((type) => eventTypeOf[type]))
  expect(webhookEventTypes.filter((type) => !reached.has(type))).toEqual(['webhook.test'])
})

test('the pauses grow and last about three days', () => {
  const total = RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0)
  expect(total / 86_400).toBeGreaterThan(2.9)
  expect(total / 86_400).toBeLessThanOrEqual(3)
})

describe('URLs', () => {
  const check = (url: string, allowsLocal: boolean) => () => checkUrl(url, { allowsLocal })

  test.each([
    'http://example.com/',
    'https://localhost/',
    'https://api.localhost/',
    'https://localhost./',
    'https://127.1/',
    'https://0x7f000001/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://user@example.com/',
  ])('%s is refused in production', (url) => {
    expect(check(url, false)).toThrow('url ')
  })

  test.each([
    'https://10.0.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/',
    'https://a:b@example.com/',
  ])('%s is refused in the sandbox too', (url) => {
    expect(check(url, true)).toThrow('url ')
  })

  test('public ones pass, without their fragment; local ones pass in the sandbox', () => {
    expect(check('https://EXAMPLE.com/a?b=c#d', false)()).toBe('https://example.com/a?b=c')
    expect(check('https://8.8.8.8/', false)()).toBe('https://8.8.8.8/')
    expect(check('http://localhost:3000/hook', true)()).toBe('http://localhost:3000/hook')
    expect(check('http://127.0.0.1:3000/hook', true)()).toBe('http://127.0.0.1:3000/hook')
  })
})
