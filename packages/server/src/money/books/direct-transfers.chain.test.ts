import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { checkInvariants } from '../audit/invariants.ts'
import type { MoneyEngine } from '../engine.ts'
import { createFollower } from '../following/follower.ts'
import { createRecorder } from '../following/recorder.ts'
import { defaultMoneySettings } from '../money-deps.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../testing/money-world.ts'
import { orderAction, orderDeposit, orderTransfer } from '../testing/orders.ts'
import { outsideAccount, spenderAccount, treasuryAccount, walletAccount } from './accounts.ts'
import { balanceOf, DIRECT_TRANSFER, OPENING_BALANCE, placeOf, postEntry } from './journal.ts'

const stranger = testAccount(1)
const agent = testAccount(3)
const other = testAccount(4)

let world: MoneyWorld
let engine: MoneyEngine
beforeEach(async () => {
  world = await createMoneyWorld()
  engine = world.startEngine()
  await world.chaos.faucet({ address: stranger.address, amountMicro: 1_000_000_000n })
})
afterEach(() => world.close())

const watch = (address: string) => world.db.transaction((tx) => engine.watch(tx, address))
const send = (from: PrivateKeyAccount, to: string, amountMicro: bigint) =>
  world.execute(from, world.chaos.chain.usdc.transfer({ to, amountMicro }))
const booked = (address: string) => balanceOf(world.db, walletAccount(address))
const breaches = () => checkInvariants({ db: world.db, chain: world.chaos.chain })
/** The agent's first transfer, as the chain has it. */
async function firstTransfer() {
  const blocks = { fromBlock: 0n, toBlock: 1_000n }
  const [event] = await world.chaos.chain.reader.getUsdcEvents({ wallets: [agent.address], ...blocks })
  if (event === undefined) throw new Error('the transfer is not there')
  return event
}
const kinds = async () =>
  (
    await world.db.rows<{ kind: string }>(sql`
      select kind from journal_entries e where reverses is null
        and not exists (select 1 from journal_entries r where r.reverses = e.id) order by seq`)
  ).map(({ kind }) => kind)

test('what anybody sends to a watched wallet, or from it, is in the books', async () => {
  await watch(agent.address)
  await engine.runUntilIdle()
  await send(stranger, agent.address, 7_000_000n)
  await send(agent, other.address, 2_000_000n)
  await send(stranger, other.address, 1n)
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(5_000_000n)
  expect(await balanceOf(world.db, outsideAccount())).toBe(-5_000_000n)
  expect(await kinds()).toEqual([DIRECT_TRANSFER, DIRECT_TRANSFER])
  expect(await breaches()).toEqual([])
})

test('between two watched wallets it is one entry; nothing and oneself are none', async () => {
  await watch(agent.address)
  await watch(other.address)
  await send(stranger, agent.address, 9n)
  await send(agent, other.address, 4n)
  await send(agent, agent.address, 5n)
  await send(agent, other.address, 0n)
  await engine.runUntilIdle()
  expect([await booked(agent.address), await booked(other.address)]).toEqual([5n, 4n])
  expect(await kinds()).toEqual([DIRECT_TRANSFER, DIRECT_TRANSFER])
  expect(await breaches()).toEqual([])
})

test('the platform’s own wallets are watched from the start', async () => {
  const { treasury } = world.chaos.addresses
  await send(stranger, treasury, 3n)
  await send(stranger, world.chaos.chain.facts.spender, 2n)
  await engine.runUntilIdle()
  await send(stranger, treasury, 4n)
  await engine.runUntilIdle()
  expect(await balanceOf(world.db, treasuryAccount())).toBe(7n)
  expect(await balanceOf(world.db, spenderAccount())).toBe(2n)
  expect(await breaches()).toEqual([])
})

test('a reorganisation takes it back; where it is mined again it counts again', async () => {
  await watch(agent.address)
  await engine.runUntilIdle()
  await send(stranger, agent.address, 5n)
  await send(stranger, agent.address, 6n)
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(11n)
  await world.chaos.reorganise(2, (index) => index === 0)
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(5n)
  expect(await breaches()).toEqual([])
  await world.chaos.reorganise(3, () => false)
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(0n)
  expect(await breaches()).toEqual([])
})

