import { MICRO_PER_USDC } from '@agent-marketplace/contract'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createChainPort } from '../../ports/chain/client-adapter.ts'
import type { EscrowRole } from '../../ports/chain/port.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { checkInvariants } from '../audit/invariants.ts'
import { treasuryAccount, walletAccount } from '../books/accounts.ts'
import { balanceOf } from '../books/journal.ts'
import type { MoneyEngine } from '../engine.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../testing/money-world.ts'
import { orderAction, orderDeposit } from '../testing/orders.ts'
import { acceptRole, asArbiter, proposeRole } from '../testing/role-calls.ts'
import { bindTreasury } from './roles.ts'
import { createSweep, SWEEP_FROM_MICRO } from './sweep.ts'

const PRICE_MICRO = 100n * MICRO_PER_USDC
const FEE_MICRO = 2n * MICRO_PER_USDC
const client = testAccount(1)
const seller = testAccount(2)
const agent = testAccount(3)
const successor = testAccount(4)

let world: MoneyWorld
let engine: MoneyEngine
let jobs = 0
beforeEach(async () => {
  world = await createMoneyWorld()
  engine = world.startEngine()
  await world.chaos.faucet({ address: client.address, amountMicro: 10_000n * MICRO_PER_USDC })
  await world.chaos.faucet({ address: successor.address, amountMicro: 7n })
  await engine.runUntilIdle()
})
afterEach(async () => {
  expect(await breaches()).toEqual([])
  await world.close()
})

const breaches = () => checkInvariants({ db: world.db, chain: world.chaos.chain })
const messages = () => world.alarms.map(({ message }) => message)
const booked = (address: string) => balanceOf(world.db, walletAccount(address))
const onChain = (address: string) => world.chaos.chain.usdc.balanceOf(address)

async function rotate(role: EscrowRole, from: PrivateKeyAccount, to: PrivateKeyAccount): Promise<void> {
  const { escrow } = world.chaos.addresses
  await world.execute(from, proposeRole(escrow, role, to.address))
  await world.execute(to, acceptRole(escrow, role))
}

/** Funded and delivered; released when the operator sends it. */
async function orderRelease(): Promise<string> {
  jobs += 1
  const { key, intent } = await orderDeposit(world.chaos, {
    jobId: `job-${jobs}`,
    client,
    seller: seller.address,
    agentWallet: agent.address,
    amountMicro: PRICE_MICRO,
  })
  await world.db.transaction(async (tx) => {
    await engine.intents.create(tx, intent)
    await engine.intents.create(tx, orderAction(key, 'submit'))
  })
  await engine.runUntilIdle()
  await world.db.transaction((tx) => engine.intents.create(tx, orderAction(key, 'release')))
  return `release:${key}`
}

const statusOf = async (key: string) => (await engine.intents.find(world.db, key))?.status

describe('another treasury', () => {
  beforeEach(() => rotate('treasury', world.chaos.roles.treasury, successor))

  test('gets the fees and the sweeps, each micro-USDC in the books, with one alarm', async () => {
    const release = await orderRelease()
    await engine.runUntilIdle()
    expect(await statusOf(release)).toBe('SETTLED')
    expect([await onChain(successor.address), await booked(successor.address)]).toEqual([
      FEE_MICRO + 7n,
      FEE_MICRO + 7n,
    ])

    const { chain } = world.chaos
    const { intents, roles } = engine
    const sweep = createSweep({ db: world.db, clock: createTestClock(), chain, intents, roles })
    for (const kind of sweep.intentKinds) intents.register(kind)
    await world.execute(
      client,
      chain.usdc.transfer({ to: chain.facts.spender, amountMicro: SWEEP_FROM_MICRO }),
    )
    await engine.runUntilIdle()
    await sweep.runDue()
    await engine.runUntilIdle()
    const expected = FEE_MICRO + 7n + SWEEP_FROM_MICRO
    expect([await onChain(successor.address), await booked(successor.address)]).toEqual([expected, expected])
    expect(await balanceOf(world.db, treasuryAccount())).toBe(0n)
    expect(messages()).toEqual(['The escrow has another treasury. Fees and sweeps go to the new one.'])
  })

  test('what the old one got before, and what it passes on, stays in its own account', async () => {
    const { chaos, db } = world
    const { treasury } = chaos.roles
    await rotate('treasury', successor, treasury)
    await orderRelease()
    await engine.runUntilIdle()
    expect(await balanceOf(db, treasuryAccount())).toBe(FEE_MICRO)
    await rotate('treasury', treasury, successor)
    await world.execute(treasury, chaos.chain.usdc.transfer({ to: successor.address, amountMicro: 5n }))
    await engine.runUntilIdle()
    expect(await balanceOf(db, treasuryAccount())).toBe(FEE_MICRO - 5n)
    expect(await booked(successor.address)).toBe(12n)
  })

  test('a fork takes it back: the old one gets the fees again', async () => {
    await engine.runUntilIdle()
    expect(await engine.roles.holderOf('treasury')).toBe(successor.address)
    await world.chaos.reorganise(1, () => false)
    await engine.runUntilIdle()
    expect(await engine.roles.holderOf('treasury')).toBe(world.chaos.addresses.treasury)
    expect(messages()).toContain('A fork took back a change of one of the escrow’s roles')
    expect(await breaches()).toEqual([])
    await orderRelease()
    await engine.runUntilIdle()
    expect(await balanceOf(world.db, treasuryAccount())).toBe(FEE_MICRO)
    expect(await booked(successor.address)).toBe(7n)
  })

  test('a service that starts afterwards keeps every address under the account that it has', async () => {
    await orderRelease()
    await engine.runUntilIdle()
    const { chain, roles } = world.chaos
    const { contracts } = chain.facts
    const afterwards = {
      ...chain,
      facts: { ...chain.facts, contracts: { ...contracts, treasury: successor.address } },
    }
    const bound = await bindTreasury(world.db, afterwards)
    expect(bound.facts.contracts.treasury).toBe(roles.treasury.address)
  })
})

