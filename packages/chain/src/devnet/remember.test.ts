import { expect, test } from 'vitest'
import { remember } from './remember.ts'

/** A machine that numbers its responses; receipts are there once the block is. */
function createMachine() {
  const asked: string[] = []
  let mined = 0
  const request = remember(async (method) => {
    asked.push(method)
    if (method === 'evm_mine') mined += 1
    return method === 'eth_getTransactionReceipt' && mined === 0 ? null : { block: mined }
  })
  return { asked, request, mine: () => request('evm_mine', [1]) }
}

test('the same question between two blocks is asked once, and again after the next', async () => {
  const { asked, mine, request } = createMachine()
  const latest = () => request('eth_getBlockByNumber', ['latest', false])
  const [one, other] = await Promise.all([latest(), latest()])
  expect(one).toBe(other)
  expect(await latest()).toBe(one)
  expect(asked).toEqual(['eth_getBlockByNumber'])
  await mine()
  expect(await latest()).toEqual({ block: 1 })
})

test('what is not there yet is requested each time', async () => {
  const { mine, request } = createMachine()
  const receipt = () => request('eth_getTransactionReceipt', ['0x1'])
  expect(await receipt()).toBeNull()
  expect(await receipt()).toBeNull()
  await mine()
  expect(await receipt()).toEqual({ block: 1 })
})

test('nothing is remembered of the time in which a block is made', async () => {
  const { asked, mine, request } = createMachine()
  const mining = mine()
  await Promise.all([request('eth_blockNumber'), request('eth_blockNumber')])
  await mining
  await Promise.all([request('eth_blockNumber'), request('eth_blockNumber')])
  expect(asked.filter((method) => method === 'eth_blockNumber')).toHaveLength(3)
})

test('calls, pending blocks and blocks with all of their transactions always reach the machine', async () => {
  const { asked, request } = createMachine()
  const questions: [string, unknown[]][] = [
    ['eth_call', [{}, 'latest']],
    ['eth_getBlockByNumber', ['pending', false]],
    ['eth_getBlockByNumber', ['latest', true]],
  ]
  for (const [method, params] of [...questions, ...questions]) await request(method, params)
  expect(asked).toHaveLength(6)
})

test('what is remembered stays small, however long the questions are', async () => {
  const { asked, request } = createMachine()
  const padded = () => request('eth_getBlockReceipts', ['latest', 'x'.repeat(1_000)])
  await padded()
  await padded()
  expect(asked).toHaveLength(2)
})

test('a failed question is asked again', async () => {
  let attempts = 0
  const request = remember(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('not now')
    return {}
  })
  await expect(request('eth_chainId')).rejects.toThrow('not now')
  expect(await request('eth_chainId')).toEqual({})
})
