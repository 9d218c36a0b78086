import { type Address, createPublicClient, custom, type Hex, pad, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Edr, startEdr } from '../../devnet/edr.ts'
import { receiptsRootOf } from '../../proofs/receiptsRoot.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { prepareTransfer } from '../usdc/prepareTransfer.ts'
import { type BlockHeader, getBlockHeader } from './getBlockHeader.ts'
import { getBlockLogs } from './getBlockLogs.ts'

const payer = testAccount(1)
let running: TestDevnet
let usdc: Address
let header: BlockHeader
beforeAll(async () => {
  running = await startTestDevnet()
  usdc = running.devnet.addresses.usdc
  await running.devnet.faucet({ address: payer.address, amountMicro: 1_000_000n })
  await running.execute(payer, prepareTransfer({ usdc, to: testAccount(2).address, amountMicro: 5n }))
  const found = await getBlockHeader(running.client, { blockTag: 'latest' })
  if (found === undefined) throw new Error('there is no block')
  header = found
})
afterAll(() => running.stop())

/** A node that changes what the real one says about receipts. */
const liar = (change: (receipts: { logs: unknown[] }[]) => unknown) => {
  let asked = 0
  const client = createPublicClient({
    transport: custom({
      async request({ method, params }) {
        asked += 1
        const response = await running.client.request({ method, params })
        return change(structuredClone(response as { logs: unknown[] }[]))
      },
    }),
  })
  return { client, asked: () => asked }
}

describe('the logs of a block', () => {
  test('are taken from receipts that the header commits to', async () => {
    const logs = await getBlockLogs(running.client, { header, filters: [{ address: usdc }] })
    expect(logs).toEqual(await running.client.getLogs({ blockHash: header.hash, address: usdc }))
    expect(logs).toHaveLength(1)
  })

  test('cost no request where the bloom filter rules them out', async () => {
    const { client, asked } = liar((receipts) => receipts)
    const filters = [
      { address: '0x00000000000000000000000000000000000000aa' as const },
      { address: usdc, topics: [pad(testAccount(9).address)] },
    ]
    expect(await getBlockLogs(client, { header, filters })).toEqual([])
    expect(asked()).toBe(0)
  })

  test('are refused when one is missing, changed, or all are', async () => {
    for (const change of [
      () => [],
      (receipts: { logs: unknown[] }[]) => receipts.map((receipt) => ({ ...receipt, logs: [] })),
      (receipts: { logs: unknown[] }[]) =>
        receipts.map((receipt) => ({ ...receipt, cumulativeGasUsed: '0x1' })),
    ]) {
      await expect(
        getBlockLogs(liar(change).client, { header, filters: [{ address: usdc }] }),
      ).rejects.toMatchObject({
        code: 'INCOMPLETE_ANSWER',
      })
    }
  })

  test('are unknown to a node that has not got the block', async () => {
    const hash: Hex = `0x${'12'.repeat(32)}`
    expect(
      await getBlockLogs(running.client, { header: { ...header, hash }, filters: [{ address: usdc }] }),
    ).toBe(undefined)
  })
})

test.each([0, 1, 17, 130])('the root of %i receipts is the one in the header', async (count) => {
  const edr: Edr = await startEdr({ startedAt: 1_800_000_000 })
  try {
    for (let nonce = 0; nonce < count; nonce += 1) {
      const serialized = await payer.signTransaction({
        type: nonce % 3 === 0 ? 'legacy' : 'eip1559',
        chainId: 31337,
        nonce,
        gas: 21_000n,
        to: zeroAddress,
        ...(nonce % 3 === 0 ? { gasPrice: 0n } : { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }),
      } as Parameters<typeof payer.signTransaction>[0])
      await edr.send(serialized)
    }
    await edr.mine(1_800_000_010)
    const block = (await edr.request('eth_getBlockByNumber', ['latest', false])) as {
      hash: Hex
      receiptsRoot: Hex
    }
    const receipts = await edr.request('eth_getBlockReceipts', [block.hash])
    expect(receiptsRootOf(receipts as Parameters<typeof receiptsRootOf>[0])).toBe(block.receiptsRoot)
  } finally {
    await edr.close()
  }
})
