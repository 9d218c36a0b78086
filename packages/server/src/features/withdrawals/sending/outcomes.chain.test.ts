import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { walletAccount } from '../../../money/books/accounts.ts'
import { balanceOf } from '../../../money/books/journal.ts'
import type { FaultPoint } from '../../../money/faults.ts'
import { sql } from '../../../platform/db/sql.ts'
import { AUTHORIZATION_SECONDS } from '../rules.ts'
import { startWithdrawals } from '../testing/start-withdrawals.ts'

let api: Awaited<ReturnType<typeof startWithdrawals>>
beforeAll(async () => {
  api = await startWithdrawals()
})
afterAll(async () => {
  expect(await api.breaches()).toEqual([])
  await api.close()
})
beforeEach(() => {
  api.alarms.length = 0
})

const HOLDING = 5_000_000n

const newSeller = () => api.newSeller(HOLDING)

type Seller = Awaited<ReturnType<typeof newSeller>>

async function withdraw({ headers, agent }: Seller, amountMicro = HOLDING): Promise<string> {
  const response = await api.withdraw(headers, agent.id, amountMicro)
  expect(response.statusCode).toBe(201)
  return response.json().data.id
}

const balances = async ({ agent, address }: Seller) => ({
  agent: await api.balanceOf(agent.wallet),
  owner: await api.balanceOf(address),
  ownerByJournal: await balanceOf(api.db, walletAccount(address)),
})
const moved = { agent: 0n, owner: HOLDING, ownerByJournal: HOLDING }
const unmoved = { agent: HOLDING, owner: 0n, ownerByJournal: 0n }

const intentsOf = (id: string) =>
  api.db.rows<{ status: string }>(
    sql`select status from intents where key like ${`withdrawal:${id}:%`} order by seq`,
  )

describe('refused by the token: FAILED, said in plain words, nothing lost', () => {
  test('USDC paused', async () => {
    const seller = await newSeller()
    await api.issuer({ functionName: 'pause' })
    const id = await withdraw(seller)
    await api.engine.runUntilIdle()
    expect(await api.read(seller.headers, id)).toMatchObject({
      status: 'FAILED',
      txHash: null,
      failureReason: expect.stringMatching(/paused.*Nothing has left the wallet/),
    })
    expect((await api.notificationsOf(seller.ownerId)).at(-1)).toMatchObject({
      type: 'WITHDRAWAL_FAILED',
      message: expect.stringContaining('5.00 USDC could not be withdrawn'),
    })
    expect(await balances(seller)).toEqual(unmoved)

    await api.issuer({ functionName: 'unpause' })
    await withdraw(seller)
    await api.engine.runUntilIdle()
    expect(await balances(seller)).toEqual(moved)
  })

  test('the owner’s wallet blacklisted, while another seller’s withdrawal goes on', async () => {
    const [blocked, other] = [await newSeller(), await newSeller()]
    await api.issuer({ functionName: 'blacklist', args: [blocked.address] })
    const id = await withdraw(blocked)
    await withdraw(other)
    await api.engine.runUntilIdle()
    expect(await api.read(blocked.headers, id)).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('blocked'),
    })
    expect(await balances(blocked)).toEqual(unmoved)
    expect(await balances(other)).toEqual(moved)
  })

  test('a wallet that refuses to sign', async () => {
    const seller = await newSeller()
    await api.limitWallet(seller.agent.walletId, 1n)
    const id = await withdraw(seller)
    await api.engine.runUntilIdle()
    expect(await api.read(seller.headers, id)).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('refused to sign'),
    })
    expect(await balances(seller)).toEqual(unmoved)
  })

  test('refused only after it was sent', async () => {
    const seller = await newSeller()
    const id = await withdraw(seller)
    await expect((await api.startDoomed('transaction.stored')).runUntilIdle()).rejects.toThrow('crashed')
    await api.issuer({ functionName: 'pause' })
    await api.engine.runUntilIdle()
    await api.followUp()
    const reserved = await api.read(seller.headers, id)
    expect(reserved).toMatchObject({ status: 'SUBMITTED', failureReason: null, txHash: expect.any(String) })
    expect(reserved.reservedUntil).toMatch(/Z$/)
    await api.issuer({ functionName: 'unpause' })
    expect((await api.withdraw(seller.headers, seller.agent.id, 1n)).statusCode).toBe(422)

    await api.chaos.mine(AUTHORIZATION_SECONDS + 1)
    await api.engine.runUntilIdle()
    await api.followUp()
    expect(await api.read(seller.headers, id)).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('paused'),
      reservedUntil: null,
    })
    expect(await balances(seller)).toEqual(unmoved)
    await withdraw(seller)
    await api.engine.runUntilIdle()
    expect(await balances(seller)).toEqual(moved)
  })
})