test('what our own transactions moved is booked as what it was, once', async () => {
  await watch(agent.address)
  await engine.runUntilIdle()
  await send(stranger, agent.address, 50_000_000n)
  const { key, intent } = await orderDeposit(world.chaos, {
    jobId: 'job',
    client: stranger,
    seller: other.address,
    agentWallet: agent.address,
    amountMicro: 100_000_000n,
  })
  const withdrawal = await orderTransfer(world.chaos, {
    kind: 'test.withdrawal',
    from: agent,
    to: other.address,
    amountMicro: 10_000_000n,
    number: 1,
  })
  await world.db.transaction(async (tx) => {
    for (const order of [intent, orderAction(key, 'submit'), orderAction(key, 'release'), withdrawal])
      await engine.intents.create(tx, order)
  })
  await engine.runUntilIdle()
  expect((await kinds()).toSorted()).toEqual([
    'escrow.funded',
    'escrow.released',
    'test.withdrawal',
    DIRECT_TRANSFER,
  ])
  expect(await booked(agent.address)).toBe(138_000_000n)
  expect(await breaches()).toEqual([])
})

test('a watched wallet that gives to the escrow without a job is booked as giving', async () => {
  await watch(agent.address)
  await send(stranger, agent.address, 5n)
  await send(agent, world.chaos.addresses.escrow, 2n)
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(3n)
  expect(await breaches()).toEqual([])
})

test('an outcome that is looked up a turn later than its block is no direct transfer in between', async () => {
  await watch(agent.address)
  await engine.runUntilIdle()
  await send(stranger, agent.address, 50n)
  const order = await orderTransfer(world.chaos, {
    kind: 'test.withdrawal',
    from: agent,
    to: other.address,
    amountMicro: 10n,
    number: 1,
  })
  await world.db.transaction((tx) => engine.intents.create(tx, order))
  const { relay } = world.chaos.chain
  const { getNonce } = relay
  // The node that serves nonces lags one turn behind the one that serves logs.
  relay.getNonce = async (query) => (query.at === 'latest' ? 0 : getNonce(query))
  await engine.runOnce()
  expect(await kinds()).toEqual([DIRECT_TRANSFER])
  relay.getNonce = getNonce
  await engine.runUntilIdle()
  expect(await kinds()).toEqual([DIRECT_TRANSFER, 'test.withdrawal'])
  expect(await booked(agent.address)).toBe(40n)
  expect(await breaches()).toEqual([])
})

test('a wallet that is watched late brings along what it held, and what moved since a block that no fork reaches', async () => {
  const settings = { maxReorgDepth: 5 }
  engine = world.startEngine({ settings })
  await send(stranger, agent.address, 100n)
  for (let block = 0; block < 10; block += 1) await world.chaos.mine()
  await send(stranger, agent.address, 20n)
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(0n)
  await watch(agent.address)
  await send(stranger, agent.address, 3n)
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(123n)
  expect(await kinds()).toEqual([OPENING_BALANCE, DIRECT_TRANSFER, DIRECT_TRANSFER])
  expect(await breaches()).toEqual([])
  await world.chaos.reorganise(4, () => false)
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(100n)
  expect(await breaches()).toEqual([])
})

test('a transfer that was booked from one side is booked whole when the other wallet is watched', async () => {
  await watch(agent.address)
  await engine.runUntilIdle()
  await send(stranger, agent.address, 9n)
  await send(agent, other.address, 4n)
  await engine.runUntilIdle()
  await watch(other.address)
  await engine.runUntilIdle()
  expect([await booked(agent.address), await booked(other.address)]).toEqual([5n, 4n])
  expect(await balanceOf(world.db, outsideAccount())).toBe(-9n)
  expect(await kinds()).toEqual([DIRECT_TRANSFER, DIRECT_TRANSFER])
  expect(await breaches()).toEqual([])
})

test('a fork below the block from which a wallet is followed: what it brought along is found out again', async () => {
  engine = world.startEngine({ settings: { maxReorgDepth: 3 } })
  await watch(agent.address)
  await send(stranger, agent.address, 100n)
  for (let block = 0; block < 6; block += 1) await world.chaos.mine()
  await engine.runUntilIdle()
  expect(await kinds()).toEqual([OPENING_BALANCE])
  await world.chaos.reorganise(7, () => false)
  await engine.runUntilIdle()
  expect((await engine.status()).haltedReason).not.toBeNull()
  await engine.goBack()
  await world.db.transaction((tx) => engine.resume(tx))
  await engine.runUntilIdle()
  expect(await booked(agent.address)).toBe(0n)
  expect(await breaches()).toEqual([])
})

test('one worker reads blocks while another takes a wallet up: no block is missed', async () => {
  const { db, chaos } = world
  const follower = createFollower(
    { db, chain: chaos.chain, settings: defaultMoneySettings },
    createRecorder({ facts: chaos.chain.facts, jobIdOf: async () => undefined, alert: () => {} }),
  )
  let hasPaused = false
  const slow = world.startEngine({
    faults: {
      async reach(point) {
        if (point !== 'settlement.read' || hasPaused) return
        hasPaused = true
        await watch(agent.address)
        expect(await follower.takeUp()).toBe(true)
      },
    },
  })
  await engine.runUntilIdle()
  await send(stranger, agent.address, 8n)
  await slow.runUntilIdle()
  expect(hasPaused).toBe(true)
  expect(await booked(agent.address)).toBe(8n)
  expect(await breaches()).toEqual([])
})

