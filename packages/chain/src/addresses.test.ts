import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { addresses, addressesOf, isSupportedChainId } from './addresses.ts'
import { chainOf, explorerUrlOf } from './chains.ts'

test('every address is spelled with its checksum', () => {
  for (const table of Object.values(addresses)) {
    for (const address of Object.values(table).flat()) expect(getAddress(address.toLowerCase())).toBe(address)
  }
})

test('the three chains are known, and no other', () => {
  for (const chainId of [8453, 84532, 31337]) {
    expect(isSupportedChainId(chainId)).toBe(true)
    expect(chainOf(chainId).id).toBe(chainId)
    expect(addressesOf(chainId).usdc).toMatch(/^0x/)
  }
  expect(isSupportedChainId(1)).toBe(false)
  expect(() => addressesOf(1)).toThrow(expect.objectContaining({ code: 'UNKNOWN_CHAIN' }))
  expect(() => chainOf(1)).toThrow(expect.objectContaining({ code: 'UNKNOWN_CHAIN' }))
})

test('explorer pages of transactions and addresses', () => {
  const hash = `0x${'1'.repeat(64)}` as const
  const address = addresses[84532].usdc
  expect(explorerUrlOf(8453, { transaction: hash })).toBe(`https://basescan.org/tx/${hash}`)
  expect(explorerUrlOf(84532, { address })).toBe(`https://sepolia.basescan.org/address/${address}`)
  expect(explorerUrlOf(31337, { transaction: hash })).toBeUndefined()
})
