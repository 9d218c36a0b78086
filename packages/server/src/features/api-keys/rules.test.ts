import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashKey, isApiKey, isKeySession, isWellFormed, keyIdOf, makeKey, sessionIdOf } from './rules.ts'

test('a key is 160 random bits behind its mark, and is kept as a hash and six of its digits', () => {
  const { key, prefix, hash } = makeKey()
  expect(key).toMatch(/^amk_[0-9a-f]{40}$/)
  expect(prefix).toBe(key.slice(0, 10))
  expect(Buffer.from(hash).toString('hex')).toBe(createHash('sha256').update(key).digest('hex'))
  expect(hashKey(key)).toEqual(hash)
  expect(makeKey().key).not.toBe(key)
})

test('a token is taken for a key by its mark, and looked up only where it could be one', () => {
  const good = `amk_${'0f'.repeat(20)}`
  expect([good, 'amk_', 'amk_short'].map(isApiKey)).toEqual([true, true, true])
  expect(['', 'eyJhbGciOi', `x${good}`].map(isApiKey)).toEqual([false, false, false])
  expect(isWellFormed(good)).toBe(true)
  for (const wrong of [
    '',
    'amk_',
    `${good}0`,
    good.slice(0, -1),
    `x${good}`,
    good.toUpperCase(),
    `amk_${'0g'.repeat(20)}`,
  ])
    expect(isWellFormed(wrong), wrong).toBe(false)
})

test('a key stands for a session of its own, recognised by its name', () => {
  expect(sessionIdOf('c1')).toBe('api-key:c1')
  expect(keyIdOf(sessionIdOf('c1'))).toBe('c1')
  expect([isKeySession(sessionIdOf('c1')), isKeySession('c1'), isKeySession('x-api-key:c1')]).toEqual([
    true,
    false,
    false,
  ])
})
