import { expect, test, vi } from 'vitest'
import { randomKey } from './randomKey.ts'

test('works where the browser has no randomUUID, and never twice the same', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const keys = Array.from({ length: 1_000 }, randomKey)
  vi.unstubAllGlobals()
  expect(new Set(keys).size).toBe(1_000)
  expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true)
})
