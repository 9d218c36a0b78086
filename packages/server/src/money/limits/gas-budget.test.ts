import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createGasBudget } from './gas-budget.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(() => database.db.run(sql`delete from gas_budget`))

const alerts: string[] = []
const clock = createTestClock(new Date('2026-11-15T12:20:00Z'))
const newBudget = (limits: { ownerGas: bigint; platformGas: bigint }, isEnforced = true) =>
  createGasBudget({
    db: database.db,
    clock,
    alert: async (name) => void alerts.push(name),
    limits,
    isEnforced,
  })
type Budget = ReturnType<typeof newBudget>

const take = (budget: Budget, account: string, gas = 100n, paidFor = 0n) =>
  database.db
    .transaction((tx) => budget.take(tx, { account, gas, paidFor }))
    .then(
      () => 'taken',
      (error) => error.details.budget as string,
    )
const countOf = (outcomes: string[], outcome: string) => outcomes.filter((one) => one === outcome).length

test('thirty at once get exactly what one owner has, others get theirs, and the next hour is new', async () => {
  const budget = newBudget({ ownerGas: 1_000n, platformGas: 10_000n })
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => take(budget, 'greedy')))
  expect([countOf(outcomes, 'taken'), countOf(outcomes, 'owner')]).toEqual([10, 20])
  expect(await take(budget, 'modest')).toBe('taken')
  expect([await budget.usedGas(), budget.refusals()]).toEqual([1_100n, 20])
  clock.advance(2_400)
  expect(await take(budget, 'greedy')).toBe('taken')
})

test('all owners together get exactly what the platform has, whichever process they ask', async () => {
  const limits = { ownerGas: 1_000n, platformGas: 1_500n }
  const processes = [newBudget(limits), newBudget(limits)] as const
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, index) => take(processes[index % 2 === 0 ? 0 : 1], `owner ${index % 4}`)),
  )
  expect([countOf(outcomes, 'taken'), countOf(outcomes, 'platform')]).toEqual([15, 9])
  expect(await take(newBudget(limits), 'another'), 'after a restart').toBe('platform')
})

test('the refusal says which budget, how much, and when to come again', async () => {
  const budget = newBudget({ ownerGas: 99n, platformGas: 1_000n })
  const refused = database.db.transaction((tx) => budget.take(tx, { account: 'one', gas: 100n }))
  await expect(refused).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { budget: 'owner', limitGas: '99', requiredGas: '100', retryAfterSeconds: 3_600 },
  })
  expect(await take(budget, 'one', 100n, 1n), 'what a plan has paid for').toBe('taken')
})

test('what comes to nothing is not counted; without enforcement all is counted and nothing refused', async () => {
  const budget = newBudget({ ownerGas: 100n, platformGas: 1_000n })
  const failed = database.db.transaction(async (tx) => {
    await budget.take(tx, { account: 'one', gas: 100n })
    throw new Error('it came to nothing')
  })
  await expect(failed).rejects.toThrow('it came to nothing')
  expect(await take(budget, 'one')).toBe('taken')
  const open = newBudget({ ownerGas: 1n, platformGas: 1n }, false)
  expect(await take(open, 'one')).toBe('taken')
  expect(await open.usedGas()).toBe(200n)
})

const running = new AbortController().signal

test('the alarm is raised once an hour, before the budget is gone', async () => {
  alerts.length = 0
  const budget = newBudget({ ownerGas: 1_000n, platformGas: 1_000n })
  await take(budget, 'one', 700n)
  await budget.lookAfter(running)
  expect(alerts).toEqual([])
  await take(budget, 'one', 100n)
  await budget.lookAfter(running)
  await newBudget({ ownerGas: 1_000n, platformGas: 1_000n }).lookAfter(running)
  expect(alerts).toEqual(['GAS_BUDGET_LOW'])
})
