import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plugIntoMoney } from '../../house/plug-in.ts'
import { checkInvariants } from '../../money/audit/invariants.ts'
import { walletAccount } from '../../money/books/accounts.ts'
import { balanceOf } from '../../money/books/journal.ts'
import type { MoneyEngine } from '../../money/engine.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../../money/testing/money-world.ts'
import { createTestClock, wallClock } from '../../platform/clock/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { createIdSource } from '../../platform/id/id.ts'
import { createQueue, type Queue } from '../../platform/queue/queue.ts'
import { createLogService, type LogService } from './service.ts'

/** Payments that somebody else settled, on a chain that takes blocks back. */
const AMOUNT_MICRO = 2_500_000n
const payer = testAccount(1)
const newId = createIdSource(wallClock)
const ownerId = newId()

let world: MoneyWorld
let engine: MoneyEngine
let queue: Queue
let logs: LogService
let wallets = 100
/** How many payments count for each agent. */
const counts = new Map<string, number>()
beforeAll(async () => {
  world = await createMoneyWorld()
  engine = world.startEngine()
  const { db, connection, chaos } = world
  await db.run(sql`insert into owners (id, wallet_address, created_at) values (${ownerId}, '0x1', now())`)
  queue = createQueue({ db, connection, log: pino({ level: 'silent' }) })
  logs = createLogService({
    db,
    clock: createTestClock(),
    newId,
    chain: chaos.chain,
    queue,
    agentOf: async (_db, walletAddress) => ({ id: walletAddress, ownerId, walletAddress }),
    ownerOfWallet: async () => undefined,
    addPaymentToTotals: async (_tx, { agentId, by = 1 }) =>
      void counts.set(agentId, (counts.get(agentId) ?? 0) + by),
  })
  plugIntoMoney(engine, logs)
  for (const { name, options } of logs.tasks) queue.define(name, options)
  await queue.start({ isWorking: false })
  await chaos.faucet({ address: payer.address, amountMicro: 1_000_000_000n })
})
afterAll(async () => {
  await queue.stop()
  await world.close()
})

async function payNewAgent(): Promise<{ agent: string; txHash: string }> {
  wallets += 1
  const { address: agent } = testAccount(wallets)
  await world.db.transaction((tx) => engine.watch(tx, agent))
  await engine.runUntilIdle()
  const call = world.chaos.chain.usdc.transfer({ to: agent, amountMicro: AMOUNT_MICRO })
  return { agent, txHash: await world.execute(payer, call) }
}

const report = ({ agent, txHash }: { agent: string; txHash: string }) =>
  world.db.transaction((tx) =>
    logs.log(tx, ownerId, {
      agentId: agent,
      payeeWallet: undefined,
      txId: txHash,
      amountMicro: AMOUNT_MICRO,
      payerWallet: null,
      logIndex: null,
      serviceName: null,
      metadata: null,
    }),
  )

async function stateOf({ agent, txHash }: { agent: string; txHash: string }) {
  const { db, chaos } = world
  const account = walletAccount(agent)
  const entries = await db.rows<{ kind: string }>(sql`
    select e.kind from journal_entries e join journal_postings p on p.entry_id = e.id
    where p.account = ${account} and e.reverses is null
      and not exists (select 1 from journal_entries r where r.reverses = e.id)`)
  const { verification } = await db.one<{ verification: string }>(
    sql`select verification from x402_transactions where tx_key = ${txHash}`,
  )
  expect(await checkInvariants({ db, chain: chaos.chain })).toEqual([])
  expect(await balanceOf(db, account)).toBe(await chaos.chain.usdc.balanceOf(agent))
  return { verification, kinds: entries.map(({ kind }) => kind), counted: counts.get(agent) ?? 0 }
}

test('taken back and mined again elsewhere, it is looked up again and counted once', async () => {
  const paid = await payNewAgent()
  await report(paid)
  await engine.runUntilIdle()
  await queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'VERIFIED', kinds: ['x402'], counted: 1 })

  await world.chaos.mine()
  await world.chaos.reorganise(2, () => true)
  await engine.runUntilIdle()
  expect(await stateOf(paid)).toEqual({ verification: 'PENDING', kinds: ['transfer.direct'], counted: 0 })
  await queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'VERIFIED', kinds: ['x402'], counted: 1 })
})

test('taken back for good, it counts for nothing', async () => {
  const paid = await payNewAgent()
  await report(paid)
  await engine.runUntilIdle()
  await queue.runAllNow()
  await world.chaos.reorganise(1, () => false)
  await engine.runUntilIdle()
  await queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'UNVERIFIED', kinds: [], counted: 0 })
})

test('taken back before anybody reported it, and reported between, it is counted once', async () => {
  const paid = await payNewAgent()
  await engine.runUntilIdle()
  await world.chaos.mine()
  await world.chaos.reorganise(2, () => true)
  await report(paid)
  // The chain has it in another block than the books: nothing is said before they agree.
  await queue.runAllNow({ onlyDue: true })
  expect((await stateOf(paid)).verification).toBe('PENDING')
  await engine.runUntilIdle()
  await queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'VERIFIED', kinds: ['x402'], counted: 1 })
})
