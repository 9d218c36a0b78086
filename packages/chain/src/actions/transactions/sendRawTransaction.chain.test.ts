import { createPublicClient, custom, keccak256, RpcRequestError } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainOf } from '../../chains.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { findTransfers } from '../usdc/findTransfers.ts'
import { prepareTransfer } from '../usdc/prepareTransfer.ts'
import { assertChainId } from './assertChainId.ts'
import { getBlockHeader } from './getBlockHeader.ts'
import type { Fees } from './getFees.ts'
import { getTransactionOutcome } from './getTransactionOutcome.ts'
import { raiseFees } from './raiseFees.ts'
import { sendRawTransaction } from './sendRawTransaction.ts'
import { signTransaction } from './signTransaction.ts'

const sender = testAccount(1)
const payee = testAccount(2).address

let running: TestDevnet
beforeAll(async () => {
  running = await startTestDevnet()
  await running.devnet.faucet({ address: sender.address, amountMicro: 1_000_000n, gasWei: 0n })
})
afterAll(() => running.stop())

const sign = (nonce: number, fees: Fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, chainId = 31337) =>
  signTransaction(sender, {
    call: prepareTransfer({ usdc: running.devnet.addresses.usdc, to: payee, amountMicro: 5n }),
    chainId,
    nonce,
    gas: 100_000n,
    fees,
  })

const broadcast = async (signed: ReturnType<typeof sign>) =>
  sendRawTransaction(running.client, { rawTransaction: (await signed).rawTransaction })

test('the stored bytes and their hash are the same whenever they are signed, and are mined once', async () => {
  const { rawTransaction, hash } = await sign(0)
  expect(await sign(0)).toEqual({ rawTransaction, hash })
  expect(await getTransactionOutcome(running.client, { hash })).toEqual({ status: 'unknown' })
  expect(await findTransfers(running.client, { usdc: running.devnet.addresses.usdc, hash })).toEqual({
    status: 'unknown',
  })
  expect(await sendRawTransaction(running.client, { rawTransaction })).toEqual({ hash, status: 'accepted' })
  expect(await sendRawTransaction(running.client, { rawTransaction })).toMatchObject({
    hash,
    status: 'nonceTooLow',
  })
  expect(await getTransactionOutcome(running.client, { hash })).toMatchObject({ status: 'success' })
  expect(await findTransfers(running.client, { usdc: running.devnet.addresses.usdc, hash })).toMatchObject({
    status: 'success',
    transfers: [{ from: sender.address, to: payee, amountMicro: 5n, transactionHash: hash }],
    authorizations: [],
  })
})

describe('every refusal of the devnet has its name', () => {
  test('sent twice while it waits for an earlier nonce: already known, and pending', async () => {
    const { rawTransaction, hash } = await sign(5)
    expect(await sendRawTransaction(running.client, { rawTransaction })).toEqual({ hash, status: 'accepted' })
    expect(await sendRawTransaction(running.client, { rawTransaction })).toEqual({
      hash,
      status: 'alreadyKnown',
    })
    expect(await getTransactionOutcome(running.client, { hash })).toEqual({ status: 'pending' })
  })

  test('same nonce for no more money: underpriced', async () => {
    const rich = testAccount(8)
    await running.devnet.faucet({ address: rich.address, amountMicro: 0n })
    const signWith = (amountMicro: bigint, maxFeePerGas: bigint) =>
      signTransaction(rich, {
        call: prepareTransfer({ usdc: running.devnet.addresses.usdc, to: payee, amountMicro }),
        chainId: 31337,
        nonce: 5,
        gas: 100_000n,
        fees: { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas },
      })
    expect(await sendRawTransaction(running.client, await signWith(1n, 1000n))).toMatchObject({
      status: 'accepted',
    })
    expect(await sendRawTransaction(running.client, await signWith(2n, 1000n))).toMatchObject({
      status: 'underpriced',
    })
    expect(await sendRawTransaction(running.client, await signWith(2n, 1126n))).toMatchObject({
      status: 'accepted',
    })
  })

  test('fees that the sender cannot pay: insufficient funds', async () => {
    expect(await broadcast(sign(1, { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }))).toMatchObject({
      status: 'insufficientFunds',
    })
  })

  test('another chain, or no transaction at all: rejected', async () => {
    expect(await broadcast(sign(1, undefined, 1))).toMatchObject({ status: 'rejected' })
    expect(await sendRawTransaction(running.client, { rawTransaction: '0x02ff' })).toMatchObject({
      status: 'rejected',
    })
  })

  test('a transaction that reverts is mined and says so', async () => {
    const call = prepareTransfer({ usdc: running.devnet.addresses.usdc, to: payee, amountMicro: 10n ** 12n })
    const receipt = await running.execute(testAccount(7), call)
    expect(receipt.status).toBe('reverted')
    expect(
      await findTransfers(running.client, {
        usdc: running.devnet.addresses.usdc,
        hash: receipt.transactionHash,
      }),
    ).toEqual({ status: 'reverted' })
  })
})

