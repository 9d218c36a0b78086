import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../platform/db/sql.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import { escrowAccount, treasuryAccount, walletAccount } from './books/accounts.ts'
import { balanceOf } from './books/journal.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from './testing/money-world.ts'
import { orderAction, orderDeposit, orderTransfer } from './testing/orders.ts'

let world: MoneyWorld
const client = testAccount(1)
const seller = testAccount(2)
const agent = testAccount(3)

beforeAll(async () => {
  world = await createMoneyWorld()
  await world.chaos.faucet({ address: client.address, amountMicro: 10_000_000_000n })
  await world.chaos.faucet({ address: agent.address, amountMicro: 1_000_000_000n })
})
afterAll(() => world.close())

test('a job is funded, delivered and released, and every entry leads to its request, transaction and block', async () => {
  const { db, chaos } = world
  const engine = world.startEngine({ jobIdOf: async (_tx, of) => (of === key ? 'job-1' : undefined) })
  const { key, intent } = await orderDeposit(chaos, {
    jobId: 'job-1',
    client,
    seller: seller.address,
    agentWallet: agent.address,
    amountMicro: 250_000_001n,
  })
  const deposit = await db.transaction(async (tx) => {
    const first = await engine.intents.create(tx, intent)
    await engine.intents.create(tx, orderAction(key, 'submit'))
    await engine.intents.create(tx, orderAction(key, 'release'))
    return first
  })
  expect(deposit.status).toBe('PENDING')
  await engine.runUntilIdle()

  for (const name of [`deposit:job-1`, `submit:${key}`, `release:${key}`]) {
    expect(await engine.intents.find(db, name)).toMatchObject({ status: 'SETTLED', final: true })
  }
  expect(await balanceOf(db, escrowAccount(key))).toBe(0n)
  expect(await balanceOf(db, walletAccount(client.address))).toBe(-250_000_001n)
  expect(await balanceOf(db, treasuryAccount())).toBe(5_000_000n)
  expect(await balanceOf(db, walletAccount(agent.address))).toBe(245_000_001n)
  expect(await chaos.chain.usdc.balanceOf(agent.address)).toBe(1_245_000_001n)
  const trail = await db.rows(sql`
    select e.kind, e.request_id, e.job_id, t.nonce, b.number = e.block_number as "hasBlock"
    from journal_entries e join intents i on i.id = e.intent_id
    join chain_transactions t on t.intent_id = i.id and t.tx_hash = e.tx_hash
    join chain_blocks b on b.number = e.block_number and b.hash = e.block_hash order by e.seq`)
  expect(trail).toMatchObject([
    { kind: 'escrow.funded', requestId: 'request-job-1', jobId: 'job-1', nonce: 0n, hasBlock: true },
    { kind: 'escrow.released', requestId: null, jobId: 'job-1', nonce: 2n, hasBlock: true },
  ])
})

test('both senders pay, and a call that cannot succeed is rejected without a nonce', async () => {
  const { db, chaos } = world
  const engine = world.startEngine()
  const pull = await orderTransfer(chaos, {
    kind: 'test.pull',
    from: client,
    to: seller.address,
    amountMicro: 7n,
    number: 1,
  })
  const tooMuch = await orderTransfer(chaos, {
    kind: 'test.pull',
    from: seller,
    to: agent.address,
    amountMicro: 8n,
    number: 2,
  })
  await db.transaction(async (tx) => {
    await engine.intents.create(tx, tooMuch)
    await engine.intents.create(tx, pull)
  })
  await engine.runUntilIdle()
  expect(await engine.intents.find(db, tooMuch.key)).toMatchObject({
    status: 'REJECTED',
    reason: 'ERC20: transfer amount exceeds balance',
    txHash: null,
  })
  expect(await engine.intents.find(db, pull.key)).toMatchObject({ status: 'SETTLED' })
  const nonces = await db.rows(sql`
    select nonce from chain_transactions where sender = ${chaos.chain.relay.addressOf('spender')}`)
  expect(nonces).toEqual([{ nonce: 0n }])
})

test('a rejection that cannot be reported is retried and holds nobody else up', async () => {
  const { db, chaos } = world
  const engine = world.startEngine()
  const order = (from: typeof client, number: number) =>
    orderTransfer(chaos, { kind: 'test.pull', from, to: agent.address, amountMicro: 8n, number })
  const tooMuch = await order(testAccount(9), 21)
  const pull = await order(client, 22)
  await db.run(sql`insert into test_effects (key, status) values (${tooMuch.key}, 'in the way')`)
  await db.transaction(async (tx) => {
    await engine.intents.create(tx, tooMuch)
    await engine.intents.create(tx, pull)
  })
  await engine.runUntilIdle()
  expect(await engine.intents.find(db, pull.key)).toMatchObject({ status: 'SETTLED' })
  expect(await engine.intents.find(db, tooMuch.key)).toMatchObject({ status: 'PENDING' })

  await db.run(sql`delete from test_effects where key = ${tooMuch.key}`)
  await db.run(sql`update intents set claimed_until = null where key = ${tooMuch.key}`)
  await engine.runUntilIdle()
  expect(await engine.intents.find(db, tooMuch.key)).toMatchObject({ status: 'REJECTED' })
})

test('a running engine sends on its own, and waiting callers get the outcome', async () => {
  const { db, chaos } = world
  const engine = world.startEngine({ settings: { pollMs: 60_000 } })
  await engine.start()
  const order = await orderTransfer(chaos, {
    kind: 'test.withdrawal',
    from: client,
    to: seller.address,
    amountMicro: 11n,
    number: 3,
  })
  const { id } = await db.transaction((tx) => engine.intents.create(tx, order))
  expect(await engine.intents.waitFor(id, PATIENCE_MS)).toMatchObject({ status: 'SETTLED' })
  await engine.stop()
})
