import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobCalls, type JobCalls } from '../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../jobs/testing/start-jobs.ts'

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let lark: TestAgent
let wren: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  seller = await world.newOwner()
  client = await world.newOwner({ kycStatus: 'VERIFIED' })
  lark = await world.newAgent(seller, { name: '=HYPERLINK("http://evil","x")' })
  wren = await world.newAgent(seller, { name: 'Wren' })
})
afterAll(() => world.close())

const list = async (owner: TestOwner, query = '') =>
  (await calls.get(owner, `/api/owners/spending${query}`)).json().data
const rowsOf = async (query = '') =>
  (await calls.get(client, `/api/owners/spending.csv${query}`)).body.trimEnd().split('\r\n')

async function payDirectly(agent: TestAgent, price: string): Promise<string> {
  await world.give(client.wallet.address, BigInt(price))
  const { jobId } = await calls.hire(client, agent, price)
  const header = await calls.x402Header(client.wallet, await calls.act(client, jobId, 'pay'))
  expect(
    (await world.whileWorking(calls.send(client, `/api/jobs/${jobId}/pay`, undefined, header))).statusCode,
  ).toBe(200)
  return jobId
}

async function payVerification(): Promise<void> {
  const url = '/api/owners/kyc/fee'
  await world.give(client.wallet.address, 10_000_000n)
  const header = await calls.x402Header(client.wallet, await calls.send(client, url))
  expect((await world.whileWorking(calls.send(client, url, undefined, header))).statusCode).toBe(200)
}

test('nothing was spent, and that is a page too', async () => {
  expect(await list(client)).toMatchObject({
    spending: [],
    total: 0,
    summary: { paid: '0', refunded: '0', cost: '0', byMonth: [], byAgent: [] },
  })
  expect((await world.http.inject({ url: '/api/owners/spending' })).statusCode).toBe(401)
})

test('payments, refunds and fees are listed, added up by kind, month and agent, and exported', async () => {
  const held = await calls.hireAndFund(client, lark, '150000001')
  const refunded = await payDirectly(wren, '5000001')
  await payDirectly(wren, '7000000')
  await world.whileWorking(calls.send(seller, `/api/jobs/${refunded}/refund`, { reason: 'Sorry.' }))
  await payVerification()
  await world.engine.runUntilIdle()

  const { spending, summary, total } = await list(client)
  const feePaid = BigInt(summary.byKind.VERIFICATION.paid)
  expect(feePaid).toBeGreaterThan(0n)
  expect(total).toBe(5)
  expect(spending.filter(({ jobId }: { jobId: string }) => jobId === refunded)).toMatchObject([
    { kind: 'JOB', paid: '0', refunded: '5000001', agent: { name: 'Wren' } },
    { kind: 'JOB', paid: '5000001', refunded: '0', jobTitle: 'Reconcile October' },
  ])
  expect(summary.byKind.JOB).toEqual({ paid: '162000002', refunded: '5000001', cost: '157000001' })
  expect(BigInt(summary.cost)).toBe(157_000_001n + feePaid)
  expect(summary.byMonth.reduce((sum: bigint, { cost }: { cost: string }) => sum + BigInt(cost), 0n)).toBe(
    BigInt(summary.cost),
  )
  expect(summary.byAgent).toMatchObject([
    { agent: { id: lark.id }, jobs: 1, cost: '150000001' },
    { agent: { id: wren.id }, jobs: 2, paid: '12000001', refunded: '5000001', cost: '7000000' },
  ])

  // The same money as the receipts show.
  for (const jobId of [held, refunded]) {
    const { totals } = (await calls.get(client, `/api/jobs/${jobId}/receipt`)).json().data
    const rows = spending.filter((entry: { jobId: string | null }) => entry.jobId === jobId)
    const sumOf = (field: 'paid' | 'refunded') =>
      rows.reduce((sum: bigint, entry: Record<typeof field, string>) => sum + BigInt(entry[field]), 0n)
    expect([sumOf('paid'), sumOf('refunded')]).toEqual([BigInt(totals.paid), BigInt(totals.refunded)])
  }

  const [header, ...rows] = await rowsOf()
  expect(header).toContain('Paid (USDC),Refunded (USDC)')
  expect(rows).toHaveLength(5)
  // A name that would run in a spreadsheet is text.
  expect(rows.find((row) => row.includes(held))).toContain(`"'=HYPERLINK(""http://evil"",""x"")"`)
  expect(rows.filter((row) => /,[=+@-]/.test(row))).toEqual([])
})

test('filters narrow list, totals and export alike, and others see nothing of it', async () => {
  expect((await list(client, `?agentId=${wren.id}`)).summary.cost).toBe('7000000')
  expect(await rowsOf(`?agentId=${wren.id}`)).toHaveLength(4)
  expect((await list(client, '?kind=VERIFICATION')).total).toBe(1)
  expect((await list(client, '?kind=SUBSCRIPTION')).total).toBe(0)
  expect((await list(client, '?endDate=2021-01-01')).total).toBe(0)
  const page = await list(client, '?limit=2&offset=1')
  expect([page.spending.length, page.total]).toEqual([2, 5])
  const wrong = await calls.get(client, '/api/owners/spending?startDate=2026-02-30')
  expect(wrong.statusCode).toBe(400)
  expect((await list(seller)).total).toBe(0)
  expect((await list(seller, `?agentId=${wren.id}`)).total).toBe(0)
})