test('after a long sleep it catches up, with all that was sent meanwhile', async () => {
  await watch(agent.address)
  await engine.runUntilIdle()
  for (let count = 0; count < 15; count += 1) {
    await send(stranger, agent.address, 2n)
    await world.chaos.mine()
  }
  const restarted = world.startEngine({ settings: { maxReorgDepth: 5 } })
  await restarted.runUntilIdle()
  expect(await booked(agent.address)).toBe(30n)
  expect(await breaches()).toEqual([])
})

test('the auditor sees a wallet that holds another amount, a transfer that is missing and one that is booked twice', async () => {
  const { db, chaos } = world
  await watch(agent.address)
  await engine.runUntilIdle()
  const txHash = await send(stranger, agent.address, 5n)
  await engine.runUntilIdle()
  const rules = async () => (await breaches()).map(({ invariant }) => invariant)
  expect(await rules()).toEqual([])

  await db.run(sql`update chain_events set is_canonical = false where tx_hash = ${txHash}`)
  expect(await rules()).toEqual(['M1'])
  await db.run(sql`update chain_events set is_canonical = true where tx_hash = ${txHash}`)

  await db.run(sql`drop index journal_entries_place`)
  const event = await firstTransfer()
  await db.transaction((tx) =>
    tx.run(sql`
      with again as (
        insert into journal_entries (id, kind, at, chain_id, tx_hash, log_index, block_number, block_hash)
        values ('again', 'x402', now(), ${chaos.chain.facts.chainId}, ${event.transactionHash}, ${event.logIndex},
          ${event.blockNumber}, ${event.blockHash}) returning id)
      insert into journal_postings select id, posting.account, posting.amount from again,
        (values ('outside:world', -5), (${walletAccount(agent.address)}, 5)) as posting (account, amount)`),
  )
  expect(await rules()).toEqual(['M14', 'M11'])
})

test('the auditor sees an entry that moves another amount than the transfer at its place, or stands in another block', async () => {
  const { db, chaos } = world
  await watch(agent.address)
  await engine.runUntilIdle()
  const txHash = await send(stranger, agent.address, 5n)
  await engine.runUntilIdle()
  const rules = async () => (await breaches()).map(({ invariant }) => invariant)

  const moveTo = async (hash: string): Promise<void> => {
    await db.run(sql`alter table journal_entries disable trigger user`)
    await db.run(sql`update journal_entries set block_hash = ${hash}`)
    await db.run(sql`alter table journal_entries enable trigger user`)
  }
  const { blockHash } = await db.one<{ blockHash: string }>(
    sql`select block_hash from chain_events where tx_hash = ${txHash}`,
  )
  await moveTo('0x0')
  expect(await rules()).toEqual(['M10', 'G21'])
  await moveTo(blockHash)
  expect(await rules()).toEqual([])

  // The wallet that is followed gets what it got on the chain, so no other rule can notice the rest.
  const event = await firstTransfer()
  await db.transaction((tx) =>
    postEntry(tx, {
      kind: 'test.payment',
      at: new Date(),
      postings: [
        { account: walletAccount(stranger.address), amountMicro: -8n },
        { account: walletAccount(agent.address), amountMicro: 5n },
        { account: walletAccount(other.address), amountMicro: 3n },
      ],
      chain: placeOf({ ...event, chainId: chaos.chain.facts.chainId }, event),
    }),
  )
  expect(await rules()).toEqual(['M10'])
})

test('a feature that identifies a transfer posts it at its position, before or after the indexer', async () => {
  const { db, chaos } = world
  await watch(agent.address)
  await engine.runUntilIdle()
  await send(stranger, agent.address, 5n)
  await engine.runUntilIdle()
  const event = await firstTransfer()
  await db.transaction((tx) =>
    postEntry(tx, {
      kind: 'x402',
      at: new Date(),
      postings: [
        { account: walletAccount(stranger.address), amountMicro: -5n },
        { account: walletAccount(agent.address), amountMicro: 5n },
      ],
      chain: placeOf({ ...event, chainId: chaos.chain.facts.chainId }, event),
    }),
  )
  await engine.runUntilIdle()
  expect(await kinds()).toEqual(['x402'])
  expect(await booked(agent.address)).toBe(5n)
  expect(await breaches()).toEqual([])
})
