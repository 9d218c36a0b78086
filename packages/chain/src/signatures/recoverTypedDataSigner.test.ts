import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { buildSafeTransaction } from '../typed-data/buildSafeTransaction.ts'
import { recoverTypedDataSigner } from './recoverTypedDataSigner.ts'

const account = privateKeyToAccount(`0x${'4c'.repeat(32)}`)
const safe = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const typedDataOf = (nonce: bigint) =>
  buildSafeTransaction({ chainId: 8453, safe, call: { to: safe, data: '0x', value: 0n }, nonce })

test('names the signer of exactly this data', async () => {
  const signature = await account.signTypedData(typedDataOf(1n))
  expect(await recoverTypedDataSigner({ typedData: typedDataOf(1n), signature })).toBe(account.address)
  expect(await recoverTypedDataSigner({ typedData: typedDataOf(2n), signature })).not.toBe(account.address)
})

test.each([`0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, '0x'] as const)(
  '%s is nobody’s signature',
  async (signature) => {
    expect(await recoverTypedDataSigner({ typedData: typedDataOf(1n), signature })).toBeUndefined()
  },
)
