import { prepareApprove, prepareDeposit, usdcAbi } from '@agent-marketplace/chain'
import { pino } from 'pino'
import { encodeFunctionData } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Hex, JobTerms } from '../../ports/chain/port.ts'
import { alertMessages } from '../audit/alert.ts'
import { checkInvariants } from '../audit/invariants.ts'
import { createReconciler } from '../audit/reconciler.ts'
import { escrowAccount, owedAccount, walletAccount } from '../books/accounts.ts'
import { balanceOf } from '../books/journal.ts'
import { rereadAll } from '../testing/closed-world.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from '../testing/money-world.ts'
import { orderAction, orderTransfer } from '../testing/orders.ts'

const client = testAccount(1)
const agent = testAccount(3).address

let world: MoneyWorld
beforeEach(async () => {
  world = await createMoneyWorld()
  await world.chaos.faucet({ address: client.address, amountMicro: 1_000_000_000n })
})
afterEach(() => world.close())

async function deposit(jobId: string): Promise<Hex> {
  const { escrow, usdc } = world.chaos.addresses
  const terms: JobTerms = {
    jobRef: world.chaos.chain.escrow.refOf(jobId),
    client: client.address,
    seller: agent,
    agentWallet: agent,
    amountMicro: 100_000_000n,
    deadline: 0,
  }
  await world.execute(client, prepareApprove({ usdc, spender: escrow, amountMicro: terms.amountMicro }))
  await world.execute(client, prepareDeposit({ escrow, terms }))
  return world.chaos.chain.escrow.keyOf(terms)
}

const breaches = () => checkInvariants({ db: world.db, chain: world.chaos.chain })

test('a deposit that the client made alone is found, booked, and handed to the features in the same transaction', async () => {
  const engine = world.startEngine()
  const seen: string[] = []
  engine.onEvent(
    'JobFunded',
    async (tx, event, block) => {
      await tx.run(sql`insert into test_effects values (${event.key}, ${block.hash})`)
      seen.push(`funded ${event.terms.amountMicro}`)
    },
    async (tx, event) => {
      await tx.run(sql`delete from test_effects where key = ${event.key}`)
      seen.push('undone')
    },
  )
  const key = await deposit('alone')
  await engine.runUntilIdle()
  expect(await balanceOf(world.db, escrowAccount(key))).toBe(100_000_000n)
  expect(seen).toEqual(['funded 100000000'])

  await world.chaos.reorganise(1, () => false)
  await engine.runUntilIdle()
  expect(seen).toEqual(['funded 100000000', 'undone'])
  expect(await balanceOf(world.db, escrowAccount(key))).toBe(0n)
  expect(await world.db.rows(sql`select * from test_effects`)).toEqual([])
  expect(await breaches()).toEqual([])
})

test('a handler that fails leaves nothing half done, and the block is read again', async () => {
  const engine = world.startEngine()
  let isBroken = true
  const nothing = async () => {}
  engine.onEvent(
    'JobFunded',
    async () => {
      if (isBroken) throw new Error('the feature is broken')
    },
    nothing,
  )
  const key = await deposit('broken')
  await expect(engine.runUntilIdle()).rejects.toThrow('the feature is broken')
  expect(await balanceOf(world.db, escrowAccount(key))).toBe(0n)
  isBroken = false
  await engine.runUntilIdle()
  expect(await balanceOf(world.db, escrowAccount(key))).toBe(100_000_000n)
})

test('after a long sleep it catches up and is at the head', async () => {
  const keys = [await deposit('one')]
  for (let block = 0; block < 30; block += 1) await world.chaos.mine()
  keys.push(await deposit('two'))
  const engine = world.startEngine({ settings: { maxReorgDepth: 5 } })
  await engine.runUntilIdle()
  for (const key of keys) expect(await balanceOf(world.db, escrowAccount(key))).toBe(100_000_000n)
  const head = await world.chaos.chain.reader.getBlock('latest')
  expect(
    await world.db.one(sql`select block_number as number, block_hash as hash from chain_cursors`),
  ).toMatchObject({
    number: head?.number,
    hash: head?.hash,
  })
  expect(await breaches()).toEqual([])
})

