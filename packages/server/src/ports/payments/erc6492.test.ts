import fc from 'fast-check'
import { serializeErc6492Signature } from 'viem'
import { expect, test } from 'vitest'
import { unwrapSignature } from './erc6492.ts'
import type { Hex } from './port.ts'

const bytes = (constraints: { minLength: number; maxLength: number }) =>
  fc.uint8Array(constraints).map((given): Hex => `0x${Buffer.from(given).toString('hex')}`)
const magic = '6492'.repeat(16)

test('what was wrapped comes out again', () => {
  const parts = fc.record({
    address: bytes({ minLength: 20, maxLength: 20 }),
    data: bytes({ minLength: 0, maxLength: 200 }),
    signature: bytes({ minLength: 1, maxLength: 200 }),
  })
  fc.assert(
    fc.property(parts, ({ address, data, signature }) => {
      const wrapped = serializeErc6492Signature({ address, data, signature })
      expect(unwrapSignature(wrapped)).toEqual({ factory: address, factoryData: data, signature })
    }),
    { seed: 6492 },
  )
})

test('a plain signature is not wrapped, and a broken wrapping is none', () => {
  expect(unwrapSignature(`0x${'5c'.repeat(65)}`)).toBeUndefined()
  fc.assert(
    fc.property(bytes({ minLength: 0, maxLength: 300 }), (body) => {
      const read = unwrapSignature(`${body}${magic}`)
      if (read) expect(body.length).toBeGreaterThan(read.factoryData.length + read.signature.length)
    }),
    { seed: 6492 },
  )
})
