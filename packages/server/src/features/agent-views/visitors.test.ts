import { describe, expect, test } from 'vitest'
import { createVisitors, isBot } from './visitors.ts'

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

test.each([
  [chrome, false],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
    false,
  ],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Mozilla/5.0 (compatible; bingbot/2.0)', true],
  ['facebookexternalhit/1.1', true],
  ['curl/8.5.0', true],
  ['python-requests/2.32', true],
  [undefined, true],
])('%s is a bot: %s', (userAgent, expected) => {
  expect(isBot(userAgent)).toBe(expected)
})

describe('a visitor', () => {
  test('is new once a day, for each agent and part', () => {
    const { isNew } = createVisitors()
    expect(isNew('2026-11-15', ['c1', 'PROFILE', 'ada'])).toBe(true)
    expect(isNew('2026-11-15', ['c1', 'PROFILE', 'ada'])).toBe(false)
    expect(isNew('2026-11-15', ['c1', 'HIRE_FORM', 'ada'])).toBe(true)
    expect(isNew('2026-11-15', ['c2', 'PROFILE', 'ada'])).toBe(true)
    expect(isNew('2026-11-15', ['c1', 'PROFILE', 'bob'])).toBe(true)
    expect(isNew('2026-11-16', ['c1', 'PROFILE', 'ada'])).toBe(true)
  })

  test('is forgotten when there are too many', () => {
    const { isNew } = createVisitors(3)
    for (const name of ['ada', 'bob', 'cyd']) expect(isNew('2026-11-15', [name])).toBe(true)
    expect(isNew('2026-11-15', ['dan'])).toBe(true)
    expect(isNew('2026-11-15', ['ada'])).toBe(true)
    expect(isNew('2026-11-15', ['dan'])).toBe(false)
  })
})