test('a signature that expired while pending is made again, with the same nonce', async () => {
  const seller = await newSeller()
  const id = await withdraw(seller)
  await expect((await api.startDoomed('transaction.stored')).runUntilIdle()).rejects.toThrow('crashed')
  await api.chaos.mine(AUTHORIZATION_SECONDS + 1)
  await api.engine.runUntilIdle()
  expect(await intentsOf(id)).toEqual([{ status: 'REJECTED' }, { status: 'SETTLED' }])
  expect(await api.read(seller.headers, id)).toMatchObject({ status: 'CONFIRMED', failureReason: null })
  expect(await balances(seller)).toEqual(moved)
  const types = (await api.notificationsOf(seller.ownerId)).map(({ type }) => type)
  expect(types).toEqual(['WITHDRAWAL_REQUESTED', 'WITHDRAWAL_CONFIRMED'])
})

test('a worker whose clock is a day behind still signs what the chain takes', async () => {
  const seller = await newSeller()
  const id = await withdraw(seller)
  const clock = { now: () => new Date(api.clock.now().getTime() - 24 * 3600_000) }
  const late = await api.startEngine({ ports: () => ({ clock }) })
  await late.runUntilIdle()
  expect(await intentsOf(id)).toEqual([{ status: 'SETTLED' }])
  expect(await balances(seller)).toEqual(moved)
})

test('more than 5,000 USDC leave a wallet only when the money that came in is final', async () => {
  api.chaos.setFinalityLag(2)
  const { agent, ...owner } = await api.newSeller(6_000_000_000n)
  await api.engine.runUntilIdle()
  const ask = async (amount: bigint): Promise<string> =>
    (await api.withdraw(owner.headers, agent.id, amount)).json().data.id
  const [large, small] = [await ask(5_000_000_001n), await ask(1_000_000n)]
  await api.engine.runUntilIdle()
  const statuses = async () => [
    (await api.read(owner.headers, large)).status,
    (await api.read(owner.headers, small)).status,
  ]
  expect(await statuses()).toEqual(['REQUESTED', 'CONFIRMED'])
  for (let count = 0; count < 6; count += 1) await api.chaos.mine()
  await api.engine.runUntilIdle()
  expect(await statuses()).toEqual(['CONFIRMED', 'CONFIRMED'])
  api.chaos.setFinalityLag(0)
  await api.engine.runUntilIdle()
})

test('more than 5,000 USDC that the books have not read yet are not paid out', async () => {
  const owner = await api.newOwner({ kycStatus: 'VERIFIED' })
  api.chaos.setFinalityLag(2)
  const agent = await api.newAgent(owner, 1_000_000n)
  for (let count = 0; count < 6; count += 1) await api.chaos.mine()
  await api.engine.runUntilIdle()
  // The wallet holds it by the chain; in which block it came, nobody has read.
  await api.fund(agent.wallet, 5_500_000_000n)
  const early = await api.withdraw(owner.headers, agent.id, 5_500_000_000n)
  expect([early.statusCode, early.json().error.code]).toEqual([503, 'UNAVAILABLE'])
  expect((await api.withdraw(owner.headers, agent.id, 5_000_000_000n)).statusCode).toBe(201)
  await api.engine.runUntilIdle()
  api.chaos.setFinalityLag(0)
  await api.engine.runUntilIdle()
})

