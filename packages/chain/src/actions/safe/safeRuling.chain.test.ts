import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { safeAbi } from '../../abis.ts'
import { jobKeyOf, jobRefOf } from '../../escrowJob.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { buildSafeTransaction, hashSafeTransaction } from '../../typed-data/buildSafeTransaction.ts'
import { decodeEscrowEvents } from '../escrow/decodeEscrowEvents.ts'
import { getJob } from '../escrow/getJob.ts'
import { prepareDeposit } from '../escrow/prepareDeposit.ts'
import { prepareOpenDispute } from '../escrow/prepareOpenDispute.ts'
import { prepareRule } from '../escrow/prepareRule.ts'
import { simulateCall } from '../transactions/simulateCall.ts'
import { getUsdcBalance } from '../usdc/getUsdcBalance.ts'
import { prepareApprove } from '../usdc/prepareApprove.ts'
import { findSafeExecution } from './findSafeExecution.ts'
import { getSafeState } from './getSafeState.ts'
import { prepareSafeExecution } from './prepareSafeExecution.ts'

let running: TestDevnet
beforeAll(async () => {
  running = await startTestDevnet()
})
afterAll(() => running.stop())

test('two of the Safe’s three owners rule on a dispute; one alone cannot, nor can anyone else', async () => {
  const { escrow, usdc, arbiter: safe, treasury } = running.devnet.addresses
  const { safeOwner1, safeOwner2, safeOwner3, operator } = running.devnet.roles
  const client = testAccount(1)
  const agentWallet = testAccount(3).address
  const terms = {
    jobRef: jobRefOf('disputed'),
    client: client.address,
    seller: testAccount(2).address,
    agentWallet,
    amountMicro: 1_000_000_001n,
    deadline: 0,
  }
  const key = jobKeyOf({ chainId: 31337, escrow, terms })
  await running.devnet.faucet({ address: client.address, amountMicro: terms.amountMicro })
  await running.execute(client, prepareApprove({ usdc, spender: escrow, amountMicro: terms.amountMicro }))
  await running.execute(client, prepareDeposit({ escrow, terms }))
  await running.execute(operator, prepareOpenDispute({ escrow, key, onBehalfOf: 'client' }))

  const call = prepareRule({ escrow, key, sellerBps: 2500 })
  for (const from of [operator.address, client.address, safeOwner1.address]) {
    expect(await simulateCall(running.client, { from, call })).toMatchObject({
      status: 'refused',
      reason: 'WrongCaller',
    })
  }

  const { nonce, threshold } = await getSafeState(running.client, { safe })
  expect(threshold).toBe(2)
  const transaction = buildSafeTransaction({ chainId: 31337, safe, call, nonce })
  const onChainHash = await running.client.readContract({
    address: safe,
    abi: safeAbi,
    functionName: 'getTransactionHash',
    args: [call.to, 0n, call.data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, nonce],
  })
  expect(hashSafeTransaction(transaction)).toBe(onChainHash)

  const signatureOf = async (owner: typeof safeOwner1) => ({
    owner: owner.address,
    signature: await owner.signTypedData(transaction),
  })
  const one = await signatureOf(safeOwner1)
  const two = await signatureOf(safeOwner2)
  const three = await signatureOf(safeOwner3)
  const outsider = await signatureOf(client)
  const trial = (signatures: { owner: Address; signature: `0x${string}` }[]) =>
    simulateCall(running.client, {
      from: operator.address,
      call: prepareSafeExecution({ transaction, signatures }),
    })
  expect(await trial([one])).toMatchObject({ status: 'refused' })
  expect(await trial([one, outsider])).toMatchObject({ status: 'refused' })
  expect(await trial([one, one])).toMatchObject({ status: 'refused' })
  // Whatever order the signatures arrive in, they are sorted for the Safe.
  expect(await trial([one, two])).toMatchObject({ status: 'ok' })
  expect(await trial([two, one])).toMatchObject({ status: 'ok' })

  const receipt = await running.execute(
    testAccount(9),
    prepareSafeExecution({ transaction, signatures: [three, one] }),
  )
  expect(findSafeExecution({ safe, safeTxHash: onChainHash, logs: receipt.logs })).toBe('success')
  expect(findSafeExecution({ safe, safeTxHash: key, logs: receipt.logs })).toBeUndefined()
  // A quarter of 1,000,000,001 is 250,000,000; 2 % of that is 5,000,000.
  expect(decodeEscrowEvents({ escrow, logs: receipt.logs })).toMatchObject([
    {
      name: 'JobClosed',
      outcome: 'ruled',
      sellerNetMicro: 245_000_000n,
      feeMicro: 5_000_000n,
      refundedMicro: 750_000_001n,
    },
  ])
  expect(await getJob(running.client, { escrow, key })).toMatchObject({ state: 'closed', outcome: 'ruled' })
  const balanceOf = (owner: Address) => getUsdcBalance(running.client, { usdc, owner })
  expect(await balanceOf(agentWallet)).toBe(245_000_000n)
  expect(await balanceOf(treasury)).toBe(5_000_000n)
  expect(await balanceOf(client.address)).toBe(750_000_001n)
  expect(await balanceOf(escrow)).toBe(0n)
  expect((await getSafeState(running.client, { safe })).nonce).toBe(1n)
})
