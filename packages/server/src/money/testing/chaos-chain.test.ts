import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../ports/chain/port.ts'
import { type ChaosChain, startChaosChain } from './chaos-chain.ts'

let chaos: ChaosChain
beforeAll(async () => {
  chaos = await startChaosChain()
})
afterAll(() => chaos.close())

/** A transfer to its own sender with this nonce; the same value makes the same bytes. */
const signed = (nonce: number, value = 1n) =>
  chaos.roles.operator.signTransaction({
    chainId: chaos.client.chain.id,
    to: chaos.roles.operator.address,
    nonce,
    value,
    gas: 21_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
const send = (serializedTransaction: Hex) => chaos.client.sendRawTransaction({ serializedTransaction })

test('a nonce clashes with another transaction’s, never with that of the same bytes', async () => {
  const nonce = await chaos.client.getTransactionCount({ address: chaos.roles.operator.address })
  const mined = await signed(nonce)
  await send(mined)
  await expect(send(mined)).rejects.toThrow(/nonce/i)
  expect(chaos.fates()).toEqual(new Map([['fair', 1]]))

  const other = await signed(nonce, 2n)
  chaos.setWeather('slow')
  await expect(send(other)).rejects.toThrow(/nonce/i)
  // Refused, it has met no weather.
  expect(chaos.fates()).toEqual(
    new Map([
      ['fair', 1],
      ['nonce clash', 1],
    ]),
  )
})