describe('the wording of other nodes', () => {
  const rawTransaction = `0x02${'ab'.repeat(40)}` as const
  const answering = (message: string) =>
    createPublicClient({
      chain: chainOf(8453),
      transport: custom({
        request: () =>
          Promise.reject(new RpcRequestError({ body: {}, error: { code: -32000, message }, url: 'node' })),
      }),
    })

  test.each([
    ['already known', 'alreadyKnown'],
    ['AlreadyKnown', 'alreadyKnown'],
    ['transaction already imported', 'alreadyKnown'],
    ['nonce too low: next nonce 8, tx nonce 7', 'nonceTooLow'],
    ['OldNonce, Current nonce: 8, nonce of rejected tx: 7', 'nonceTooLow'],
    ['replacement transaction underpriced', 'underpriced'],
    ['transaction underpriced: tip needed 1, tip permitted 0', 'underpriced'],
    ['max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 7', 'underpriced'],
    ['insufficient funds for gas * price + value: balance 0, tx cost 1', 'insufficientFunds'],
    ['execution reverted', 'reverted'],
    ['exceeds block gas limit', 'rejected'],
    ['FeeTooLow, MaxFeePerGas too low', 'underpriced'],
  ])('%s', async (message, status) => {
    expect(await sendRawTransaction(answering(message), { rawTransaction })).toMatchObject({
      status,
      hash: keccak256(rawTransaction),
    })
  })

  test('no response, or a node that speaks of itself, is unknown, never a refusal', async () => {
    for (const failure of [
      new RpcRequestError({ body: {}, error: { code: -32603, message: 'internal error' }, url: 'node' }),
      new RpcRequestError({ body: {}, error: { code: -32005, message: 'rate limit exceeded' }, url: 'node' }),
      new Error('fetch failed'),
      new Error('socket hang up'),
      Object.assign(new Error('x'), { status: 502 }),
    ]) {
      const client = createPublicClient({
        chain: chainOf(8453),
        transport: custom({ request: () => Promise.reject(failure) }, { retryCount: 0 }),
      })
      expect(await sendRawTransaction(client, { rawTransaction })).toMatchObject({ status: 'unknown' })
    }
  })
})

test('a replacement offers at least a tenth more, or the market’s price', () => {
  const market = { maxFeePerGas: 50n, maxPriorityFeePerGas: 1n }
  expect(raiseFees({ previous: { maxFeePerGas: 1000n, maxPriorityFeePerGas: 100n }, market })).toEqual({
    maxFeePerGas: 1126n,
    maxPriorityFeePerGas: 113n,
  })
  expect(raiseFees({ previous: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, market })).toEqual(market)
})

test('headers by number and tag, and the chain’s own number', async () => {
  const latest = await getBlockHeader(running.client, { blockTag: 'latest' })
  const parent = await getBlockHeader(running.client, { blockNumber: (latest?.number ?? 0n) - 1n })
  expect(latest?.parentHash).toBe(parent?.hash)
  expect(await getBlockHeader(running.client, { blockTag: 'finalized' })).toEqual(latest)
  expect(await getBlockHeader(running.client, { blockNumber: 10n ** 9n })).toBeUndefined()
  await assertChainId(running.client, { expected: 31337 })
  await expect(assertChainId(running.client, { expected: 8453 })).rejects.toMatchObject({
    code: 'WRONG_CHAIN',
  })
})