describe('another operator', () => {
  test('what our key should send waits, and goes out when the role comes back', async () => {
    const release = await orderRelease()
    const { operator } = world.chaos.roles
    const { escrow } = world.chaos.addresses
    // By the arbiter, as when a key is stolen; our own engine notices it by the refusal, before it has read the block.
    await world.execute(
      successor,
      await asArbiter(world.chaos, proposeRole(escrow, 'operator', successor.address)),
    )
    await world.execute(successor, acceptRole(escrow, 'operator'))
    const broadcasts = world.chaos.broadcasts()
    await engine.runUntilIdle()
    expect(await statusOf(release)).toBe('PENDING')
    expect((await engine.status()).isOperator).toBe(false)
    expect(messages()).toEqual(['The escrow has another operator. Nothing is sent unless it is our key.'])
    expect(await engine.idlesWithin(1_000)).toBe(true)
    expect(world.chaos.broadcasts()).toBe(broadcasts)

    await rotate('operator', successor, operator)
    await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
    await engine.runUntilIdle()
    expect(await statusOf(release)).toBe('SETTLED')
    expect((await engine.status()).isOperator).toBe(true)
  })

  test('a transaction that is mined after the role was taken leaves its intent waiting, once no fork can reach it', async () => {
    const release = await orderRelease()
    const { operator } = world.chaos.roles
    world.chaos.setWeather('slow')
    world.chaos.setFinalityLag(2)
    // Both in one block: first the role is gone, then our transaction comes.
    const { escrow } = world.chaos.addresses
    await world.execute(operator, proposeRole(escrow, 'operator', successor.address))
    await world.chaos.mine()
    await world.execute(successor, acceptRole(escrow, 'operator'))
    await engine.runOnce()
    await world.chaos.mine()
    world.chaos.setWeather('fair')
    await engine.runUntilIdle()
    expect(await statusOf(release)).toBe('SUBMITTED')
    await world.chaos.mine()
    await world.chaos.mine()
    await engine.runUntilIdle()
    expect(await statusOf(release)).toBe('PENDING')
    expect(await breaches()).toEqual([])

    await rotate('operator', successor, operator)
    await engine.runUntilIdle()
    expect(await statusOf(release)).toBe('SETTLED')
    expect(await onChain(world.chaos.addresses.treasury)).toBe(FEE_MICRO)
  })

  test('what the old key sent and what waits is carried on by a process that has the new one', async () => {
    const { operator } = world.chaos.roles
    const hold = (key: string) =>
      world.db.run(sql`update intents set claimed_until = 'infinity' where key = ${key}`)
    const lost = await orderRelease()
    await hold(lost)
    const late = await orderRelease()
    await hold(late)
    // The first is stored and never arrives; the second is not even claimed when the role goes.
    world.chaos.setWeather('dropped')
    await world.db.run(sql`update intents set claimed_until = null where key = ${lost}`)
    await engine.runOnce()
    world.chaos.setWeather('fair')
    const { escrow } = world.chaos.addresses
    await world.execute(
      successor,
      await asArbiter(world.chaos, proposeRole(escrow, 'operator', successor.address)),
    )
    await world.execute(successor, acceptRole(escrow, 'operator'))
    await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)

    const chain = await createChainPort({
      client: world.chaos.client,
      escrow,
      signers: { operator: successor, spender: world.chaos.roles.spender },
    })
    engine = world.startEngine({ chain })
    await engine.runUntilIdle()
    expect([await statusOf(lost), await statusOf(late)]).toEqual(['SETTLED', 'SETTLED'])
    expect(await onChain(world.chaos.addresses.treasury)).toBe(2n * FEE_MICRO)
    const senders = await world.db.rows(sql`
      select t.sender, t.status from chain_transactions t join intents i on i.id = t.intent_id
      where i.key = ${lost} order by t.created_at`)
    expect(senders).toEqual([
      { sender: operator.address, status: 'VOID' },
      { sender: successor.address, status: 'MINED' },
    ])
  })

  test('a fork that takes the change back lets it go on', async () => {
    await rotate('operator', world.chaos.roles.operator, successor)
    await engine.runUntilIdle()
    await orderRelease()
    await engine.runUntilIdle()
    const waiting = `deposit:job-${jobs}`
    expect(await statusOf(waiting)).toBe('PENDING')
    await world.chaos.reorganise(1, () => false)
    await engine.runUntilIdle()
    expect(await statusOf(waiting)).toBe('SETTLED')
  })
})
