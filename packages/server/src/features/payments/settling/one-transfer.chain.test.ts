import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmbeddedChain } from '../../../ports/chain/embedded.ts'
import type { Offer } from '../../../ports/payments/port.ts'
import { signPayment } from '../../../testing/sign-payment.ts'
import { startTestChain } from '../../../testing/test-chain.ts'
import { carryOut } from '../testing/chain-deeds.ts'
import { startX402, type TestX402 } from '../testing/start-x402.ts'

/** Several authorizations in one transaction of somebody else: each payment needs a transfer of its own. */
let chain: EmbeddedChain
let idle: TestX402
let offer: Offer
let stranger: PrivateKeyAccount
beforeAll(async () => {
  chain = await startTestChain()
  idle = await startX402({ chain, settlementWaitMs: 0 })
  offer = await idle.offerFor()
  stranger = await idle.newBuyer()
})
afterAll(async () => {
  await idle.close()
  await chain.close()
})

/** Two owners pay the same fee from one wallet; both payments are taken, and neither is sent yet. */
async function takeTwo() {
  const buyer = await idle.newBuyer()
  const fees = await Promise.all(
    [1, 2].map(async () => ({
      owner: await idle.newOwner(),
      signed: await signPayment(idle, buyer, offer),
    })),
  )
  for (const { owner, signed } of fees) expect((await idle.callFee(owner, signed)).statusCode).toBe(202)
  const [first, second] = fees
  if (!first || !second) throw new Error('two fees were to be paid')
  return { buyer, first, second }
}

const entriesOf = async (txHash: string) =>
  (await idle.journalOf('kyc.fee')).filter((row) => row.txHash === txHash && row.amountMicro > 0n)

test('the transfer of one payment does not pay for another, whose authorization went elsewhere', async () => {
  const { buyer, first, second } = await takeTwo()
  const { nonce } = second.signed.payment
  const decoy = await signPayment(idle, buyer, { ...offer, payTo: buyer.address }, { nonce })
  const { status, transactionHash } = await carryOut(chain, stranger, [decoy.payment, first.signed.payment])
  expect(status).toBe('success')
  await idle.engine.runUntilIdle()
  expect((await idle.callFee(first.owner, first.signed)).statusCode).toBe(200)
  expect((await idle.callFee(second.owner, second.signed)).statusCode).toBe(402)
  expect(await entriesOf(transactionHash)).toHaveLength(1)
  expect(await chain.chain.usdc.balanceOf(buyer.address)).toBe(45_000_000n)
})

test('two payments in one transaction are two transfers, and both are in the books', async () => {
  const { buyer, first, second } = await takeTwo()
  const { transactionHash } = await carryOut(chain, stranger, [first.signed.payment, second.signed.payment])
  await idle.engine.runUntilIdle()
  for (const { owner, signed } of [first, second]) {
    expect((await idle.callFee(owner, signed)).statusCode).toBe(200)
  }
  expect(await entriesOf(transactionHash)).toHaveLength(2)
  expect(await chain.chain.usdc.balanceOf(buyer.address)).toBe(40_000_000n)
})
