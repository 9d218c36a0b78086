import { createPublicClient, custom, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { getFees } from './getFees.ts'

const GWEI = 1_000_000_000n

const nodeThatSays = ({ baseFee, tip }: { baseFee: bigint; tip: bigint }) =>
  createPublicClient({
    transport: custom({
      request: async ({ method }) =>
        method === 'eth_maxPriorityFeePerGas'
          ? numberToHex(tip)
          : { number: '0x1', baseFeePerGas: numberToHex(baseFee), transactions: [], timestamp: '0x1' },
    }),
  })

test('the tip is what the node names, and never one that would empty the sender', async () => {
  const named = await getFees(nodeThatSays({ baseFee: 5_000_000n, tip: 1_000_000n }))
  expect(named).toEqual({ maxFeePerGas: 11_000_000n, maxPriorityFeePerGas: 1_000_000n })
  const absurd = await getFees(nodeThatSays({ baseFee: 5_000_000n, tip: 5_000n * GWEI }))
  expect(absurd.maxPriorityFeePerGas).toBe(GWEI)
  const busy = await getFees(nodeThatSays({ baseFee: 2n * GWEI, tip: 5n * GWEI }))
  expect(busy.maxPriorityFeePerGas).toBe(5n * GWEI)
})
