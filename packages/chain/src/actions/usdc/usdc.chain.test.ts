import { type Address, type Hex, hashTypedData, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { buildTransferAuthorization } from '../../typed-data/buildTransferAuthorization.ts'
import { toJsonTypedData } from '../../typed-data/toJsonTypedData.ts'
import { findTransfers } from './findTransfers.ts'
import { getAuthorizationState } from './getAuthorizationState.ts'
import { getUsdcBalance } from './getUsdcBalance.ts'
import { getUsdcBalances } from './getUsdcBalances.ts'
import { getUsdcDomain } from './getUsdcDomain.ts'
import { getUsdcEvents } from './getUsdcEvents.ts'
import { prepareTransfer } from './prepareTransfer.ts'
import { prepareTransferWithAuthorization } from './prepareTransferWithAuthorization.ts'

const payer = testAccount(1)
const payee = testAccount(2)
const relayer = testAccount(3)

let running: TestDevnet
let usdc: Address
beforeAll(async () => {
  running = await startTestDevnet()
  usdc = running.devnet.addresses.usdc
  await running.devnet.faucet({ address: payer.address, amountMicro: 1_000_000n })
})
afterAll(() => running.stop())

test('the domain is read from the token', async () => {
  expect(await getUsdcDomain(running.client, { usdc })).toEqual({ name: 'USDC', version: '2', decimals: 6 })
})

test('a signed transfer is carried out by anyone, once, and found by its hash', async () => {
  const nonce: Hex = keccak256(stringToHex('a nonce'))
  const authorization = {
    from: payer.address,
    to: payee.address,
    value: 250_000n,
    validAfter: 0n,
    validBefore: BigInt(running.devnet.now() + 600),
    nonce,
  }
  const token = { address: usdc, name: 'USDC', version: '2', chainId: 31337 }
  const signature = await payer.signTypedData(buildTransferAuthorization({ token, authorization }))
  const call = prepareTransferWithAuthorization({ usdc, authorization, signature })
  const receipt = await running.execute(relayer, call)
  expect(await findTransfers(running.client, { usdc, hash: receipt.transactionHash })).toMatchObject({
    status: 'success',
    transfers: [{ from: payer.address, to: payee.address, amountMicro: 250_000n }],
    authorizations: [{ authorizer: payer.address, nonce }],
  })
  expect(await getAuthorizationState(running.client, { usdc, authorizer: payer.address, nonce })).toBe(true)
  expect((await running.execute(relayer, call)).status).toBe('reverted')
  expect(await getUsdcBalance(running.client, { usdc, owner: payee.address })).toBe(250_000n)
})

test('transfers that touch the watched wallets are found from either side, once each and in order', async () => {
  const fromBlock = (await running.client.getBlockNumber()) + 1n
  for (const [to, amountMicro] of [
    [payee.address, 1n],
    [relayer.address, 2n],
    [payee.address, 3n],
  ] as const) {
    await running.execute(payer, prepareTransfer({ usdc, to, amountMicro }))
  }
  await running.execute(payee, prepareTransfer({ usdc, to: payer.address, amountMicro: 4n }))
  const range = { usdc, fromBlock, toBlock: await running.client.getBlockNumber() }
  const amounts = async (wallets: Address[]) => {
    const { transfers } = await getUsdcEvents(running.client, { ...range, wallets })
    return transfers.map(({ amountMicro }) => amountMicro)
  }
  expect(await amounts([payee.address])).toEqual([1n, 3n, 4n])
  expect(await amounts([payee.address, payer.address])).toEqual([1n, 2n, 3n, 4n])
  expect(await amounts([testAccount(9).address])).toEqual([])
  expect(await amounts([])).toEqual([])
  const many = Array.from({ length: 1100 }, (_, index) => testAccount(1000 + index).address)
  // So many in so few blocks are chosen from the whole token; in many blocks each filter is asked.
  expect(await amounts([...many, relayer.address])).toEqual([2n])
  const everything = { usdc, fromBlock: 0n, toBlock: range.toBlock }
  for (let block = 0; block < 120; block += 1) await running.devnet.advanceTime(1)
  const longRange = { ...everything, toBlock: await running.client.getBlockNumber() }
  const wallets = [...many, relayer.address]
  const found = await getUsdcEvents(running.client, { ...longRange, wallets })
  expect(found).toEqual(await getUsdcEvents(running.client, { ...everything, wallets }))
  expect(found.transfers.map(({ amountMicro }) => amountMicro)).toEqual([2n])
})

test('used authorizations are found by who gave them, and balances are those of the block', async () => {
  const range = { usdc, fromBlock: 0n, toBlock: await running.client.getBlockNumber() }
  const found = await getUsdcEvents(running.client, { ...range, wallets: [payer.address] })
  expect(found.authorizations).toMatchObject([{ authorizer: payer.address }])
  const theirs = await getUsdcEvents(running.client, { ...range, wallets: [payee.address] })
  expect(theirs.authorizations).toEqual([])
  const owners = [payer.address, payee.address, relayer.address]
  const balancesAt = (blockNumber: bigint) => getUsdcBalances(running.client, { usdc, owners, blockNumber })
  expect(await balancesAt(0n)).toEqual([0n, 0n, 0n])
  expect(await balancesAt(range.toBlock)).toEqual([749_998n, 250_000n, 2n])
})

test('typed data travels as JSON and still hashes to the same', async () => {
  const token = { address: usdc, name: 'USDC', version: '2', chainId: 31337 }
  const typedData = buildTransferAuthorization({
    token,
    authorization: {
      from: payer.address,
      to: payee.address,
      value: 2n ** 80n,
      validAfter: 0n,
      validBefore: 9n,
      nonce: `0x${'07'.repeat(32)}`,
    },
  })
  const { domain, types, primaryType, message } = JSON.parse(JSON.stringify(toJsonTypedData(typedData)))
  expect(message.value).toBe('1208925819614629174706176')
  expect(types.EIP712Domain).toEqual([
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ])
  expect(hashTypedData({ domain, types, primaryType, message })).toBe(hashTypedData(typedData))
})
