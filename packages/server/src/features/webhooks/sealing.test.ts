import { expect, test } from 'vitest'
import { createSealer } from './sealing.ts'

test('a sealed secret opens with the same key for the same webhook, and in no other way', () => {
  const sealer = createSealer('one key')
  const sealed = sealer.seal('whsec_abc', 'w1')
  expect(sealer.open(sealed, 'w1')).toBe('whsec_abc')
  expect(sealed).not.toBe(sealer.seal('whsec_abc', 'w1'))
  expect(() => sealer.open(sealed, 'w2')).toThrow()
  expect(() => createSealer('another key').open(sealed, 'w1')).toThrow()
  const changed = Buffer.from(sealed, 'base64url')
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(() => sealer.open(changed.toString('base64url'), 'w1')).toThrow()
})
