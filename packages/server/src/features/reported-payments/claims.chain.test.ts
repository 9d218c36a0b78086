import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { plugIntoMoney } from '../../house/plug-in.ts'
import { checkInvariants, moneyInvariants } from '../../money/audit/invariants.ts'
import { claimedAccount, outsideAccount, walletAccount } from '../../money/books/accounts.ts'
import { balanceOf, postEntry } from '../../money/books/journal.ts'
import type { MoneyEngine } from '../../money/engine.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../../money/testing/money-world.ts'
import { createTestClock, wallClock } from '../../platform/clock/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import { createIdSource } from '../../platform/id/id.ts'
import { createQueue, type Queue } from '../../platform/queue/queue.ts'
import { x402Invariants } from './invariants.ts'
import { createLogService, type LogService } from './service.ts'

/** What a payee's owner reports of its own agent: a claim, until the chain shows it. */
const AMOUNT_MICRO = 2_500_000n
const payer = testAccount(1)
const newId = createIdSource(wallClock)
const seller = newId()
const buyer = newId()

let world: MoneyWorld
let engine: MoneyEngine
let queue: Queue
let logs: LogService
let wallets = 200
beforeAll(async () => {
  world = await createMoneyWorld()
  engine = world.startEngine()
  const { db, connection, chaos } = world
  await db.run(sql`
    insert into owners (id, wallet_address, created_at) values (${seller}, '0x1', now()), (${buyer}, '0x2', now())`)
  queue = createQueue({ db, connection, log: pino({ level: 'silent' }) })
  logs = createLogService({
    db,
    clock: createTestClock(),
    newId,
    chain: chaos.chain,
    queue,
    agentOf: async (_db, walletAddress) => ({ id: walletAddress, ownerId: seller, walletAddress }),
    ownerOfWallet: async () => undefined,
    addPaymentToTotals: async () => {},
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
afterEach(async () => {
  await engine.runUntilIdle()
  expect(await breaches()).toEqual([])
})

const breaches = () =>
  checkInvariants({ db: world.db, chain: world.chaos.chain }, [...moneyInvariants, ...x402Invariants])

interface Paid {
  agent: string
  txHash: string
}

async function newAgent(): Promise<string> {
  wallets += 1
  const { address } = testAccount(wallets)
  await world.db.transaction((tx) => engine.watch(tx, address))
  await engine.runUntilIdle()
  return address
}

async function pay(agent: string): Promise<Paid> {
  const call = world.chaos.chain.usdc.transfer({
    to: world.chaos.chain.checksumAddress(agent) as `0x${string}`,
    amountMicro: AMOUNT_MICRO,
  })
  return { agent, txHash: await world.execute(payer, call) }
}

const report = (ownerId: string, { agent, txHash }: Paid, amountMicro = AMOUNT_MICRO) =>
  world.db.transaction((tx) =>
    logs.log(tx, ownerId, {
      agentId: agent,
      payeeWallet: undefined,
      txId: txHash,
      amountMicro,
      payerWallet: null,
      logIndex: null,
      serviceName: null,
      metadata: null,
    }),
  )

async function work(): Promise<void> {
  await engine.runUntilIdle()
  await queue.runAllNow()
}

const claimedBy = ({ agent }: Paid) => balanceOf(world.db, claimedAccount(agent))
const heldBy = ({ agent }: Paid) => balanceOf(world.db, walletAccount(agent))
const unknownHash = () => `0x${newId().slice(1).padEnd(64, '0')}`.replaceAll(/[g-z]/g, 'a')

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
  expect(await report(seller, paid)).toMatchObject({ isNew: false })
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
  await world.chaos.mine()
  await world.chaos.reorganise(2, () => true)
  await engine.runUntilIdle()
  expect(await claimedBy(paid)).toBe(AMOUNT_MICRO)
  expect(await breaches()).toEqual([])
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
      const found = await checkInvariants({ db, chain: world.chaos.chain }, x402Invariants)
      expect(found).toMatchObject([{ invariant: 'X1', rows: [{ account: claimedAccount(address) }] }])
      throw new Error('leave it as it was')
    })
    .catch((error: Error) => expect(error.message).toBe('leave it as it was'))
})