test('a node that leaves a deposit out cannot hide it, however deep it lies', async () => {
  const key = await deposit('hidden')
  for (let block = 0; block < 30; block += 1) await world.chaos.mine()
  world.chaos.setLiar(async ({ method, params }, ask) =>
    method === 'eth_getLogs' ? [] : ask(method, params),
  )
  await world.startEngine({ settings: { maxReorgDepth: 5 } }).runUntilIdle()
  world.chaos.setLiar(undefined)
  expect(await balanceOf(world.db, escrowAccount(key))).toBe(100_000_000n)
  expect(await breaches()).toEqual([])
})

test.each<[string, string, (answer: object) => unknown]>([
  ['headers', 'eth_getBlockByNumber', (header) => ({ ...header, logsBloom: `0x${'00'.repeat(256)}` })],
  ['receipts', 'eth_getBlockReceipts', () => []],
])(
  'no block is passed whose %s a node changes, and nothing is missing once it is honest',
  async (_what, lie, change) => {
    const engine = world.startEngine({ settings: { maxReorgDepth: 5 } })
    await engine.runUntilIdle()
    const key = await deposit('hidden')
    const funded = await world.chaos.chain.reader.getBlock('latest')
    for (let block = 0; block < 30; block += 1) await world.chaos.mine()
    const place: unknown = lie === 'eth_getBlockReceipts' ? funded?.hash : `0x${funded?.number.toString(16)}`
    world.chaos.setLiar(async ({ method, params }, ask) => {
      const answer = await ask(method, params)
      return method === lie && params[0] === place ? change(answer as object) : answer
    })
    await expect(engine.runOnce()).rejects.toThrow(/block/)
    await expect(engine.runOnce()).rejects.toThrow(/block/)
    expect(Number((await engine.status()).blockNumber)).toBeLessThan(Number(funded?.number))
    world.chaos.setLiar(undefined)
    await engine.runUntilIdle()
    expect(await balanceOf(world.db, escrowAccount(key))).toBe(100_000_000n)
    expect(await breaches()).toEqual([])
  },
)

test('a receipt that a node makes up decides nothing', async () => {
  const engine = world.startEngine()
  const payer = testAccount(5)
  await world.chaos.faucet({ address: payer.address, amountMicro: 10n })
  const order = await orderTransfer(world.chaos, {
    kind: 'test.withdrawal',
    from: payer,
    to: agent,
    amountMicro: 10n,
    number: 1,
  })
  world.chaos.setLiar(async ({ method, params }, ask) => {
    const answer = await ask(method, params)
    return method === 'eth_getTransactionReceipt' && answer !== null
      ? { ...(answer as object), status: '0x0', logs: [] }
      : answer
  })
  await world.db.transaction((tx) => engine.intents.create(tx, order))
  await engine.runUntilIdle()
  world.chaos.setLiar(undefined)
  expect(await engine.intents.find(world.db, order.key)).toMatchObject({ status: 'SETTLED' })
  expect(await balanceOf(world.db, walletAccount(agent))).toBe(10n)
  expect(await breaches()).toEqual([])
})

test('a small fork right after a long sleep is followed, although few blocks of that time are known', async () => {
  const engine = world.startEngine({ settings: { maxReorgDepth: 8 } })
  await engine.runUntilIdle()
  for (let block = 0; block < 30; block += 1) await world.chaos.mine()
  await engine.runUntilIdle()
  await world.chaos.mine()
  await engine.runUntilIdle()
  await world.chaos.reorganise(3, () => false)
  const key = await deposit('after-the-fork')
  await engine.runUntilIdle()
  expect((await engine.status()).haltedReason).toBeNull()
  expect(await balanceOf(world.db, escrowAccount(key))).toBe(100_000_000n)
  expect(await breaches()).toEqual([])
})

test('a payment that the token refuses is owed, and claimed later', async () => {
  const { chaos, db } = world
  const engine = world.startEngine()
  const key = await deposit('blacklisted')
  const list = (functionName: 'blacklist' | 'unBlacklist') =>
    world.execute(chaos.roles.faucet, {
      to: chaos.addresses.usdc,
      data: encodeFunctionData({ abi: usdcAbi, functionName, args: [agent] }),
      value: 0n,
    })
  await list('blacklist')
  await db.transaction(async (tx) => {
    await engine.intents.create(tx, orderAction(key, 'submit'))
    await engine.intents.create(tx, orderAction(key, 'release'))
  })
  await engine.runUntilIdle()
  expect(await balanceOf(db, owedAccount(agent))).toBe(98_000_000n)
  expect(await balanceOf(db, walletAccount(agent))).toBe(0n)
  expect(await breaches()).toEqual([])

  await list('unBlacklist')
  await world.execute(client, chaos.chain.escrow.claim({ recipient: agent }))
  await engine.runUntilIdle()
  expect(await balanceOf(db, owedAccount(agent))).toBe(0n)
  expect(await balanceOf(db, walletAccount(agent))).toBe(98_000_000n)
  expect(await breaches()).toEqual([])
})

