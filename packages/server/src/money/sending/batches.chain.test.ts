import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { checkInvariants } from '../audit/invariants.ts'
import type { FaultPoint } from '../faults.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../testing/money-world.ts'
import { orderTransfer } from '../testing/orders.ts'

const payer = testAccount(1)
const payee = testAccount(2).address
const AMOUNT = 1_000_000n
const PAYMENTS = 5
const settings = { batchSize: 1 }

let world: MoneyWorld
beforeEach(async () => {
  world = await createMoneyWorld()
  await world.chaos.faucet({ address: payer.address, amountMicro: 100n * AMOUNT })
})
afterEach(() => world.close())

async function orderPayments(engine: ReturnType<MoneyWorld['startEngine']>): Promise<void> {
  const amounts = { from: payer, to: payee, amountMicro: AMOUNT }
  for (let number = 0; number < PAYMENTS; number += 1) {
    const order = await orderTransfer(world.chaos, { kind: 'test.withdrawal', ...amounts, number })
    await world.db.transaction((tx) => engine.intents.create(tx, order))
  }
}

/** Each payment once, with the nonces in the order of the intents. */
async function expectAllPaid(): Promise<void> {
  expect(await world.chaos.chain.usdc.balanceOf(payee)).toBe(BigInt(PAYMENTS) * AMOUNT)
  const nonces = await world.db.rows(sql`
    select nonce from chain_transactions t join intents i on i.id = t.intent_id
    where t.status = 'MINED' order by i.seq`)
  expect(nonces).toEqual(Array.from({ length: PAYMENTS }, (_, index) => ({ nonce: BigInt(index) })))
  expect(await checkInvariants({ db: world.db, chain: world.chaos.chain })).toEqual([])
}

test('batches that overlap go out in order, each payment once', async () => {
  const engine = world.startEngine({ settings })
  await orderPayments(engine)
  await engine.runUntilIdle()
  await expectAllPaid()
})

test.each(['intent.claimed', 'transaction.storing', 'transaction.stored', 'transaction.sent'] as const)(
  'a failure at %s in the middle of them: what is stored goes out, and each is paid once',
  async (point) => {
    let reached = 0
    const reach = (at: FaultPoint) => {
      reached += at === point ? 1 : 0
      if (at === point && reached === 3) throw new Error(`failed at ${point}`)
    }
    const engine = world.startEngine({ settings, faults: { reach } })
    await orderPayments(engine)
    await expect(engine.runUntilIdle()).rejects.toThrow(`failed at ${point}`)
    await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
    await engine.runUntilIdle()
    await expectAllPaid()
  },
)

test.each(['transaction.storing', 'transaction.stored', 'transaction.sent'] as const)(
  'a failure at %s keeps what was tried behind it no longer than a first pause',
  async (point) => {
    const reach = (at: FaultPoint) => {
      if (at === point) throw new Error(`failed at ${point}`)
    }
    const engine = world.startEngine({ settings, faults: { reach } })
    await orderPayments(engine)
    await expect(engine.runUntilIdle()).rejects.toThrow(`failed at ${point}`)
    const kept = await world.db.rows(sql`
      select id from intents where status = 'PENDING' and claimed_until > now() + interval '10 seconds'`)
    expect(kept).toEqual([])
  },
)
