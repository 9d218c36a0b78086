import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { walletAccount } from '../../../money/books/accounts.ts'
import { balanceOf } from '../../../money/books/journal.ts'
import { type ChaosChain, startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Offer } from '../../../ports/payments/port.ts'
import { newWallet } from '../../../testing/sign-in.ts'
import { signPayment } from '../../../testing/sign-payment.ts'
import type { Worker } from '../../../testing/start-world.ts'
import { startX402, type TestX402 } from '../testing/start-x402.ts'

/** Payments over a node that loses, delays, doubles and takes back. */
let chaos: ChaosChain
let service: TestX402
let worker: Worker
let offer: Offer
let told: string[]
beforeAll(async () => {
  chaos = await startChaosChain()
  service = await startX402({ chain: chaos })
  worker = await service.startWorker()
  offer = await service.offerFor({ payTo: newWallet().address, amountMicro: 1_000_000n })
  worker.payments.register({
    name: 'thing',
    journalKind: 'x402',
    onSettled: async (_tx, { reference }) => void told.push(`settled ${reference}`),
    onRejected: async (_tx, { reference, reason }) => void told.push(`rejected ${reference} ${reason}`),
    onReverted: async (_tx, { reference }) => void told.push(`reverted ${reference}`),
  })
})
beforeEach(() => {
  told = []
})
afterAll(async () => {
  await service.close()
  await chaos.close()
})

async function begin(reference: string) {
  const buyer = await service.newBuyer()
  const order = {
    ...(await signPayment(service, buyer, offer)),
    purpose: 'thing',
    reference,
    requestId: null,
    chargedTo: { account: 'a-test', isGuest: false },
    waitMs: 0,
  }
  expect(await worker.payments.settle(order)).toMatchObject({ outcome: 'unknown' })
  return { buyer, again: () => worker.payments.settle(order) }
}

async function work(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await worker.money.runOnce()
}

test.each(['slow', 'response lost', 'dropped', 'forgotten', 'doubled'] as const)(
  'the broadcast is %s: unknown at first, then settled once',
  async (weather) => {
    const { buyer, again } = await begin(weather)
    chaos.setWeather(weather)
    await work(2)
    chaos.setWeather('fair')
    await chaos.mine()
    await work(5)
    expect(await again()).toMatchObject({ outcome: 'settled', payer: buyer.address })
    expect(told).toEqual([`settled ${weather}`])
    expect(await chaos.chain.usdc.balanceOf(buyer.address)).toBe(49_000_000n)
    expect(await balanceOf(service.db, walletAccount(buyer.address))).toBe(-1_000_000n)
  },
)

test('the node is down: nothing is said about the payment until it responds again', async () => {
  const { again } = await begin('down')
  chaos.setDown(true)
  await work(1).catch(() => undefined)
  expect(await again()).toMatchObject({ outcome: 'unknown' })
  chaos.setDown(false)
  // The engine has put the intent off; its time has come.
  await service.db.run(sql`update intents set claimed_until = now() where status = 'PENDING'`)
  await work(5)
  expect(await again()).toMatchObject({ outcome: 'settled' })
})

test('a reorganisation takes the settlement back: the effect is undone, the payment sent again and counted once', async () => {
  const { buyer, again } = await begin('forked')
  await work(5)
  expect(await again()).toMatchObject({ outcome: 'settled' })
  await chaos.reorganise(1, () => false)
  expect(await chaos.chain.usdc.balanceOf(buyer.address)).toBe(50_000_000n)
  await work(6)
  expect(told).toEqual(['settled forked', 'reverted forked', 'settled forked'])
  expect(await again()).toMatchObject({ outcome: 'settled' })
  expect(await chaos.chain.usdc.balanceOf(buyer.address)).toBe(49_000_000n)
  expect(await balanceOf(service.db, walletAccount(buyer.address))).toBe(-1_000_000n)
})
