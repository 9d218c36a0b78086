import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256 } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { getEscrowSettings } from '../actions/escrow/getEscrowSettings.ts'
import { getSafeState } from '../actions/safe/getSafeState.ts'
import { getBlockHeader } from '../actions/transactions/getBlockHeader.ts'
import { signTransaction } from '../actions/transactions/signTransaction.ts'
import { getUsdcBalance } from '../actions/usdc/getUsdcBalance.ts'
import { prepareTransfer } from '../actions/usdc/prepareTransfer.ts'
import { createChainClient } from '../createChainClient.ts'
import { startTestDevnet, TEST_SEED, type TestDevnet, testAccount } from '../testing/startTestDevnet.ts'
import { createDevnet } from './createDevnet.ts'
import { roleKeyOf } from './roles.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const start = async (dataDir?: string): Promise<TestDevnet> => {
  const running = await startTestDevnet(dataDir)
  cleanups.push(running.stop)
  return running
}

const temporaryDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'devnet-'))
  cleanups.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const alice = testAccount(1)
const bob = testAccount(2)
const noFees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }

const signTransfers = ({ devnet }: TestDevnet, count: number, firstNonce = 0) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      signTransaction(alice, {
        call: prepareTransfer({ usdc: devnet.addresses.usdc, to: bob.address, amountMicro: 1n }),
        chainId: devnet.chainId,
        nonce: firstNonce + index,
        gas: 100_000n,
        fees: noFees,
      }),
    ),
  )

const send = ({ devnet }: TestDevnet, rawTransaction: string): Promise<unknown> =>
  devnet.provider.request({ method: 'eth_sendRawTransaction', params: [rawTransaction] })

const allBlocks = async ({ client }: TestDevnet) => {
  const height = await client.getBlockNumber()
  const numbers = Array.from({ length: Number(height) + 1 }, (_, index) => BigInt(index))
  const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })))
  return blocks.map(({ hash, stateRoot, timestamp, transactions }) => ({
    hash,
    stateRoot,
    timestamp,
    transactions,
  }))
}

describe('genesis', () => {
  test('every contract stands at the address the table names', async () => {
    const { devnet, client } = await start()
    const { treasury, operator, spender, ...contracts } = devnet.addresses
    for (const [name, address] of Object.entries(contracts).flatMap(([key, at]) =>
      [at].flat().map((one) => [key, one] as const),
    )) {
      expect((await client.getCode({ address }))?.length, name).toBeGreaterThan(100)
    }
    expect(await getEscrowSettings(client, { escrow: contracts.escrow })).toEqual({
      token: contracts.usdc,
      operator,
      arbiter: contracts.arbiter,
      treasury,
      feeBps: 200,
      reviewPeriodSeconds: 7 * 86_400,
      deadlineGraceSeconds: 86_400,
      disputePeriodSeconds: 30 * 86_400,
      maxChangeRequests: 2,
    })
    const { safeOwner1, safeOwner2, safeOwner3 } = devnet.roles
    expect(await getSafeState(client, { safe: contracts.arbiter })).toEqual({
      owners: [safeOwner1.address, safeOwner2.address, safeOwner3.address],
      threshold: 2,
      nonce: 0n,
    })
    expect(spender).toBe(devnet.roles.spender.address)
  })

  test('the journal holds no key and not the seed', async () => {
    const running = await start()
    await running.devnet.faucet({ address: alice.address, amountMicro: 1n })
    const text = (await readFile(join(running.dataDir, 'chain', 'journal'), 'utf8')).toLowerCase()
    for (const secret of [TEST_SEED, roleKeyOf(TEST_SEED, 'faucet'), roleKeyOf(TEST_SEED, 'operator')]) {
      expect(text).not.toContain(secret.slice(2))
    }
  })
})

