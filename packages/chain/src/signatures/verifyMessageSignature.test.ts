import fc from 'fast-check'
import { bytesToHex, hashMessage, hexToBytes, verifyMessage } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  type RecoverPublicKey,
  recoverPublicKeyInJavaScript,
  recoverPublicKeyNatively,
} from './recoverPublicKey.ts'
import {
  type MessageSignature,
  verifyMessageSignature,
  verifyMessageSignatureWith,
} from './verifyMessageSignature.ts'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const FIELD_PRIME = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn
const HALF_ORDER = CURVE_ORDER >> 1n

const key = `0x${'4c0883a69102937d6231471b5dbb6204fe512961708279f1d0b1c5e6a7f8b9ca'}` as const
const account = privateKeyToAccount(key)

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

const partsOf = (signature: string) => ({
  r: BigInt(`0x${signature.slice(2, 66)}`),
  s: BigInt(`0x${signature.slice(66, 130)}`),
  v: Number.parseInt(signature.slice(130), 16),
})

const join = (r: bigint, s: bigint, v: number): string =>
  `0x${word(r)}${word(s)}${v.toString(16).padStart(2, '0')}`

const highSTwinOf = (signature: string): string => {
  const { r, s, v } = partsOf(signature)
  return join(r, CURVE_ORDER - s, v === 27 ? 28 : 27)
}

const compactOf = (signature: string): string => {
  const { r, s, v } = partsOf(signature)
  return `0x${word(r)}${word(s | (BigInt(v - 27) << 255n))}`
}

const viemVerdict = async ({ address, message, signature }: MessageSignature): Promise<boolean> => {
  try {
    return await verifyMessage({
      address: address as `0x${string}`,
      message,
      signature: signature as `0x${string}`,
    })
  } catch {
    return false
  }
}

const engines: [string, RecoverPublicKey][] = [['javascript', recoverPublicKeyInJavaScript]]
if (recoverPublicKeyNatively) engines.push(['native', recoverPublicKeyNatively])

describe.each(engines)('%s curve', (_, recover) => {
  const verify = (parameters: MessageSignature) => verifyMessageSignatureWith(recover, parameters)

  test('accepts what the key signed, and nothing else', async () => {
    const message = 'example.org wants you to sign in: Grüße, 世界 \u0000 \ud83d\ude80'
    const signature = await account.signMessage({ message })
    const { address } = account
    expect(await verify({ address, message, signature })).toBe(true)
    expect(await verify({ address: address.toLowerCase(), message, signature })).toBe(true)
    expect(await verify({ address, message: `${message} `, signature })).toBe(false)
    expect(await verify({ address: '0x0000000000000000000000000000000000000001', message, signature })).toBe(
      false,
    )
  })

  test("hand-picked shapes get viem's verdict", async () => {
    const message = ''
    const signature = await account.signMessage({ message })
    const { r, s, v } = partsOf(signature)
    const bit = v - 27
    const shapes: Record<string, [string, boolean]> = {
      'v as 27 or 28': [signature, true],
      'v as 0 or 1': [join(r, s, bit), true],
      'v as one nibble': [`0x${word(r)}${word(s)}${bit}`, true],
      'upper case digits': [`0x${signature.slice(2).toUpperCase()}`, true],
      'high-s twin': [highSTwinOf(signature), true],
      'wrong recovery bit': [join(r, s, 28 - bit), false],
      'v of EIP-155': [join(r, s, 37 + bit), false],
      'v 2': [join(r, s, 2), false],
      'v 29': [join(r, s, 29), false],
      'compact EIP-2098': [compactOf(signature), false],
      'no v': [`0x${word(r)}${word(s)}`, false],
      'r zero': [join(0n, s, v), false],
      's zero': [join(r, 0n, v), false],
      'r at the curve order': [join(CURVE_ORDER, s, v), false],
      's at the curve order': [join(r, CURVE_ORDER, v), false],
      'r at the field prime': [join(FIELD_PRIME, s, v), false],
      '66 bytes': [`${signature}00`, false],
      'no prefix': [signature.slice(2), false],
      'not hex': [`0x${'zz'.repeat(65)}`, false],
      empty: ['', false],
      'prefix alone': ['0x', false],
    }
    for (const [name, [shape, expected]] of Object.entries(shapes)) {
      const parameters = { address: account.address, message, signature: shape }
      expect(await verify(parameters), name).toBe(expected)
      expect(await viemVerdict(parameters), `viem: ${name}`).toBe(expected)
    }
  })

  test('malformed addresses are a no', async () => {
    const message = 'hello'
    const signature = await account.signMessage({ message })
    for (const address of ['', '0x', account.address.slice(2), `${account.address}00`, 'vitalik.eth']) {
      expect(await verify({ address, message, signature })).toBe(false)
    }
  })

  const mutated = fc.record({
    privateKey: fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => {
      const scalar = BigInt(bytesToHex(bytes))
      return scalar > 0n && scalar < CURVE_ORDER
    }),
    message: fc.string({ unit: 'binary', maxLength: 80 }),
    mutate: fc.oneof(
      fc.constant((signature: string) => signature),
      fc.constant(highSTwinOf),
      fc.constant(compactOf),
      fc.integer({ min: 0, max: 255 }).map((v) => (signature: string) => {
        const { r, s } = partsOf(signature)
        return join(r, s, v)
      }),
      fc
        .integer({ min: 0, max: 140 })
        .map((length) => (signature: string) => signature.padEnd(140, '0').slice(0, length)),
      fc.tuple(fc.integer({ min: 2, max: 131 }), fc.constantFrom(...'0123456789abcdefxg')).map(
        ([at, digit]) =>
          (signature: string) =>
            signature.slice(0, at) + digit + signature.slice(at + 1),
      ),
      fc
        .tuple(
          fc.constantFrom(
            0n,
            1n,
            HALF_ORDER,
            HALF_ORDER + 1n,
            CURVE_ORDER - 1n,
            CURVE_ORDER,
            CURVE_ORDER + 1n,
            FIELD_PRIME - 1n,
          ),
          fc.boolean(),
        )
        .map(([value, replaceR]) => (signature: string) => {
          const { r, s, v } = partsOf(signature)
          return replaceR ? join(value, s, v) : join(r, value, v)
        }),
      fc.string({ unit: 'binary', maxLength: 140 }).map((text) => () => text),
    ),
  })

  const sameVerdict = fc.asyncProperty(mutated, async ({ privateKey, message, mutate }) => {
    const secret = bytesToHex(privateKey)
    const { address } = privateKeyToAccount(secret)
    const signature = mutate(await sign({ hash: hashMessage(message), privateKey: secret, to: 'hex' }))
    const parameters = { address, message, signature }
    expect(await verify(parameters)).toBe(await viemVerdict(parameters))
  })

  test("every mutated signature gets viem's verdict", () => fc.assert(sameVerdict, { numRuns: 300 }))
})

test('the default picks the native curve where it loads, and verifies', async () => {
  const message = 'which curve'
  const signature = await account.signMessage({ message })
  expect(hexToBytes(signature)).toHaveLength(65)
  expect(await verifyMessageSignature({ address: account.address, message, signature })).toBe(true)
})
