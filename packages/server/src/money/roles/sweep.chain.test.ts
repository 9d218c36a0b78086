import { MICRO_PER_USDC } from '@agent-marketplace/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { checkInvariants } from '../audit/invariants.ts'
import { spenderAccount, treasuryAccount } from '../books/accounts.ts'
import { balanceOf } from '../books/journal.ts'
import type { MoneyEngine } from '../engine.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../testing/money-world.ts'
import { createSweep, SWEEP_FROM_MICRO } from './sweep.ts'

const DAY = 24 * 3600
const payer = testAccount(1)

let world: MoneyWorld
let clock: ReturnType<typeof createTestClock>
let engine: MoneyEngine
let sweep: ReturnType<typeof createSweep>
const startWorker = () => {
  const started = world.startEngine()
  const { db, chaos } = world
  const { intents, roles } = started
  const made = createSweep({ db, clock, chain: chaos.chain, intents, roles })
  for (const kind of made.intentKinds) intents.register(kind)
  return { engine: started, sweep: made }
}
beforeEach(async () => {
  world = await createMoneyWorld()
  clock = createTestClock()
  const worker = startWorker()
  engine = worker.engine
  sweep = worker.sweep
  await world.chaos.faucet({ address: payer.address, amountMicro: 1_000n * MICRO_PER_USDC })
})
afterEach(async () => {
  expect(await checkInvariants({ db: world.db, chain: world.chaos.chain })).toEqual([])
  await world.close()
})

/** As if so much had been pulled. */
async function gather(amountMicro: bigint): Promise<void> {
  const { usdc, facts } = world.chaos.chain
  await world.execute(payer, usdc.transfer({ to: facts.spender, amountMicro }))
  await engine.runUntilIdle()
}

const held = async () => ({
  spender: await balanceOf(world.db, spenderAccount()),
  treasury: await balanceOf(world.db, treasuryAccount()),
})

test('what has gathered with the spender goes to the treasury, to the unit', async () => {
  await gather(SWEEP_FROM_MICRO + 1n)
  await sweep.runDue()
  await engine.runUntilIdle()
  expect(await held()).toEqual({ spender: 0n, treasury: SWEEP_FROM_MICRO + 1n })
  expect(await world.chaos.chain.usdc.balanceOf(world.chaos.addresses.treasury)).toBe(SWEEP_FROM_MICRO + 1n)
  const entries = await world.db.rows(
    sql`select intent_id from journal_entries where kind = 'treasury.sweep'`,
  )
  expect(entries).toHaveLength(1)
})

test('little stays where it is', async () => {
  await gather(SWEEP_FROM_MICRO - 1n)
  await sweep.runDue()
  await engine.runUntilIdle()
  expect(await held()).toEqual({ spender: SWEEP_FROM_MICRO - 1n, treasury: 0n })
})

test('once a day, however many workers ask and however often', async () => {
  const other = startWorker()
  await gather(SWEEP_FROM_MICRO)
  await Promise.all([sweep.runDue(), other.sweep.runDue(), sweep.runDue(), other.sweep.runDue()])
  await engine.runUntilIdle()
  await gather(SWEEP_FROM_MICRO)
  await sweep.runDue()
  await engine.runUntilIdle()
  expect(await held()).toEqual({ spender: SWEEP_FROM_MICRO, treasury: SWEEP_FROM_MICRO })
  clock.advance(DAY)
  await sweep.runDue()
  await engine.runUntilIdle()
  expect(await held()).toEqual({ spender: 0n, treasury: 2n * SWEEP_FROM_MICRO })
})

test('a reorganisation takes it back and it is made again, once', async () => {
  await gather(SWEEP_FROM_MICRO)
  await sweep.runDue()
  await engine.runUntilIdle()
  await world.chaos.reorganise(1, () => false)
  await engine.runUntilIdle()
  expect(await held()).toEqual({ spender: 0n, treasury: SWEEP_FROM_MICRO })
})

test('while one is under way none is ordered, also on the next day', async () => {
  await gather(SWEEP_FROM_MICRO)
  world.chaos.setWeather('slow')
  await sweep.runDue()
  await engine.runOnce()
  clock.advance(DAY)
  await sweep.runDue()
  world.chaos.setWeather('fair')
  await world.chaos.mine()
  await engine.runUntilIdle()
  expect(await world.db.rows(sql`select status from intents`)).toEqual([{ status: 'SETTLED' }])
})
