import { rateLimitsPerMinute } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/test-clock.ts'
import { createTokenGuesses } from './token-guesses.ts'

const refusal = expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds: 60 } })

async function guess(guesses: ReturnType<typeof createTokenGuesses>, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await guesses.missed(`wrong ${index}`, 'here')
}

test('a token that was not there is not looked up again; another is', async () => {
  const guesses = createTokenGuesses({ clock: createTestClock(), areLimited: true })
  expect(guesses.isMissing('wrong')).toBe(false)
  await guesses.missed('wrong', 'here')
  expect([guesses.isMissing('wrong'), guesses.isMissing('another')]).toEqual([true, false])
})

test('an address that guesses is refused until its minute is over, others are not', async () => {
  const clock = createTestClock()
  const guesses = createTokenGuesses({ clock, areLimited: true })
  await guess(guesses, rateLimitsPerMinute.api - 1)
  expect(() => guesses.checkAddress('new', 'here')).not.toThrow()
  await guesses.missed('the last', 'here')
  expect(() => guesses.checkAddress('new', 'here')).toThrow(refusal)
  expect(() => guesses.checkAddress('new', 'elsewhere')).not.toThrow()
  clock.advance(60)
  expect(() => guesses.checkAddress('new', 'here')).not.toThrow()
})

test('a token that works is let through from an address that guesses', async () => {
  const guesses = createTokenGuesses({ clock: createTestClock(), areLimited: true })
  guesses.found('good')
  await guess(guesses, rateLimitsPerMinute.api)
  expect(() => guesses.checkAddress('good', 'here')).not.toThrow()
  expect(() => guesses.checkAddress('new', 'here')).toThrow(refusal)
})

test('nobody is refused where limits are off', async () => {
  const guesses = createTokenGuesses({ clock: createTestClock(), areLimited: false })
  await guess(guesses, rateLimitsPerMinute.api)
  expect(() => guesses.checkAddress('new', 'here')).not.toThrow()
})
