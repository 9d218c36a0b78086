import { type Address, type Hex, hashTypedData } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTo } from '../../preparedCall.ts'
import { verifySmartAccountTypedData } from '../../signatures/verifySmartAccountSignature.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { buildSpendPermission, type SpendPermission } from '../../typed-data/buildSpendPermission.ts'
import { getUsdcBalance } from '../usdc/getUsdcBalance.ts'
import { decodeSpendPermissionEvents } from './decodeSpendPermissionEvents.ts'
import { getAccountKind } from './getAccountKind.ts'
import { getCurrentPeriod } from './getCurrentPeriod.ts'
import { getSpendPermissionEvents } from './getSpendPermissionEvents.ts'
import { getSpendPermissionHash } from './getSpendPermissionHash.ts'
import { isAccountOwner } from './isAccountOwner.ts'
import { isManagerOwner } from './isManagerOwner.ts'
import { isSpendPermissionRevoked } from './isSpendPermissionRevoked.ts'
import { isSpendPermissionValid } from './isSpendPermissionValid.ts'
import { prepareApproveWithSignature } from './prepareApproveWithSignature.ts'
import { prepareRevokeAsSpender } from './prepareRevokeAsSpender.ts'
import { prepareSpend } from './prepareSpend.ts'
import { simulateSpend } from './simulateSpend.ts'

const DAY = 86_400
const PERIOD = 30 * DAY
const owner = testAccount(1)
const stranger = testAccount(2)

let running: TestDevnet
let manager: Address
let usdc: Address
beforeAll(async () => {
  running = await startTestDevnet()
  manager = running.devnet.addresses.spendPermissionManager
  usdc = running.devnet.addresses.usdc
})
afterAll(() => running.stop())

const smartAccountOf = (nonce: bigint, owners: [typeof owner, ...Address[]] = [owner, manager]) =>
  toCoinbaseSmartAccount({ client: running.client, owners, nonce, version: '1.1' })

const permissionOf = (account: Address, changes: Partial<SpendPermission> = {}): SpendPermission => ({
  account,
  spender: running.devnet.addresses.spender,
  token: usdc,
  allowance: 10_000_000n,
  period: PERIOD,
  start: running.devnet.now() - 60,
  end: 281_474_976_710_655,
  salt: 1n,
  extraData: '0x',
  ...changes,
})

const typedDataOf = (permission: SpendPermission) =>
  buildSpendPermission({ chainId: 31337, manager, permission })

const spend = (permission: SpendPermission, amountMicro: bigint) =>
  running.execute(running.devnet.roles.spender, prepareSpend({ manager, permission, amountMicro }))

describe.each(['undeployed', 'deployed'])('%s smart account of viem', (state) => {
  let account: Awaited<ReturnType<typeof smartAccountOf>>
  let permission: SpendPermission
  let signature: Hex
  beforeAll(async () => {
    account = await smartAccountOf(state === 'deployed' ? 1n : 2n)
    if (state === 'deployed') {
      const { factory, factoryData } = await account.getFactoryArgs()
      await running.execute(stranger, callTo(factory ?? manager, factoryData ?? '0x'))
    }
    await running.devnet.faucet({ address: account.address, amountMicro: 25_000_000n, gasWei: 0n })
    permission = permissionOf(account.address)
    signature = await account.signTypedData(typedDataOf(permission))
  })

  test('its signature is accepted by viem, by us and by the manager, and pulls once per period what was allowed', async () => {
    const { client } = running
    const { address } = account
    const typedData = typedDataOf(permission)
    expect(await client.verifyTypedData({ address, signature, ...typedData })).toBe(true)
    expect(await verifySmartAccountTypedData(client, { address, typedData, signature })).toEqual({
      status: 'valid',
    })
    expect(await getSpendPermissionHash(client, { manager, permission })).toBe(hashTypedData(typedData))
    expect(await getAccountKind(client, { account: address, signature })).toBe(
      state === 'deployed' ? 'contract' : 'counterfactual',
    )

    // Before anything is on chain, the trial shows that the first pull will work, and that a larger one will not.
    expect(await simulateSpend(client, { manager, permission, signature, amountMicro: 10_000_000n })).toEqual(
      { status: 'ok' },
    )
    expect(
      await simulateSpend(client, { manager, permission, signature, amountMicro: 10_000_001n }),
    ).toMatchObject({
      status: 'refused',
      reason: 'ExceededSpendPermission',
    })
    expect(await simulateSpend(client, { manager, permission, amountMicro: 1n })).toMatchObject({
      status: 'refused',
      reason: 'UnauthorizedSpendPermission',
    })

    const approved = await running.execute(
      stranger,
      prepareApproveWithSignature({ manager, permission, signature }),
    )
    expect(decodeSpendPermissionEvents({ manager, logs: approved.logs })).toMatchObject([
      { name: 'SpendPermissionApproved', hash: hashTypedData(typedData), permission },
    ])
    expect(await isSpendPermissionValid(client, { manager, permission })).toBe(true)
    expect(await isManagerOwner(client, { account: address, manager })).toBe(true)

    const { spender } = running.devnet.addresses
    const pulledBefore = await getUsdcBalance(client, { usdc, owner: spender })
    expect((await spend(permission, 7_000_000n)).status).toBe('success')
    expect((await spend(permission, 3_000_000n)).status).toBe('success')
    expect((await spend(permission, 1n)).status).toBe('reverted')
    expect(
      (await running.execute(stranger, prepareSpend({ manager, permission, amountMicro: 1n }))).status,
    ).toBe('reverted')
    expect(await getCurrentPeriod(client, { manager, permission })).toEqual({
      status: 'running',
      period: { start: permission.start, end: permission.start + PERIOD, spentMicro: 10_000_000n },
    })

    await running.devnet.advanceTime(PERIOD)
    expect(await getCurrentPeriod(client, { manager, permission })).toMatchObject({
      status: 'running',
      period: { start: permission.start + PERIOD, spentMicro: 0n },
    })
    const used = await spend(permission, 10_000_000n)
    expect(decodeSpendPermissionEvents({ manager, logs: used.logs })).toMatchObject([
      { name: 'SpendPermissionUsed', account: address, spender, token: usdc, amountMicro: 10_000_000n },
    ])
    expect((await getUsdcBalance(client, { usdc, owner: spender })) - pulledBefore).toBe(20_000_000n)
    expect(await getUsdcBalance(client, { usdc, owner: address })).toBe(5_000_000n)

    // Five of the ten are left in the wallet: the next period's pull fails for want of money.
    await running.devnet.advanceTime(PERIOD)
    expect(await simulateSpend(client, { manager, permission, amountMicro: 10_000_000n })).toMatchObject({
      status: 'refused',
    })

    await running.execute(running.devnet.roles.spender, prepareRevokeAsSpender({ manager, permission }))
    expect(await isSpendPermissionValid(client, { manager, permission })).toBe(false)
    expect(await isSpendPermissionRevoked(client, { manager, permission })).toBe(true)
    expect((await spend(permission, 1n)).status).toBe('reverted')
  })
})

