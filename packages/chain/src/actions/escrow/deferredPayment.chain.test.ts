import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usdcAbi } from '../../abis.ts'
import { jobKeyOf, jobRefOf } from '../../escrowJob.ts'
import { callTo } from '../../preparedCall.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { getUsdcBalance } from '../usdc/getUsdcBalance.ts'
import { prepareApprove } from '../usdc/prepareApprove.ts'
import { decodeEscrowEvents } from './decodeEscrowEvents.ts'
import { getEscrowTotals } from './getEscrowTotals.ts'
import { getOwed } from './getOwed.ts'
import { prepareClaim } from './prepareClaim.ts'
import { prepareDeposit } from './prepareDeposit.ts'
import { prepareRelease } from './prepareRelease.ts'
import { prepareSubmit } from './prepareSubmit.ts'

let running: TestDevnet
beforeAll(async () => {
  running = await startTestDevnet()
})
afterAll(() => running.stop())

test('a blacklisted agent wallet blocks nobody: its pay waits in the escrow and is claimed later', async () => {
  const { escrow, usdc, treasury } = running.devnet.addresses
  const { faucet, operator } = running.devnet.roles
  const client = testAccount(1)
  const agentWallet = testAccount(3).address
  await running.devnet.faucet({ address: client.address, amountMicro: 100_000_000n })
  const terms = {
    jobRef: jobRefOf('blacklisted'),
    client: client.address,
    seller: testAccount(2).address,
    agentWallet,
    amountMicro: 100_000_000n,
    deadline: 0,
  }
  const key = jobKeyOf({ chainId: 31337, escrow, terms })
  const list = (functionName: 'blacklist' | 'unBlacklist') =>
    callTo(usdc, encodeFunctionData({ abi: usdcAbi, functionName, args: [agentWallet] }))

  await running.execute(client, prepareApprove({ usdc, spender: escrow, amountMicro: terms.amountMicro }))
  await running.execute(client, prepareDeposit({ escrow, terms }))
  await running.execute(operator, prepareSubmit({ escrow, key, deliveryHash: `0x${'01'.repeat(32)}` }))
  expect((await running.execute(faucet, list('blacklist'))).status).toBe('success')

  const released = await running.execute(operator, prepareRelease({ escrow, key }))
  expect(released.status).toBe('success')
  expect(decodeEscrowEvents({ escrow, logs: released.logs })).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'PaymentDeferred', recipient: agentWallet, amountMicro: 98_000_000n }),
      expect.objectContaining({ name: 'JobClosed', outcome: 'released' }),
    ]),
  )
  expect(await getUsdcBalance(running.client, { usdc, owner: treasury })).toBe(2_000_000n)
  expect(await getOwed(running.client, { escrow, recipient: agentWallet })).toBe(98_000_000n)
  expect(await getEscrowTotals(running.client, { escrow })).toEqual({ heldMicro: 0n, owedMicro: 98_000_000n })

  await running.execute(faucet, list('unBlacklist'))
  const claimed = await running.execute(testAccount(4), prepareClaim({ escrow, recipient: agentWallet }))
  expect(decodeEscrowEvents({ escrow, logs: claimed.logs })).toMatchObject([
    { name: 'PaymentClaimed', recipient: agentWallet, amountMicro: 98_000_000n },
  ])
  expect(await getUsdcBalance(running.client, { usdc, owner: agentWallet })).toBe(98_000_000n)
  expect(await getUsdcBalance(running.client, { usdc, owner: escrow })).toBe(0n)
})