test('the auditor sees missing events, forged books, lost triggers and outcomes that the chain does not have', async () => {
  const { db, chaos, alarms } = world
  const engine = world.startEngine()
  const key = await deposit('audited')
  await db.transaction((tx) => engine.intents.create(tx, orderAction(key, 'submit')))
  await engine.runUntilIdle()
  const reconciler = createReconciler({
    db,
    chain: chaos.chain,
    log: pino({ level: 'silent' }),
    alert: (name, details) => void alarms.push({ message: alertMessages[name], details }),
  })
  expect(await reconciler.run()).toEqual([])

  const brokenBy = async (...statements: ReturnType<typeof sql>[]): Promise<string[]> => {
    for (const statement of statements) await db.run(statement)
    return (await breaches()).map(({ invariant }) => invariant)
  }
  await db.run(sql`alter table journal_postings disable trigger user`)
  expect(await brokenBy()).toEqual(['M10'])
  expect(await brokenBy(sql`update journal_postings set amount_micro = amount_micro * 2`)).toEqual([
    'M15',
    'M2',
    'M10',
  ])
  await brokenBy(sql`update journal_postings set amount_micro = amount_micro / 2`)
  await db.run(sql`alter table journal_postings enable trigger user`)
  expect(await brokenBy()).toEqual([])
  expect(await brokenBy(sql`update chain_events set is_canonical = false`)).toEqual(['M1', 'M10'])
  expect(await brokenBy(sql`update chain_events set is_canonical = true`)).toEqual([])
  expect(await brokenBy(sql`update intents set block_hash = '0x0'`)).toEqual(['M1'])
  expect(
    await brokenBy(
      sql`update intents set block_hash = b.hash from chain_blocks b where b.number = block_number`,
    ),
  ).toEqual([])
  expect(await brokenBy(sql`update intents set status = 'SUBMITTED'`)).toEqual(['M6', 'M13'])
  expect(await brokenBy(sql`update intents set status = 'SETTLED'`)).toEqual([])
  expect(await brokenBy(sql`update chain_signers set next_nonce = next_nonce + 1`)).toEqual(['M13'])

  await reconciler.run()
  await reconciler.run()
  expect(await reconciler.breachCount()).toBe(1)
  expect(alarms).toMatchObject([{ message: 'Money invariants do not hold' }])
})

test('a node that never names a finalized block raises one alarm, one that leaves it out now and then none', async () => {
  const engine = world.startEngine()
  const { reader } = world.chaos.chain
  const { getBlock } = reader
  let looks = 0
  let isServed = (look: number): boolean => look % 2 === 0
  reader.getBlock = async (which) => {
    if (which !== 'finalized') return getBlock(which)
    looks += 1
    return isServed(looks) ? getBlock(which) : undefined
  }
  for (let round = 0; round < 60; round += 1) await engine.runOnce()
  expect(world.alarms).toEqual([])
  isServed = () => false
  for (let round = 0; round < 120; round += 1) await engine.runOnce()
  expect(world.alarms.map(({ message }) => message)).toEqual([expect.stringContaining('no finalized block')])
})

test('what a node leaves out of a new wallet, and what changed no balance, is found by the audit and added by comparing again', async () => {
  const { chain } = world.chaos
  for (const _block of [1, 2, 3]) await world.chaos.mine()
  await world.execute(client, chain.usdc.transfer({ to: client.address, amountMicro: 5_000_000n }))
  const reader = { ...chain.reader, getUsdcEvents: async () => [] }
  const engine = world.startEngine({ chain: { ...chain, reader }, settings: { maxReorgDepth: 2 } })
  await engine.runUntilIdle()
  await world.db.transaction((tx) => engine.watch(tx, client.address))
  await engine.runUntilIdle()
  expect(await breaches()).toMatchObject([
    {
      message: 'The events in the books are those of the chain',
      rows: [{ missing: { name: 'UsdcTransferred', from: client.address, to: client.address } }],
    },
  ])
  await rereadAll(world, engine)
  expect(await breaches()).toEqual([])
})
