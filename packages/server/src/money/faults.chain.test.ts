import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../platform/db/sql.ts'
import { printFigures, timesFor } from '../testing/proof.ts'
import { checkInvariants } from './audit/invariants.ts'
import { walletAccount } from './books/accounts.ts'
import { balanceOf } from './books/journal.ts'
import type { MoneyEngine } from './engine.ts'
import { type FaultPoint, faultPoints } from './faults.ts'
import type { Intent, NewIntent } from './intents/intents.ts'
import type { Weather } from './testing/chaos-chain.ts'
import { createMoneyWorld, type MoneyWorld, testAccount } from './testing/money-world.ts'
import { orderAction, orderDeposit, orderTransfer } from './testing/orders.ts'

const payer = testAccount(1)
const payee = testAccount(2).address
const AMOUNT = 1_000_000n

let world: MoneyWorld
beforeEach(async () => {
  world = await createMoneyWorld()
  await world.chaos.faucet({ address: payer.address, amountMicro: 100n * AMOUNT })
})
afterEach(() => world.close())

const orderPayment = (number: number): Promise<NewIntent> =>
  orderTransfer(world.chaos, { kind: 'test.withdrawal', from: payer, to: payee, amountMicro: AMOUNT, number })

const create = (engine: MoneyEngine, order: NewIntent): Promise<Intent> =>
  world.db.transaction((tx) => engine.intents.create(tx, order))

const expireLeases = () => world.db.run(sql`update intents set claimed_until = now() - interval '1 second'`)

const transactions = () =>
  world.db.rows<{ nonce: bigint; status: string; replacements: number; isNoop: boolean }>(
    sql`select nonce, status, replacements, is_noop from chain_transactions order by nonce`,
  )

/** So many payments, on the chain and in the books, and not one rule broken. */
const expectPaid = async (times: bigint): Promise<void> => {
  expect(await world.chaos.chain.usdc.balanceOf(payee)).toBe(times * AMOUNT)
  expect(await balanceOf(world.db, walletAccount(payee))).toBe(times * AMOUNT)
  expect(await checkInvariants({ db: world.db, chain: world.chaos.chain })).toEqual([])
}

const crashingAt = (point: FaultPoint) => {
  let isArmed = true
  return {
    reach(reached: FaultPoint) {
      if (!isArmed || reached !== point) return
      isArmed = false
      throw new Error(`crash at ${point}`)
    },
  }
}

describe('a crash at', () => {
  const crashes = timesFor({ usual: 1, proof: 10 })

  /** One payment after the other, so that each crash meets what the last one left. */
  const forEachPayment = async (crash: (number: number) => Promise<void>) => {
    for (let number = 1; number <= crashes; number += 1) {
      await crash(number)
      await expectPaid(BigInt(number))
    }
    printFigures('G2', { crashes })
  }
  const crashAndStartAgain = async (doomed: MoneyEngine, point: FaultPoint) => {
    await expect(doomed.runUntilIdle()).rejects.toThrow(`crash at ${point}`)
    await expireLeases()
    const next = world.startEngine()
    await next.runUntilIdle()
    return next
  }

  test.each(faultPoints.filter((point) => !/^(rollback|replacement)/.test(point)))(
    '%s: paid once',
    async (point) => {
      await forEachPayment(async (number) => {
        const order = await orderPayment(number)
        const doomed = world.startEngine({ faults: crashingAt(point) })
        await create(doomed, order)
        const next = await crashAndStartAgain(doomed, point)
        expect(await next.intents.find(world.db, order.key)).toMatchObject({ status: 'SETTLED' })
        expect((await transactions()).slice(number - 1)).toMatchObject([
          { nonce: BigInt(number - 1), status: 'MINED' },
        ])
      })
    },
  )

  test.each(['rollback.storing', 'rollback.stored'] as const)(
    '%s: taken back once, paid once',
    async (point) => {
      await forEachPayment(async (number) => {
        const engine = world.startEngine()
        await create(engine, await orderPayment(number))
        await engine.runUntilIdle()
        await world.chaos.reorganise(1, () => false)
        await crashAndStartAgain(world.startEngine({ faults: crashingAt(point) }), point)
      })
    },
  )

  test('replacement.stored: the stored replacement is sent by the next worker', async () => {
    await forEachPayment(async (number) => {
      world.chaos.setWeather('slow')
      const doomed = world.startEngine({ faults: crashingAt('replacement.stored') })
      await create(doomed, await orderPayment(number))
      await expect(doomed.runUntilIdle()).rejects.toThrow('crash at replacement.stored')
      world.chaos.setWeather('fair')
      await world.startEngine().runUntilIdle()
      expect((await transactions()).slice(number - 1)).toMatchObject([
        { nonce: BigInt(number - 1), status: 'MINED', replacements: 1 },
      ])
    })
  })
})