test('a permission signed by someone else, or for other terms, is refused', async () => {
  const account = await smartAccountOf(3n)
  const permission = permissionOf(account.address)
  const signature = await account.signTypedData(typedDataOf(permission))
  const forged = await (await smartAccountOf(3n, [stranger, manager])).signTypedData(typedDataOf(permission))
  const trial = (changed: SpendPermission, used: Hex) =>
    simulateSpend(running.client, { manager, permission: changed, signature: used, amountMicro: 1n })
  expect((await trial({ ...permission, allowance: 99_000_000n }, signature)).status).toBe('refused')
  expect((await trial(permission, forged)).status).toBe('refused')
  expect((await trial(permission, '0x')).status).toBe('refused')
})

test('a plain key can sign a permission, but the trial shows that it could never be pulled', async () => {
  await running.devnet.faucet({ address: owner.address, amountMicro: 50_000_000n })
  const permission = permissionOf(owner.address)
  const signature = await owner.signTypedData(typedDataOf(permission))
  expect(await getAccountKind(running.client, { account: owner.address, signature })).toBe('keyOnly')
  expect(
    await simulateSpend(running.client, { manager, permission, signature, amountMicro: 1n }),
  ).toMatchObject({
    status: 'refused',
  })
})

test('a wallet that does not count the manager among its owners cannot be pulled', async () => {
  const account = await smartAccountOf(4n, [owner])
  const permission = permissionOf(account.address)
  await running.devnet.faucet({ address: account.address, amountMicro: 50_000_000n })
  const signature = await account.signTypedData(typedDataOf(permission))
  expect(
    (await simulateSpend(running.client, { manager, permission, signature, amountMicro: 1n })).status,
  ).toBe('refused')
})

describe('who owns the account is asked of its own code', () => {
  const ask = (permission: SpendPermission, signature: Hex, asked: Address) =>
    isAccountOwner(running.client, { manager, permission, signature, owner: asked })

  test('before it is deployed as after', async () => {
    const account = await smartAccountOf(6n)
    const permission = permissionOf(account.address)
    const signature = await account.signTypedData(typedDataOf(permission))
    const responses = async () =>
      Promise.all(
        [owner.address, manager, stranger.address].map((asked) => ask(permission, signature, asked)),
      )
    const expected = [true, true, false].map((isOwner) => ({ status: 'answered', isOwner }))
    expect(await responses()).toEqual(expected)
    const { factory, factoryData } = await account.getFactoryArgs()
    await running.execute(stranger, callTo(factory ?? manager, factoryData ?? '0x'))
    expect(await responses()).toEqual(expected)
  })

  test('and refused where there is none to ask', async () => {
    const account = await smartAccountOf(7n)
    expect(await ask(permissionOf(account.address), '0x1234', owner.address)).toMatchObject({
      status: 'refused',
    })
    expect(await ask(permissionOf(usdc), '0x', owner.address)).toMatchObject({ status: 'refused' })
  })
})

test('outside its life a permission has no running period', async () => {
  const { address } = await smartAccountOf(5n)
  const now = running.devnet.now()
  const early = permissionOf(address, { start: now + DAY, end: now + 2 * DAY })
  const late = permissionOf(address, { start: now - 2 * DAY, end: now - DAY })
  expect(await getCurrentPeriod(running.client, { manager, permission: early })).toMatchObject({
    status: 'refused',
    reason: 'BeforeSpendPermissionStart',
  })
  expect(await getCurrentPeriod(running.client, { manager, permission: late })).toMatchObject({
    status: 'refused',
    reason: 'AfterSpendPermissionEnd',
  })
})

test('the range of blocks has what one spender was allowed, used and gave up', async () => {
  const toBlock = await running.client.getBlockNumber()
  const range = { manager, fromBlock: 0n, toBlock }
  const events = await getSpendPermissionEvents(running.client, {
    ...range,
    spender: running.devnet.addresses.spender,
  })
  const countOf = (name: string) => events.filter((event) => event.name === name).length
  expect(countOf('SpendPermissionApproved')).toBe(2)
  expect(countOf('SpendPermissionUsed')).toBe(6)
  expect(countOf('SpendPermissionRevoked')).toBe(2)
  expect(await getSpendPermissionEvents(running.client, { ...range, spender: stranger.address })).toEqual([])
})
