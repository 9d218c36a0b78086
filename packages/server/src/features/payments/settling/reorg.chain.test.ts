import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '../../../money/audit/invariants.ts'
import { spenderAccount, treasuryAccount, walletAccount } from '../../../money/books/accounts.ts'
import { balanceOf } from '../../../money/books/journal.ts'
import { type ChaosChain, startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { testAccount } from '../../../money/testing/money-world.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Offer, PaymentsPort } from '../../../ports/payments/port.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { signPayment } from '../../../testing/sign-payment.ts'
import type { Worker } from '../../../testing/start-world.ts'
import { startX402, type TestX402 } from '../testing/start-x402.ts'

/** Payments that a facilitator elsewhere sends, on a chain that takes blocks back. */
const facilitator = testAccount(70)
const agent = testAccount(71)
let chaos: ChaosChain
let service: TestX402
let worker: Worker
let offer: Offer
let told: string[]
beforeAll(async () => {
  chaos = await startChaosChain()
  service = await startX402({
    chain: chaos,
    ports: ({ payments }) => ({
      wallClock: { now: () => new Date(chaos.now() * 1000) },
      payments: sentElsewhere(payments),
    }),
  })
  worker = await service.startWorker()
  await service.give(facilitator.address, 1n)
  await service.db.transaction((tx) => worker.money.watch(tx, agent.address))
  await worker.money.runUntilIdle()
  offer = await service.offerFor({ payTo: agent.address, amountMicro: 1_000_000n })
  worker.payments.register({
    name: 'thing',
    journalKind: 'x402',
    onSettled: async (_tx, { reference }) => void told.push(`settled ${reference}`),
    onReverted: async (_tx, { reference }) => void told.push(`reverted ${reference}`),
  })
})
afterAll(async () => {
  await service.close()
  await chaos.close()
})

function sentElsewhere(port: PaymentsPort): PaymentsPort {
  const { settlement } = port
  if (settlement.by !== 'service') throw new Error('the port settles elsewhere')
  return {
    ...port,
    settlement: {
      by: 'facilitator',
      async settle(payment) {
        const txHash = await service.execute(facilitator, settlement.prepare(payment))
        return { status: 'accepted', txHash }
      },
    },
  }
}

async function settle(reference: string, asked = offer) {
  told = []
  const order = {
    ...(await signPayment(service, await service.newBuyer(), asked)),
    purpose: 'thing',
    reference,
    requestId: null,
    chargedTo: { account: 'a-test', isGuest: false },
    waitMs: PATIENCE_MS,
  }
  expect(await worker.payments.settle(order)).toMatchObject({ outcome: 'settled' })
}

async function pay(reference: string) {
  await settle(reference)
  await worker.money.runUntilIdle()
}

async function expectBooked(amountMicro: bigint): Promise<void> {
  const { db } = service
  expect(await balanceOf(db, walletAccount(agent.address))).toBe(amountMicro)
  const standing = await db.rows<{ kind: string }>(sql`
    select distinct e.kind from journal_entries e join journal_postings p on p.entry_id = e.id
    where p.account = ${walletAccount(agent.address)} and e.reverses is null
      and not exists (select 1 from journal_entries r where r.reverses = e.id)`)
  expect(standing).toEqual([{ kind: 'x402' }])
  expect(await checkInvariants({ db, chain: chaos.chain })).toEqual([])
}

test('taken back and mined again elsewhere: undone, looked up, and counted once', async () => {
  await pay('again')
  await expectBooked(1_000_000n)
  await chaos.mine()
  await chaos.reorganise(2, () => true)
  await worker.money.runUntilIdle()
  expect(told).toEqual(['settled again', 'reverted again'])
  await worker.payments.resume()
  expect(told).toEqual(['settled again', 'reverted again', 'settled again'])
  await expectBooked(1_000_000n)
})

test('taken back for good: undone, and sent again', async () => {
  await pay('gone')
  await expectBooked(2_000_000n)
  await chaos.reorganise(1, () => false)
  await worker.money.runUntilIdle()
  expect(told).toEqual(['settled gone', 'reverted gone'])
  await worker.payments.resume()
  await worker.money.runUntilIdle()
  expect(told).toEqual(['settled gone', 'reverted gone', 'settled gone'])
  await expectBooked(2_000_000n)
})

test('found by a look-up and taken back before the indexer had a round of its own: undone, and sent again', async () => {
  await settle('early')
  await chaos.reorganise(1, () => false)
  await worker.money.runUntilIdle()
  expect(told).toEqual(['settled early', 'reverted early'])
  await worker.payments.resume()
  await worker.money.runUntilIdle()
  expect(told).toEqual(['settled early', 'reverted early', 'settled early'])
  await expectBooked(3_000_000n)
})

test.each([
  ['spender', spenderAccount, () => chaos.chain.facts.spender],
  ['treasury', treasuryAccount, () => chaos.chain.facts.contracts.treasury],
])('a payment to the %s is booked where the platform keeps that money', async (name, account, addressOf) => {
  const { db } = service
  const beforeMicro = await balanceOf(db, account())
  await settle(`to ${name}`, await service.offerFor({ payTo: addressOf(), amountMicro: 1_000_000n }))
  await worker.money.runUntilIdle()
  expect((await balanceOf(db, account())) - beforeMicro).toBe(1_000_000n)
  expect(await balanceOf(db, walletAccount(addressOf()))).toBe(0n)
  expect(await checkInvariants({ db, chain: chaos.chain })).toEqual([])
})
