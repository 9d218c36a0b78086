import fc from 'fast-check'
import { bytesToHex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { keccak, keccakOfHex } from './keccak.ts'

/** Bytes that one permutation takes in. */
const RATE = 136

const hexOf = (bytes: Uint8Array) => bytesToHex(keccak(bytes))

test('hashes as viem does, whatever the length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4 * RATE }), (bytes) => {
      expect(hexOf(bytes)).toBe(keccak256(bytes))
      expect(keccakOfHex(bytesToHex(bytes))).toBe(keccak256(bytes))
    }),
    { numRuns: 200 },
  )
})

test.each([0, 1, RATE - 2, RATE - 1, RATE, RATE + 1, 2 * RATE - 1, 2 * RATE, 200_000])(
  'hashes %i bytes, and what comes after them',
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index % 251)
    expect(hexOf(bytes)).toBe(keccak256(bytes))
    expect(hexOf(Uint8Array.of(1))).toBe(keccak256('0x01'))
  },
)

test('a hash stays as it is when the next one is computed', () => {
  const first = keccak(Uint8Array.of(1))
  keccak(Uint8Array.of(2))
  expect(bytesToHex(first)).toBe(keccak256('0x01'))
})
