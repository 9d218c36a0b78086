import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signTransaction } from '../actions/transactions/signTransaction.ts'
import { testAccount } from '../testing/startTestDevnet.ts'
import { type Edr, startEdr } from './edr.ts'
import { type Journal, openJournal } from './journal.ts'
import { replayAtOnce } from './replayJournal.ts'
import { createSequencer } from './sequencer.ts'

const startedAt = 1_800_000_000
const rich = testAccount(1)
const poor = testAccount(2)
const payee = testAccount(3).address

let dataDir: string
let edr: Edr
let journal: Journal
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sequencer-'))
  await open()
})
afterEach(async () => {
  await close()
  await rm(dataDir, { recursive: true, force: true })
})

const open = async () => {
  journal = await openJournal({ dataDir, genesis: '0x01', startedAt })
  edr = await startEdr({ startedAt })
  await edr.request('hardhat_setBalance', [rich.address, '0xde0b6b3a7640000'])
  await edr.request('hardhat_setBalance', [poor.address, '0x64'])
  await edr.mine(startedAt)
}
const close = async () => {
  await journal.close()
  await edr.close()
}
const start = (used: Journal = journal) =>
  createSequencer({ edr, journal: used, realNowMs: () => startedAt * 1000 })

const sign = async (sender: typeof rich, nonce: number, value: bigint): Promise<Hex> => {
  const { rawTransaction } = await signTransaction(sender, {
    call: { to: payee, data: '0x', value },
    chainId: 31337,
    nonce,
    gas: 21_000n,
    fees: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
  })
  return rawTransaction
}
const balance = async (): Promise<bigint> =>
  BigInt((await edr.request('eth_getBalance', [payee, 'latest'])) as string)
const height = async (): Promise<number> => Number(await edr.request('eth_blockNumber'))

test('what the disk refuses never happened: nothing is mined, and the same bytes work later', async () => {
  let diskIsFull = true
  const append: Journal['append'] = (entry) =>
    diskIsFull ? Promise.reject(new Error('ENOSPC')) : journal.append(entry)
  const sequencer = await start({ ...journal, append })
  const before = await height()
  const raws = [await sign(rich, 0, 1n), await sign(rich, 1, 2n), await sign(poor, 0, 3n)]
  const refused = await Promise.allSettled([...raws.map(sequencer.send), sequencer.advanceTime(100)])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(await height()).toBe(before)
  expect(sequencer.now()).toBe(startedAt)
  expect(await edr.request('eth_getTransactionCount', [rich.address, 'pending'])).toBe('0x0')

  diskIsFull = false
  await Promise.all(raws.map(sequencer.send))
  expect(await balance()).toBe(6n)
})

test('two transactions in one block that are affordable only one by one: the chain goes on, and replays the same', async () => {
  const sequencer = await start()
  // The first occupies the writer, so that the other three meet in the next block.
  const raws = [
    await sign(rich, 0, 1n),
    await sign(poor, 0, 90n),
    await sign(poor, 1, 90n),
    await sign(rich, 1, 1n),
  ]
  await Promise.allSettled(raws.map(sequencer.send))
  await sequencer.send(await sign(rich, 2, 1n))
  expect(await balance()).toBe(93n)
  const head = await edr.latestBlock()
  await sequencer.close()
  await close()

  await open()
  const again = await start()
  expect(await edr.latestBlock()).toEqual(head)
  await again.send(await sign(rich, 3, 1n))
  expect(await balance()).toBe(94n)
})

test('a transaction that waits for an earlier nonce is journalled too, and runs when its turn comes, also after a restart', async () => {
  const sequencer = await start()
  await sequencer.send(await sign(rich, 2, 4n))
  await sequencer.send(await sign(rich, 1, 2n))
  expect(await balance()).toBe(0n)
  await sequencer.close()
  await close()

  await open()
  const again = await start()
  await again.send(await sign(rich, 0, 1n))
  expect(await balance()).toBe(7n)
})

test('a waiting transaction that its sender can no longer pay for holds up that sender alone', async () => {
  const sequencer = await start()
  await sequencer.send(await sign(poor, 1, 90n))
  const raws = [await sign(rich, 0, 1n), await sign(poor, 0, 90n), await sign(rich, 1, 1n)]
  const [first, spoiled, last] = await Promise.allSettled(raws.map(sequencer.send))
  expect([first?.status, spoiled?.status, last?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(spoiled).toMatchObject({ reason: { message: expect.stringContaining("doesn't have enough funds") } })
  expect(await balance()).toBe(2n)
  const head = await edr.latestBlock()
  await sequencer.close()
  await close()

  await open()
  const again = await start()
  expect(await edr.latestBlock()).toEqual(head)
  await again.send(await sign(poor, 0, 5n))
  expect(await balance()).toBe(97n)
})

test('a machine that fails closes the devnet; every sender hears of it and the restart has what was journalled', async () => {
  const broken: Edr = { ...edr, mine: () => Promise.reject(new Error('the machine is gone')) }
  const sequencer = await createSequencer({ edr: broken, journal, realNowMs: () => startedAt * 1000 })
  const raws = [await sign(rich, 0, 1n), await sign(rich, 1, 1n), await sign(rich, 2, 1n)]
  for (const outcome of await Promise.allSettled([...raws.map(sequencer.send), sequencer.advanceTime(5)])) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'DEVNET_CLOSED' } })
  }
  await expect(sequencer.send(raws[0] ?? '0x')).rejects.toMatchObject({ code: 'DEVNET_CLOSED' })
  await sequencer.close()
  await close()

  await open()
  await start()
  expect(await balance()).toBe(3n)
})

test('a journal that does not fit the machine is refused at its first wrong step', async () => {
  await journal.append({ parent: '0x02', time: startedAt + 1, transactions: [] })
  await close()
  await open()
  await expect(start()).rejects.toMatchObject({ code: 'REPLAY_DIVERGED' })
})

test('a replay in one go ends where one step by step does, and gives up where a block differs', async () => {
  const sequencer = await start()
  for (const nonce of [0, 1, 2]) await sequencer.send(await sign(rich, nonce, 1n))
  await sequencer.close()
  const head = await edr.latestBlock()
  const openAgain = async () => {
    await close()
    await open()
  }
  await openAgain()
  expect(await replayAtOnce(edr, journal.entries)).toEqual(head)
  expect([await edr.latestBlock(), await balance()]).toEqual([head, 3n])

  await openAgain()
  const [first, ...others] = journal.entries
  if (!first) throw new Error('nothing was journalled')
  expect(await replayAtOnce(edr, [{ ...first, transactions: [] }, ...others])).toBeUndefined()
})