describe('the weather', () => {
  test.each<Weather>(['response lost', 'dropped', 'forgotten', 'doubled'])(
    '%s: paid once, with one nonce',
    async (weather) => {
      const engine = world.startEngine()
      world.chaos.setWeather(weather)
      await create(engine, await orderPayment(1))
      await engine.runOnce()
      world.chaos.setWeather('fair')
      await engine.runUntilIdle()
      expect(await transactions()).toMatchObject([{ nonce: 0n, status: 'MINED' }])
      await expectPaid(1n)
    },
  )

  test('a node that is down uses no nonce and fails nothing', async () => {
    const engine = world.startEngine()
    const order = await orderPayment(1)
    await create(engine, order)
    world.chaos.setDown(true)
    await engine.runOnce().catch(() => undefined)
    expect(await transactions()).toEqual([])
    expect(await engine.intents.find(world.db, order.key)).toMatchObject({ status: 'PENDING' })
    world.chaos.setDown(false)
    await expireLeases()
    await engine.runUntilIdle()
    await expectPaid(1n)
  })

  test('a node of another chain gets nothing signed', async () => {
    const engine = world.startEngine()
    const order = await orderPayment(1)
    await create(engine, order)
    world.chaos.setChainId(1)
    await expect(engine.runOnce()).rejects.toThrow(expect.objectContaining({ code: 'WRONG_CHAIN' }))
    expect(await transactions()).toEqual([])
    expect(await engine.intents.find(world.db, order.key)).toMatchObject({ status: 'PENDING' })
    expect(world.alarms).toMatchObject([{ message: expect.stringContaining('another chain') }])
  })
})

test('where nodes differ, a refusal counts only when a later block confirms it, and an outage does not', async () => {
  const engine = world.startEngine({ settings: { agreeingResponses: 2 } })
  const order = await orderTransfer(world.chaos, {
    kind: 'test.withdrawal',
    from: payer,
    to: payee,
    amountMicro: 1_000n * AMOUNT,
    number: 1,
  })
  await create(engine, order)
  for (let round = 0; round < 3; round += 1) {
    world.chaos.setDown(true)
    await engine.runOnce().catch(() => undefined)
    world.chaos.setDown(false)
    await expireLeases()
  }
  for (let round = 0; round < 3; round += 1) {
    await engine.runUntilIdle()
    expect(await engine.intents.find(world.db, order.key)).toMatchObject({ status: 'PENDING' })
    await expireLeases()
  }
  await world.chaos.mine()
  await engine.runUntilIdle()
  expect(await engine.intents.find(world.db, order.key)).toMatchObject({ status: 'REJECTED' })
})

test('refusals that contradict each other reject nothing, however many; the same one again does', async () => {
  const engine = world.startEngine({ settings: { agreeingResponses: 2 } })
  const order = await orderPayment(1)
  const refuse = (words: string) =>
    world.chaos.setLiar(async ({ method, params }, ask) => {
      const isTrial = method === 'eth_call' && 'from' in (params[0] as object)
      if (isTrial) throw Object.assign(new Error(`execution reverted: ${words}`), { code: 3 })
      return ask(method, params)
    })
  const tryAgain = async (words: string) => {
    refuse(words)
    await world.chaos.mine()
    await expireLeases()
    await engine.runOnce()
    return (await engine.intents.find(world.db, order.key))?.status
  }
  await create(engine, order)
  const said = ['one', 'another', 'one', 'a third', 'another', 'one']
  for (const words of said) expect([words, await tryAgain(words)]).toEqual([words, 'PENDING'])
  expect(await tryAgain('one')).toBe('REJECTED')
})

test('a refusal that names the time of its block is the same at the next one', async () => {
  const engine = world.startEngine({ settings: { agreeingResponses: 3 } })
  const { key, intent } = await orderDeposit(world.chaos, {
    jobId: 'job-1',
    client: payer,
    seller: payee,
    agentWallet: payee,
    amountMicro: AMOUNT,
  })
  await create(engine, intent)
  await engine.runUntilIdle()
  // The time to decide a dispute has not passed: TooEarly, with the present time in it.
  await create(engine, orderAction(key, 'dispute'))
  await engine.runUntilIdle()
  const tooEarly = orderAction(key, 'refundUndecided')
  await create(engine, tooEarly)
  for (let round = 0; round < 3; round += 1) {
    expect(await engine.intents.find(world.db, tooEarly.key)).toMatchObject({ status: 'PENDING' })
    await world.chaos.mine(5)
    await expireLeases()
    await engine.runUntilIdle()
  }
  expect(await engine.intents.find(world.db, tooEarly.key)).toMatchObject({
    status: 'REJECTED',
    reason: 'TooEarly',
  })
})

