import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { bytesToHex, hexToBytes, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { nativeCurve } from '../signatures/nativeCurve.ts'
import { buildTransferAuthorization } from '../typed-data/buildTransferAuthorization.ts'
import { createNativeAccount } from './createNativeAccount.ts'

const keyBytes = fc
  .uint8Array({ minLength: 1, maxLength: 32 })
  .map((bytes) => Uint8Array.from(createHash('sha256').update(bytes).digest()))
const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes))
const words = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))
const amounts = fc.bigInt({ min: 0n, max: 2n ** 96n })

const accountsOf = (key: Uint8Array) => {
  if (!nativeCurve) throw new Error('this machine has no native curve to compare with')
  return { ours: createNativeAccount(nativeCurve, key), viems: privateKeyToAccount(bytesToHex(key)) }
}

describe('equal to viem, byte for byte', () => {
  const holds = <T>(value: fc.Arbitrary<T>, check: (value: T, key: Uint8Array) => Promise<void>) =>
    fc.assert(fc.asyncProperty(value, keyBytes, check), { numRuns: 100 })

  test('address and public key', () =>
    holds(fc.constant(0), async (_nothing, key) => {
      const { ours, viems } = accountsOf(key)
      expect(ours).toMatchObject({ address: viems.address, publicKey: viems.publicKey, source: viems.source })
    }))

  test('bare hashes', () =>
    holds(words, async (hash, key) => {
      const { ours, viems } = accountsOf(key)
      expect(await ours.sign({ hash })).toBe(await viems.sign({ hash }))
    }))

  test('messages, as text and as bytes', () =>
    holds(fc.string({ unit: 'binary', maxLength: 300 }), async (text, key) => {
      const { ours, viems } = accountsOf(key)
      for (const message of [text, { raw: toHex(text) }]) {
        expect(await ours.signMessage({ message })).toBe(await viems.signMessage({ message }))
      }
    }))

  test('typed data', () =>
    holds(fc.tuple(addresses, addresses, amounts, words), async ([from, to, value, nonce], key) => {
      const { ours, viems } = accountsOf(key)
      const typedData = buildTransferAuthorization({
        token: { address: to, name: 'USDC', version: '2', chainId: 8453 },
        authorization: { from, to, value, validAfter: 0n, validBefore: value, nonce },
      })
      expect(await ours.signTypedData(typedData)).toBe(await viems.signTypedData(typedData))
    }))

  test('transactions and authorizations', () =>
    holds(fc.tuple(addresses, amounts, fc.nat(), words), async ([to, value, nonce, data], key) => {
      const { ours, viems } = accountsOf(key)
      const common = { to, value, nonce, data, gas: 21_000n + value, chainId: 8453 }
      const fees = { maxFeePerGas: value + 1n, maxPriorityFeePerGas: value }
      const authorization = { address: to, chainId: 8453, nonce }
      expect(await ours.signAuthorization(authorization)).toEqual(
        await viems.signAuthorization(authorization),
      )
      for (const transaction of [
        { ...common, ...fees, type: 'eip1559' as const },
        { ...common, gasPrice: value, type: 'legacy' as const },
        {
          ...common,
          ...fees,
          type: 'eip7702' as const,
          authorizationList: [await ours.signAuthorization(authorization)],
        },
      ]) {
        expect(await ours.signTransaction(transaction)).toBe(await viems.signTransaction(transaction))
      }
    }))
})

test('a key that is wiped by its caller still signs', async () => {
  const key = hexToBytes(`0x${'4c'.repeat(32)}`)
  const { ours, viems } = accountsOf(key)
  key.fill(0)
  expect(await ours.signMessage({ message: 'hello' })).toBe(await viems.signMessage({ message: 'hello' }))
})
