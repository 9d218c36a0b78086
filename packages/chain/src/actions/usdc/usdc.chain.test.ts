import { type Address, type Hex, hashTypedData, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { buildTransferAuthorization } from '../../typed-data/buildTransferAuthorization.ts'
import { toJsonTypedData } from '../../typed-data/toJsonTypedData.ts'
import { findTransfers } from './findTransfers.ts'
import { getAuthorizationState } from './getAuthorizationState.ts'
import { getUsdcBalance } from './getUsdcBalance.ts'
import { getUsdcDomain } from './getUsdcDomain.ts'
import { getUsdcTransfers } from './getUsdcTransfers.ts'
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
  const amounts = async (addresses: Address[]) =>
    (await getUsdcTransfers(running.client, { ...range, addresses })).map(({ amountMicro }) => amountMicro)
  expect(await amounts([payee.address])).toEqual([1n, 3n, 4n])
  expect(await amounts([payee.address, payer.address])).toEqual([1n, 2n, 3n, 4n])
  expect(await amounts([testAccount(9).address])).toEqual([])
  expect(await amounts([])).toEqual([])
  const many = Array.from({ length: 1100 }, (_, index) => testAccount(1000 + index).address)
  expect(await amounts([...many, relayer.address])).toEqual([2n])
}, 30_000)

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