describe('a transaction that is not mined', () => {
  test('is replaced under the same nonce, and the replacement settles the intent', async () => {
    const engine = world.startEngine()
    world.chaos.setWeather('slow')
    await create(engine, await orderPayment(1))
    await engine.runOnce()
    await engine.runOnce()
    expect(await transactions()).toMatchObject([{ nonce: 0n, status: 'OPEN', isNoop: false }])
    await world.chaos.mine()
    await engine.runUntilIdle()
    const [row] = await transactions()
    expect(row).toMatchObject({ nonce: 0n, status: 'MINED' })
    expect(row?.replacements).toBeGreaterThan(0)
    await expectPaid(1n)
  })

  test('gives its nonce to an empty one after so many replacements, and admins are alerted', async () => {
    const engine = world.startEngine({ settings: { maxReplacements: 2 } })
    world.chaos.setWeather('slow')
    const order = await orderPayment(1)
    await create(engine, order)
    for (let round = 0; round < 4; round += 1) await engine.runOnce()
    expect(await transactions()).toMatchObject([{ nonce: 0n, status: 'OPEN', isNoop: true }])
    expect(world.alarms).toMatchObject([{ message: expect.stringContaining('given up') }])
    await world.chaos.mine()
    world.chaos.setWeather('fair')
    await engine.runUntilIdle()
    expect(await engine.intents.find(world.db, order.key)).toMatchObject({
      status: 'REJECTED',
      reason: 'GIVEN_UP',
    })
    await create(engine, await orderPayment(2))
    await engine.runUntilIdle()
    await expectPaid(1n)
  })
})

describe('a reorganisation', () => {
  test.each([1, 2, 5, 20])('of depth %i takes payments back, and they are made again', async (depth) => {
    const engine = world.startEngine({ settings: { batchSize: 1 } })
    for (let number = 1; number <= depth; number += 1) await create(engine, await orderPayment(number))
    await engine.runUntilIdle()
    await expectPaid(BigInt(depth))
    await world.chaos.reorganise(depth, () => false)
    expect(await world.chaos.chain.usdc.balanceOf(payee)).toBe(0n)
    await engine.runOnce()
    await engine.runUntilIdle()
    await expectPaid(BigInt(depth))
    const { reversals } = await world.db.one<{ reversals: number }>(
      sql`select count(*)::int as reversals from journal_entries where reverses is not null`,
    )
    expect(reversals).toBe(depth)
  })

  test('that mines the same transactions in other blocks changes no balance', async () => {
    const engine = world.startEngine({ settings: { batchSize: 1 } })
    for (let number = 1; number <= 3; number += 1) await create(engine, await orderPayment(number))
    await engine.runUntilIdle()
    await world.chaos.reorganise(3, () => true)
    await engine.runUntilIdle()
    await expectPaid(3n)
  })

  test('deeper than allowed halts payouts, alerts admins, and is followed once a person resumes', async () => {
    const engine = world.startEngine({ settings: { batchSize: 1, maxReorgDepth: 2 } })
    for (let number = 1; number <= 4; number += 1) await create(engine, await orderPayment(number))
    await engine.runUntilIdle()
    await world.chaos.reorganise(4, () => false)
    await engine.runUntilIdle()
    expect(world.alarms).toMatchObject([{ message: expect.stringContaining('halted') }])
    const order = await orderPayment(5)
    await create(engine, order)
    await engine.runUntilIdle()
    expect(await engine.intents.find(world.db, order.key)).toMatchObject({ status: 'PENDING' })
    expect(await world.chaos.chain.usdc.balanceOf(payee)).toBe(0n)
    await engine.goBack()
    await world.db.transaction((tx) => engine.resume(tx))
    await engine.runUntilIdle()
    await expectPaid(5n)
  })
})

