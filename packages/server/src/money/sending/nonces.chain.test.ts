import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { checkInvariants } from '../audit/invariants.ts'
import type { MoneyEngine } from '../engine.ts'
import type { Liar } from '../testing/chaos-chain.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../testing/money-world.ts'
import { orderTransfer } from '../testing/orders.ts'

const payer = testAccount(1)
const payee = testAccount(2).address
const settings = { agreeingResponses: 3 }

let world: MoneyWorld
beforeEach(async () => {
  world = await createMoneyWorld()
  await world.chaos.faucet({ address: payer.address, amountMicro: 1_000n })
})
afterEach(() => world.close())

async function pay(engine: MoneyEngine, number: number): Promise<void> {
  const order = await orderTransfer(world.chaos, {
    kind: 'test.withdrawal',
    from: payer,
    to: payee,
    amountMicro: 1n,
    number,
  })
  await world.db.transaction((tx) => engine.intents.create(tx, order))
}

/** Once, and then the truth. */
const addsThree = (tag: 'latest' | 'pending'): Liar => {
  let isSpent = false
  return async ({ method, params }, ask) => {
    const response = await ask(method, params)
    if (method !== 'eth_getTransactionCount' || params[1] !== tag || isSpent) return response
    isSpent = true
    return `0x${(Number(response) + 3).toString(16)}`
  }
}

const heal = async (engine: MoneyEngine): Promise<void> => {
  for (let round = 0; round < 6; round += 1) {
    await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
    await world.chaos.mine()
    for (let turn = 0; turn < 5; turn += 1) await engine.runOnce()
  }
}

const nonces = () =>
  world.db.rows(
    sql`select nonce::int, status from chain_transactions where sender = ${
      world.chaos.roles.operator.address
    } order by nonce`,
  )

test('a node that names a count too high once leaves no gap', async () => {
  const engine = world.startEngine({ settings })
  await pay(engine, 1)
  await engine.runUntilIdle()
  await pay(engine, 2)
  world.chaos.setLiar(addsThree('latest'))
  await engine.runOnce().catch(() => undefined)
  world.chaos.setLiar(undefined)
  await heal(engine)
  expect(await nonces()).toEqual([
    { nonce: 0, status: 'MINED' },
    { nonce: 1, status: 'MINED' },
  ])
  expect(await world.chaos.chain.usdc.balanceOf(payee)).toBe(2n)
})

test('a gap that is there is filled, and what waited behind it is paid', async () => {
  const engine = world.startEngine({ settings })
  world.chaos.setLiar(addsThree('pending'))
  await pay(engine, 1)
  await engine.runOnce().catch(() => undefined)
  world.chaos.setLiar(undefined)
  expect(await nonces()).toEqual([{ nonce: 3, status: 'OPEN' }])
  await heal(engine)
  expect(await nonces()).toEqual([0, 1, 2, 3].map((nonce) => ({ nonce, status: 'MINED' })))
  expect(await world.chaos.chain.usdc.balanceOf(payee)).toBe(1n)
  expect(world.alarms).toMatchObject([{ message: expect.stringContaining('Nonces were missing') }])
  expect(await checkInvariants({ db: world.db, chain: world.chaos.chain })).toEqual([])
})

test('what happens in the escrow’s own block is in the books', async () => {
  const deployedIn = 1n
  const engine = world.startEngine({ settings: { startBlock: deployedIn } })
  await engine.runUntilIdle()
  expect(await checkInvariants({ db: world.db, chain: world.chaos.chain })).toEqual([])
  const roles = await world.db.rows(
    sql`select name from chain_events where name = 'RoleChanged' and block_number = ${deployedIn}`,
  )
  expect(roles).toHaveLength(3)
})
