import { createPublicClient, custom, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headerHashOf, type RpcHeader } from '../../proofs/headerHash.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { getBlockHeader } from './getBlockHeader.ts'

let running: TestDevnet
beforeAll(async () => {
  running = await startTestDevnet()
  await running.devnet.faucet({ address: testAccount(1).address, amountMicro: 1_000_000n })
})
afterAll(() => running.stop())

/** A node that changes what the real one says about blocks. */
const liar = (change: (header: RpcHeader) => unknown) =>
  createPublicClient({
    transport: custom({
      request: async ({ method, params }) =>
        change((await running.client.request({ method, params })) as RpcHeader),
    }),
  })

describe('a header', () => {
  test('has the hash that is computed from it, by number, by tag and by hash', async () => {
    const head = await getBlockHeader(running.client, { blockTag: 'latest' })
    if (head === undefined) throw new Error('there is no block')
    expect(await getBlockHeader(running.client, { blockNumber: head.number })).toEqual(head)
    expect(await getBlockHeader(running.client, { blockHash: head.hash })).toEqual(head)
    expect(await getBlockHeader(running.client, { blockHash: zeroHash })).toBeUndefined()
    const parent = await getBlockHeader(running.client, { blockNumber: head.number - 1n })
    expect(head.parentHash).toBe(parent?.hash)
  })

  test.each<[string, (header: RpcHeader) => Partial<RpcHeader>]>([
    ['a bloom filter that rules everything out', () => ({ logsBloom: `0x${'00'.repeat(256)}` })],
    ['other receipts', () => ({ receiptsRoot: zeroHash })],
    ['another time', ({ timestamp }) => ({ timestamp: `0x${(BigInt(timestamp) + 1n).toString(16)}` })],
    ['another parent', () => ({ parentHash: zeroHash })],
    ['another number', ({ number }) => ({ number: `0x${(BigInt(number ?? 0) + 1n).toString(16)}` })],
  ])('with %s is refused', async (_what, change) => {
    const client = liar((header) => ({ ...header, ...change(header) }))
    await expect(getBlockHeader(client, { blockTag: 'latest' })).rejects.toMatchObject({
      code: 'INCOMPLETE_ANSWER',
    })
  })

  test('of another block than was requested is refused', async () => {
    const genesis = await running.client.request({
      method: 'eth_getBlockByNumber',
      params: ['0x0', false],
    })
    await expect(
      getBlockHeader(
        liar(() => genesis),
        { blockNumber: 1n },
      ),
    ).rejects.toMatchObject({
      code: 'INCOMPLETE_ANSWER',
    })
  })
})

test('the first block of Ethereum, which has none of the later fields, has its hash', () => {
  const empty = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
  expect(
    headerHashOf({
      hash: null,
      number: '0x0',
      parentHash: zeroHash,
      sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
      miner: zeroAddress,
      stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
      transactionsRoot: empty,
      receiptsRoot: empty,
      logsBloom: `0x${'00'.repeat(256)}`,
      difficulty: '0x400000000',
      gasLimit: '0x1388',
      gasUsed: '0x0',
      timestamp: '0x0',
      extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
      mixHash: zeroHash,
      nonce: '0x0000000000000042',
      transactions: [],
    }),
  ).toBe('0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3')
})