describe('restart', () => {
  test('brings back a block that the machine gave up on, as it was', async () => {
    const before = await start()
    const { chainId, faucet } = before.devnet
    await faucet({ address: alice.address, amountMicro: 0n, gasWei: 100n })
    const call = { to: bob.address, data: '0x', value: 90n } as const
    const spendings = await Promise.all(
      [0, 1].map((nonce) => signTransaction(alice, { call, chainId, nonce, gas: 21_000n, fees: noFees })),
    )
    await Promise.allSettled(spendings.map(({ rawTransaction }) => send(before, rawTransaction)))
    const blocks = await allBlocks(before)
    expect(await before.client.getBalance({ address: bob.address })).toBe(90n)

    const after = await before.restart()
    cleanups.push(after.stop)
    expect(await allBlocks(after)).toEqual(blocks)
    await after.devnet.faucet({ address: bob.address, amountMicro: 1n })
  })

  test('brings back the same blocks, states, times and clock', async () => {
    const before = await start()
    await before.devnet.faucet({ address: alice.address, amountMicro: 1_000_000n })
    const transfers = await signTransfers(before, 40)
    await Promise.all(transfers.slice(0, 30).map(({ rawTransaction }) => send(before, rawTransaction)))
    await before.devnet.advanceTime(8 * 86_400)
    // Calls at the pending block build a block as well: they must leave no mark on those that follow.
    for (const { rawTransaction } of transfers.slice(30)) {
      await send(before, rawTransaction)
      await getUsdcBalance(before.client, { usdc: before.devnet.addresses.usdc, owner: bob.address })
    }
    const blocks = await allBlocks(before)
    const offset = before.devnet.now() - Math.floor(Date.now() / 1000)
    expect(offset).toBeGreaterThanOrEqual(8 * 86_400 - 1)

    const after = await before.restart()
    cleanups.push(after.stop)
    expect(await allBlocks(after)).toEqual(blocks)
    expect(after.devnet.now() - Math.floor(Date.now() / 1000)).toBeCloseTo(offset, -1)
    expect(
      await getUsdcBalance(after.client, { usdc: after.devnet.addresses.usdc, owner: bob.address }),
    ).toBe(40n)

    // The chain goes on from where it stood.
    const [next] = await signTransfers(after, 1, 40)
    expect(await send(after, next?.rawTransaction ?? '')).toBe(next?.hash)
    await after.devnet.faucet({ address: bob.address, amountMicro: 1n })
    expect(
      await getUsdcBalance(after.client, { usdc: after.devnet.addresses.usdc, owner: bob.address }),
    ).toBe(42n)
  })

  test('a torn last line is repaired and what came before it stands', async () => {
    const before = await start()
    await before.devnet.faucet({ address: alice.address, amountMicro: 5n })
    const blocks = await allBlocks(before)
    await before.devnet.close()
    await appendFile(join(before.dataDir, 'chain', 'journal'), '8f2a11c0 {"parent":"0x12')
    const after = await start(before.dataDir)
    expect(after.devnet.replayed.repairedBytes).toBe(24)
    expect(await allBlocks(after)).toEqual(blocks)
  })

  test('another seed is another chain, and says so', async () => {
    const before = await start()
    await before.devnet.close()
    const other = createDevnet({ dataDir: before.dataDir, seed: keccak256(TEST_SEED) })
    await expect(other).rejects.toMatchObject({ code: 'JOURNAL_MISMATCH' })
  })

  test('1,000 transactions, one block each, replay in under 10 seconds of processor time', async () => {
    const before = await start()
    await before.devnet.faucet({ address: alice.address, amountMicro: 1_000n })
    for (const { rawTransaction } of await signTransfers(before, 1000)) await send(before, rawTransaction)
    await before.devnet.close()
    // It takes half a second; what other programs do meanwhile does not count.
    const cpuBefore = process.cpuUsage()
    const after = await start(before.dataDir)
    const { user, system } = process.cpuUsage(cpuBefore)
    expect((user + system) / 1e6).toBeLessThan(10)
    expect(after.devnet.replayed.blocks).toBeGreaterThanOrEqual(1000)
    expect(
      await getUsdcBalance(after.client, { usdc: after.devnet.addresses.usdc, owner: bob.address }),
    ).toBe(1000n)
  })
})

