import { AppError } from '@agent-marketplace/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EmbeddedChain } from '../../../ports/chain/embedded.ts'
import type { Offer } from '../../../ports/payments/port.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { newWallet } from '../../../testing/sign-in.ts'
import { signPayment } from '../../../testing/sign-payment.ts'
import type { Worker } from '../../../testing/start-world.ts'
import { startTestChain } from '../../../testing/test-chain.ts'
import { startX402, type TestX402 } from '../testing/start-x402.ts'

const payTo = newWallet().address
let chain: EmbeddedChain
let service: TestX402
let worker: Worker
let offer: Offer
let told: string[]
beforeAll(async () => {
  chain = await startTestChain()
  service = await startX402({ chain })
  worker = await service.startWorker()
  offer = await service.offerFor({ payTo, amountMicro: 1_000_000n })
  worker.payments.register({
    name: 'thing',
    journalKind: 'x402',
    onSettled: async (_tx, { reference, payer, amountMicro }) =>
      void told.push(`settled ${reference} ${payer} ${amountMicro}`),
    onRejected: async (_tx, { reference, reason }) => void told.push(`rejected ${reference} ${reason}`),
  })
})
beforeEach(() => {
  told = []
})
afterAll(async () => {
  await service.close()
  await chain.close()
})

const order = {
  purpose: 'thing',
  requestId: null,
  chargedTo: { account: 'a-test', isGuest: false },
  waitMs: PATIENCE_MS,
}

test('what may not be paid for is not taken, offered or charged; a payment taken before is not asked about', async () => {
  const buyer = await service.newBuyer()
  const signed = await signPayment(service, buyer, offer)
  let isOpen = false
  const check = async () => {
    if (!isOpen) throw new AppError('CONFLICT')
  }
  const settle = () =>
    worker.whileWorking(worker.payments.settle({ ...order, ...signed, reference: 'gate', check }))
  await expect(settle()).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await worker.payments.find('thing', 'gate', 0)).toBeUndefined()
  isOpen = true
  expect(await settle()).toMatchObject({ outcome: 'settled', payer: buyer.address })
  isOpen = false
  expect(await settle()).toMatchObject({ outcome: 'settled' })
  expect(told).toEqual([`settled gate ${buyer.address} 1000000`])
  expect(await chain.chain.usdc.balanceOf(buyer.address)).toBe(49_000_000n)
})
