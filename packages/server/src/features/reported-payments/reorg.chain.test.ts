import { afterAll, beforeAll, expect, test } from 'vitest'
import { walletAccount } from '../../money/books/accounts.ts'
import { balanceOf } from '../../money/books/journal.ts'
import { type ChaosChain, startChaosChain } from '../../money/testing/chaos-chain.ts'
import { impatient, testAccount } from '../../money/testing/money-world.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import type { WorldAgent, WorldOwner } from '../../testing/world/world-people.ts'

/** Payments that somebody else settled, on a chain that takes blocks back. */
const AMOUNT_MICRO = 2_500_000n
const payer = testAccount(1)

let chaos: ChaosChain
let world: World
let owner: WorldOwner
beforeAll(async () => {
  chaos = await startChaosChain()
  world = await startWorld({ chain: chaos, moneyOptions: { settings: impatient } })
  owner = await world.newOwner()
  await world.give(payer.address, 1_000_000_000n)
})
afterAll(async () => {
  await world.close()
  await chaos.close()
})

interface Paid {
  agent: WorldAgent
  txHash: Hex
}

async function payNewAgent(): Promise<Paid> {
  const agent = await world.newAgent(await world.newOwner())
  await world.runUntilIdle()
  const to = world.chain.checksumAddress(agent.wallet)
  const call = world.chain.usdc.transfer({ to, amountMicro: AMOUNT_MICRO })
  return { agent, txHash: await world.execute(payer, call) }
}

async function report({ agent, txHash }: Paid): Promise<void> {
  const response = await world.http.inject({
    method: 'POST',
    url: '/api/x402/log',
    headers: owner.headers,
    payload: { agentId: agent.id, txHash, amountMicroUsdc: AMOUNT_MICRO.toString() },
  })
  expect(response.statusCode).toBe(201)
}

const verificationOf = async ({ txHash }: Paid): Promise<string> =>
  (
    await world.db.one<{ verification: string }>(
      sql`select verification from x402_transactions where tx_key = ${txHash}`,
    )
  ).verification

async function stateOf(paid: Paid) {
  const { agent } = paid
  const { db } = world
  const account = walletAccount(agent.wallet)
  const entries = await db.rows<{ kind: string }>(sql`
    select e.kind from journal_entries e join journal_postings p on p.entry_id = e.id
    where p.account = ${account} and e.reverses is null
      and not exists (select 1 from journal_entries r where r.reverses = e.id)`)
  const verification = await verificationOf(paid)
  const { counted } = await db.one<{ counted: number }>(
    sql`select verified_x402_payments as counted from agents where id = ${agent.id}`,
  )
  expect(await world.breaches()).toEqual([])
  expect(await balanceOf(db, account)).toBe(await world.balanceOf(agent.wallet))
  return { verification, kinds: entries.map(({ kind }) => kind), counted }
}

test('before the indexer has come to its block nothing is said yet; afterwards it is counted once', async () => {
  const paid = await payNewAgent()
  await report(paid)
  await world.queue.runAllNow({ onlyDue: true })
  expect(await verificationOf(paid)).toBe('PENDING')
  await world.runUntilIdle()
  await world.queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'VERIFIED', kinds: ['x402'], counted: 1 })
})

test('taken back and mined again elsewhere, it is looked up again and counted once', async () => {
  const paid = await payNewAgent()
  await report(paid)
  await world.runUntilIdle()
  await world.queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'VERIFIED', kinds: ['x402'], counted: 1 })

  await chaos.mine()
  await chaos.reorganise(2, () => true)
  await world.runUntilIdle()
  expect(await stateOf(paid)).toEqual({ verification: 'PENDING', kinds: ['transfer.direct'], counted: 0 })
  await world.queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'VERIFIED', kinds: ['x402'], counted: 1 })
})

test('taken back for good, it counts for nothing', async () => {
  const paid = await payNewAgent()
  await report(paid)
  await world.runUntilIdle()
  await world.queue.runAllNow()
  await chaos.reorganise(1, () => false)
  await world.runUntilIdle()
  await world.queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'UNVERIFIED', kinds: [], counted: 0 })
})

test('taken back before anybody reported it, and reported between, it is counted once', async () => {
  const paid = await payNewAgent()
  await world.runUntilIdle()
  await chaos.mine()
  await chaos.reorganise(2, () => true)
  await report(paid)
  // The chain has it in another block than the books: nothing is said before they agree.
  await world.queue.runAllNow({ onlyDue: true })
  expect((await stateOf(paid)).verification).toBe('PENDING')
  await world.runUntilIdle()
  await world.queue.runAllNow()
  expect(await stateOf(paid)).toEqual({ verification: 'VERIFIED', kinds: ['x402'], counted: 1 })
})