const crashPoints: FaultPoint[] = [
  'intent.claimed',
  'transaction.storing',
  'transaction.stored',
  'transaction.sent',
  'settlement.read',
  'settlement.storing',
  'settlement.stored',
]

test.each(crashPoints)('a crash at %s moves it once', async (point) => {
  const seller = await newSeller()
  const id = await withdraw(seller)
  await expect((await api.startDoomed(point)).runUntilIdle()).rejects.toThrow('crashed')
  const restarted = await api.startEngine()
  // What was prepared and not stored waits out a short pause before anyone tries it again.
  await api.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  await restarted.runUntilIdle()
  expect(await api.read(seller.headers, id)).toMatchObject({ status: 'CONFIRMED' })
  expect(await intentsOf(id)).toEqual([{ status: 'SETTLED' }])
  expect(await balances(seller)).toEqual(moved)
  const types = (await api.notificationsOf(seller.ownerId)).map(({ type }) => type)
  expect(types).toEqual(['WITHDRAWAL_REQUESTED', 'WITHDRAWAL_CONFIRMED'])
})

test.each(['response lost', 'doubled', 'dropped', 'forgotten'] as const)(
  'a broadcast that is %s moves it once',
  async (weather) => {
    const seller = await newSeller()
    const id = await withdraw(seller)
    api.chaos.setWeather(weather)
    await api.engine.runOnce()
    api.chaos.setWeather('fair')
    await api.engine.runUntilIdle()
    expect(await api.read(seller.headers, id)).toMatchObject({ status: 'CONFIRMED' })
    expect(await balances(seller)).toEqual(moved)
  },
)

test('two workers at once move it once', async () => {
  const sellers = [await newSeller(), await newSeller(), await newSeller()]
  await Promise.all(sellers.map((seller) => withdraw(seller)))
  const workers = [await api.startEngine(), await api.startEngine()]
  await Promise.all(workers.map((worker) => worker.runUntilIdle()))
  await api.engine.runUntilIdle()
  for (const seller of sellers) expect(await balances(seller)).toEqual(moved)
})

test('a reorganisation takes it back and it goes out again: one effect, and the amount stays set aside', async () => {
  const seller = await newSeller()
  const id = await withdraw(seller)
  await api.engine.runUntilIdle()
  expect(await balances(seller)).toEqual(moved)

  await api.chaos.reorganise(1, () => false)
  api.chaos.setWeather('forgotten')
  await api.engine.runOnce()
  await api.engine.runOnce()
  expect(await api.read(seller.headers, id)).toMatchObject({ status: 'SUBMITTED' })
  expect(await balances(seller)).toEqual(unmoved)
  expect((await api.withdraw(seller.headers, seller.agent.id, 1n)).statusCode).toBe(422)

  api.chaos.setWeather('fair')
  await api.engine.runUntilIdle()
  expect(await api.read(seller.headers, id)).toMatchObject({ status: 'CONFIRMED' })
  expect(await balances(seller)).toEqual(moved)
})

test('the invariants notice an outcome without its entry, an entry without its outcome, and a forgotten reservation', async () => {
  const [open, done] = [await newSeller(), await newSeller()]
  const doneId = await withdraw(done)
  await api.engine.runUntilIdle()
  const openId = await withdraw(open)
  const set = (id: string, outcome: 'CONFIRMED' | null) =>
    api.db.run(sql`update withdrawals set outcome = ${outcome} where id = ${id}`)
  await set(openId, 'CONFIRMED')
  await set(doneId, null)
  const [entries, reservations, ...others] = await api.breaches()
  expect(others).toEqual([])
  expect(entries?.rows.map(({ key }) => key).sort()).toEqual([openId, doneId].sort())
  expect(reservations?.rows.map(({ key }) => key).sort()).toEqual([openId, doneId].sort())
  await set(openId, null)
  await set(doneId, 'CONFIRMED')
})