describe('several workers', () => {
  test('on one queue pay each intent once', async () => {
    const engines = [1, 2, 3].map(() => world.startEngine({ settings: { batchSize: 3 } }))
    const [first] = engines
    if (first === undefined) throw new Error('no engine')
    for (let number = 1; number <= 20; number += 1) await create(first, await orderPayment(number))
    for (let round = 0; round < 6; round += 1) await Promise.all(engines.map((engine) => engine.runOnce()))
    await first.runUntilIdle()
    await expectPaid(20n)
    expect((await transactions()).map(({ nonce }) => Number(nonce))).toEqual([...Array(20).keys()])
  })

  test('one that was paused past its lease writes nothing any more', async () => {
    const other = world.startEngine()
    const paused = world.startEngine({
      faults: {
        async reach(point) {
          if (point !== 'intent.claimed') return
          await expireLeases()
          await other.runUntilIdle()
        },
      },
    })
    await create(paused, await orderPayment(1))
    await paused.runOnce()
    await paused.runUntilIdle()
    expect(await transactions()).toHaveLength(1)
    await expectPaid(1n)
  })

  test('a key that is also used elsewhere: the intent goes out under the next nonce', async () => {
    const engine = world.startEngine()
    const { roles, client } = world.chaos
    const stray = await roles.operator.signTransaction({
      type: 'eip1559',
      chainId: 31337,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
      to: payee,
      value: 0n,
    })
    world.chaos.setWeather('dropped')
    const order = await orderPayment(1)
    await create(engine, order)
    await engine.runOnce()
    world.chaos.setWeather('fair')
    await client.sendRawTransaction({ serializedTransaction: stray })
    await engine.runUntilIdle()
    expect(await engine.intents.find(world.db, order.key)).toMatchObject({ status: 'SETTLED' })
    expect(await transactions()).toMatchObject([
      { nonce: 0n, status: 'VOID' },
      { nonce: 1n, status: 'MINED' },
    ])
    await expectPaid(1n)
  })
})

test('what is mined and fails is rejected with the contract’s reason, and its nonce is used up', async () => {
  const engine = world.startEngine()
  const orders = await Promise.all(
    [1, 2].map((number) =>
      orderTransfer(world.chaos, {
        kind: 'test.withdrawal',
        from: payer,
        to: payee,
        amountMicro: 60n * AMOUNT,
        number,
      }),
    ),
  )
  // Each alone is covered; in one batch the second comes too late.
  for (const order of orders) await create(engine, order)
  await engine.runUntilIdle()
  const [first, second] = await Promise.all(orders.map(({ key }) => engine.intents.find(world.db, key)))
  expect(first).toMatchObject({ status: 'SETTLED' })
  expect(second).toMatchObject({ status: 'REJECTED', reason: 'ERC20: transfer amount exceeds balance' })
  expect(await transactions()).toMatchObject([{ status: 'MINED' }, { status: 'MINED' }])
  await expectPaid(60n)
  expect(await engine.status()).toMatchObject({ haltedReason: null, pendingCount: 0, submittedCount: 0 })
})

test('old blocks that nothing refers to are removed, and the books stay whole', async () => {
  const engine = world.startEngine()
  await create(engine, await orderPayment(1))
  await engine.runUntilIdle()
  for (let block = 0; block < 5; block += 1) {
    await world.chaos.mine()
    await engine.runUntilIdle()
  }
  expect(await engine.prune()).toBeGreaterThan(0)
  expect(await engine.prune()).toBe(0)
  await expectPaid(1n)
  await world.chaos.mine()
  await engine.runUntilIdle()
  await expectPaid(1n)
})

test('an outcome is final when its block is deep enough for its kind and amount', async () => {
  const engine = world.startEngine()
  const large = testAccount(5)
  await world.chaos.faucet({ address: large.address, amountMicro: 6_000_000_000n })
  world.chaos.setFinalityLag(3)
  const small = await orderPayment(1)
  const big = await orderTransfer(world.chaos, {
    kind: 'test.withdrawal',
    from: large,
    to: testAccount(6).address,
    amountMicro: 5_000_000_001n,
    number: 2,
  })
  await create(engine, small)
  await create(engine, big)
  await engine.runUntilIdle()
  expect(await engine.intents.find(world.db, small.key)).toMatchObject({ status: 'SETTLED', final: true })
  expect(await engine.intents.find(world.db, big.key)).toMatchObject({ status: 'SETTLED', final: false })
  for (let block = 0; block < 5; block += 1) await world.chaos.mine()
  await engine.runUntilIdle()
  expect(await engine.intents.find(world.db, big.key)).toMatchObject({ final: false })
  await world.chaos.mine()
  await engine.runUntilIdle()
  expect(await engine.intents.find(world.db, big.key)).toMatchObject({ final: true })
})
