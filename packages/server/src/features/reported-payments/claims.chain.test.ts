import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '../../money/audit/invariants.ts'
import { claimedAccount, outsideAccount, walletAccount } from '../../money/books/accounts.ts'
import { balanceOf, postEntry } from '../../money/books/journal.ts'
import { type ChaosChain, startChaosChain } from '../../money/testing/chaos-chain.ts'
import { impatient, testAccount } from '../../money/testing/money-world.ts'
import { sql } from '../../platform/db/sql.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import type { WorldAgent, WorldOwner } from '../../testing/world/world-people.ts'
import { x402Invariants } from './invariants.ts'

/** What a payee's owner reports of its own agent: a claim, until the chain shows it. */
const AMOUNT_MICRO = 2_500_000n
const payer = testAccount(1)

let chaos: ChaosChain
let world: World
let seller: WorldOwner
let buyer: WorldOwner
beforeAll(async () => {
  chaos = await startChaosChain()
  world = await startWorld({ chain: chaos, moneyOptions: { settings: impatient } })
  seller = await world.newOwner()
  buyer = await world.newOwner()
  await world.give(payer.address, 1_000_000_000n)
})
afterAll(async () => {
  await world.close()
  await chaos.close()
})
afterEach(async () => {
  await world.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

interface Paid {
  agent: WorldAgent
  txHash: string
}

async function newAgent(): Promise<WorldAgent> {
  const agent = await world.newAgent(seller)
  await world.runUntilIdle()
  return agent
}

async function pay(agent: WorldAgent): Promise<Paid> {
  const to = world.chain.checksumAddress(agent.wallet)
  const call = world.chain.usdc.transfer({ to, amountMicro: AMOUNT_MICRO })
  return { agent, txHash: await world.execute(payer, call) }
}

/** Returns 201 for the first report of a payment, and 200 for one that is known. */
async function report({ headers }: WorldOwner, { agent, txHash }: Paid): Promise<number> {
  const payload = { agentId: agent.id, txHash, amountMicroUsdc: AMOUNT_MICRO.toString() }
  const response = await world.http.inject({ method: 'POST', url: '/api/x402/log', headers, payload })
  return response.statusCode
}

async function work(): Promise<void> {
  await world.runUntilIdle()
  await world.queue.runAllNow()
}

const claimedBy = ({ agent }: Paid) => balanceOf(world.db, claimedAccount(agent.wallet))
const heldBy = ({ agent }: Paid) => balanceOf(world.db, walletAccount(agent.wallet))
const unknownHash = () => `0x${randomBytes(32).toString('hex')}`

test('the seller’s own report is a claim at once, and money when the chain shows it; never both', async () => {
  const paid = await pay(await newAgent())
  await report(seller, paid)
  expect([await claimedBy(paid), await heldBy(paid)]).toEqual([AMOUNT_MICRO, 0n])
  await work()
  expect([await claimedBy(paid), await heldBy(paid)]).toEqual([0n, AMOUNT_MICRO])
})

test('a payment that the chain does not show stays a claim', async () => {
  const paid = { agent: await newAgent(), txHash: unknownHash() }
  await report(seller, paid)
  await work()
  const [row] = await world.db.rows(
    sql`select verification from x402_transactions where tx_key = ${paid.txHash}`,
  )
  expect(row).toEqual({ verification: 'UNVERIFIED' })
  expect([await claimedBy(paid), await heldBy(paid)]).toEqual([AMOUNT_MICRO, 0n])
})

test('what the buyer reports is none, until the seller reports it too', async () => {
  const paid = { agent: await newAgent(), txHash: unknownHash() }
  await report(buyer, paid)
  expect(await claimedBy(paid)).toBe(0n)
  expect(await report(seller, paid)).toBe(200)
  expect(await claimedBy(paid)).toBe(AMOUNT_MICRO)
})

test('twenty reports at once are one claim, and reports after the chain has shown it are none', async () => {
  const paid = await pay(await newAgent())
  await report(buyer, paid)
  await Promise.all(Array.from({ length: 20 }, () => report(seller, paid)))
  expect(await claimedBy(paid)).toBe(AMOUNT_MICRO)
  await work()
  await report(seller, paid)
  expect([await claimedBy(paid), await heldBy(paid)]).toEqual([0n, AMOUNT_MICRO])
})

test('a payment that a fork takes back is a claim again, and money again when it is mined again', async () => {
  const paid = await pay(await newAgent())
  await report(seller, paid)
  await work()
  await chaos.mine()
  await chaos.reorganise(2, () => true)
  await world.runUntilIdle()
  expect(await claimedBy(paid)).toBe(AMOUNT_MICRO)
  expect(await world.breaches()).toEqual([])
  await work()
  expect([await claimedBy(paid), await heldBy(paid)]).toEqual([0n, AMOUNT_MICRO])
})

test('a claim that rests on nothing is found', async () => {
  const { address } = testAccount(199)
  await world.db
    .transaction(async (tx) => {
      await postEntry(tx, {
        kind: 'x402.claimed',
        at: new Date(),
        postings: [
          { account: claimedAccount(address), amountMicro: 1n },
          { account: outsideAccount('claim:cnone'), amountMicro: -1n },
        ],
      })
      const db = { ...world.db, ...tx }
      const found = await checkInvariants({ db, chain: world.chain }, x402Invariants)
      expect(found).toMatchObject([{ invariant: 'X1', rows: [{ account: claimedAccount(address) }] }])
      throw new Error('leave it as it was')
    })
    .catch((error: Error) => expect(error.message).toBe('leave it as it was'))
})