describe('clock', () => {
  test('follows real time plus the jumps, and never runs backwards', async () => {
    let realMs = 1_800_000_000_000
    const devnet = await createDevnet({
      dataDir: await temporaryDirectory(),
      seed: TEST_SEED,
      realNowMs: () => realMs,
    })
    cleanups.push(devnet.close)
    const client = createChainClient({ chainId: devnet.chainId, provider: devnet.provider })
    const grantAndReadTime = async () => {
      await devnet.faucet({ address: alice.address, amountMicro: 1n })
      return (await getBlockHeader(client, { blockTag: 'latest' }))?.timestamp
    }
    expect(await grantAndReadTime()).toBe(1_800_000_000)
    realMs += 5_000
    expect(await grantAndReadTime()).toBe(1_800_000_005)
    await devnet.advanceTime(100)
    expect((await getBlockHeader(client, { blockTag: 'latest' }))?.timestamp).toBe(1_800_000_105)
    realMs -= 60_000
    expect(await grantAndReadTime()).toBe(1_800_000_105)
    expect(devnet.now()).toBe(1_800_000_105)
    await expect(devnet.advanceTime(-1)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(devnet.advanceTime(0.5)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(devnet.advanceTime(8000 * 366 * 86_400)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  test('a chain may begin in the past, keeps its distance over a restart, and can be brought to the present', async () => {
    const dataDir = await temporaryDirectory()
    let realMs = 1_800_000_000_000
    const open = (startSecondsAgo: number) =>
      createDevnet({ dataDir, seed: TEST_SEED, startSecondsAgo, realNowMs: () => realMs })
    const first = await open(84 * 86_400)
    expect(first.now()).toBe(1_800_000_000 - 84 * 86_400)
    await first.faucet({ address: alice.address, amountMicro: 1n })
    await first.advanceTime(80 * 86_400)
    await first.close()

    realMs += 10_000
    // A chain that stands already takes no other beginning.
    const second = await open(0)
    cleanups.push(second.close)
    expect(second.replayed.blocks).toBeGreaterThanOrEqual(2)
    expect(second.now()).toBe(1_800_000_010 - 4 * 86_400)
    await second.advanceTime(4 * 86_400)
    expect(second.now()).toBe(1_800_000_010)
    await second.faucet({ address: alice.address, amountMicro: 1n })
    const client = createChainClient({ chainId: second.chainId, provider: second.provider })
    expect((await getBlockHeader(client, { blockTag: 'latest' }))?.timestamp).toBe(1_800_000_010)
  })

  test('a call at the latest block sees the present time, also right after a restart', async () => {
    const before = await start()
    await before.devnet.advanceTime(500_000)
    const after = await before.restart()
    cleanups.push(after.stop)
    const [timestamp] = await after.client.multicall({
      contracts: [
        {
          address: after.devnet.addresses.multicall3,
          abi: [
            {
              type: 'function',
              name: 'getCurrentBlockTimestamp',
              inputs: [],
              outputs: [{ type: 'uint256' }],
              stateMutability: 'view',
            },
          ],
          functionName: 'getCurrentBlockTimestamp',
        },
      ],
      allowFailure: false,
    })
    expect(Math.abs(Number(timestamp) - after.devnet.now())).toBeLessThanOrEqual(2)
  })
})

describe('sending', () => {
  test('concurrent senders share blocks, in the order they came', async () => {
    const running = await start()
    await running.devnet.faucet({ address: alice.address, amountMicro: 1_000n })
    const before = await running.client.getBlockNumber()
    const transfers = await signTransfers(running, 120)
    const hashes = await Promise.all(transfers.map(({ rawTransaction }) => send(running, rawTransaction)))
    expect(hashes).toEqual(transfers.map(({ hash }) => hash))
    expect(Number((await running.client.getBlockNumber()) - before)).toBeLessThan(60)
    expect(
      await getUsdcBalance(running.client, { usdc: running.devnet.addresses.usdc, owner: bob.address }),
    ).toBe(120n)
  })

  test('a refused transaction leaves no trace in the journal', async () => {
    const running = await start()
    const length = (await readFile(join(running.dataDir, 'chain', 'journal'))).length
    await expect(send(running, '0x1234')).rejects.toMatchObject({ code: -32602 })
    await expect(send(running, 'no hex')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect((await readFile(join(running.dataDir, 'chain', 'journal'))).length).toBe(length)
  })

  test('a closed devnet refuses, and what was under way is kept', async () => {
    const running = await start()
    await running.devnet.faucet({ address: alice.address, amountMicro: 10n })
    const [first, second] = await signTransfers(running, 2)
    const underWay = send(running, first?.rawTransaction ?? '')
    const closing = running.devnet.close()
    await expect(send(running, second?.rawTransaction ?? '')).rejects.toMatchObject({ code: 'DEVNET_CLOSED' })
    expect(await underWay).toBe(first?.hash)
    await closing
    const after = await start(running.dataDir)
    expect(
      await getUsdcBalance(after.client, { usdc: after.devnet.addresses.usdc, owner: bob.address }),
    ).toBe(1n)
  })
})
