import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDayKeeping } from '../../../house/books/kept-days/keeping.ts'
import { checkInvariants } from '../../../money/audit/invariants.ts'
import { type Account, escrowAccount, treasuryAccount, walletAccount } from '../../../money/books/accounts.ts'
import { postEntry, reverseEntry } from '../../../money/books/journal.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../../jobs/testing/start-jobs.ts'
import { spendingInvariants } from '../invariants.ts'
import { spendingDays } from './days.ts'

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let lark: TestAgent
let wren: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  const seller = await world.newOwner()
  client = await world.newOwner({ kycStatus: 'VERIFIED' })
  lark = await world.newAgent(seller, { name: 'Lark' })
  wren = await world.newAgent(seller, { name: 'Wren' })
})
afterAll(() => world.close())

const at = (day: string, time = '12:00') => new Date(`${day}T${time}:00Z`)
const list = async (query = '') => {
  const response = await calls.get(client, `/api/owners/spending${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().data as {
    total: number
    summary: { paid: string; refunded: string; byMonth: object[]; byAgent: { jobs: number }[] }
  }
}
const keep = (busyAbove: number) => createDayKeeping({ db: world.db, days: spendingDays, busyAbove })()
const breaches = () => checkInvariants({ db: world.db, chain: world.chain }, spendingInvariants)

function post(kind: string, jobId: string, moment: Date, postings: [Account, bigint][]): Promise<string> {
  return world.db.transaction((tx) =>
    postEntry(tx, {
      kind,
      at: moment,
      postings: postings.map(([account, amountMicro]) => ({ account, amountMicro })),
      reference: { jobId },
    }),
  )
}

/** A job as the books have it, posted as the engine posts it. */
async function order(agent: TestAgent) {
  const { jobId } = await calls.hire(client, agent, '150000000')
  const { escrowKey } = await world.db.one<{ escrowKey: string }>(
    sql`select escrow_key from jobs where id = ${jobId}`,
  )
  const [escrow, buyer] = [escrowAccount(escrowKey), walletAccount(client.wallet.address)]
  return {
    fund: (moment: Date) =>
      post('escrow.funded', jobId, moment, [
        [buyer, -150_000_000n],
        [escrow, 150_000_000n],
      ]),
    settle: (moment: Date, refundMicro: bigint) =>
      post('escrow.settled', jobId, moment, [
        [escrow, -150_000_000n],
        [buyer, refundMicro],
        [treasuryAccount(), 1_000_000n],
        [walletAccount(agent.wallet), 149_000_000n - refundMicro],
      ]),
  }
}

const queries = [
  '',
  '?startDate=2026-10-02',
  '?startDate=2026-10-01&endDate=2026-10-01',
  '?startDate=2026-10-05',
  '?endDate=2026-10-04',
  '?startDate=2026-10-01T12:30:00Z',
  '?endDate=2026-10-05T11:00:00Z',
  '?startDate=2026-10-05&endDate=2026-10-05T12:00:00Z',
  '?kind=JOB',
  '?kind=SUBSCRIPTION',
]
const jobsOf = async (query: string) => (await list(query)).summary.byAgent.map(({ jobs }) => jobs)

describe('sums of past days', () => {
  test('are the same kept as added up, in every period, and each job counts once in it', async () => {
    const [refunded, released, twice] = [await order(lark), await order(lark), await order(wren)]
    await refunded.fund(at('2026-10-01'))
    await released.fund(at('2026-10-01', '13:00'))
    await twice.fund(at('2026-10-05'))
    await refunded.settle(at('2026-10-05'), 50_000_000n)
    await released.settle(at('2026-10-06'), 0n)
    await twice.settle(at('2026-10-05', '23:00'), 20_000_000n)

    const expectKept = async () => {
      expect(await world.db.rows(sql`select 1 from spending_days_due`)).toEqual([])
      expect(await Promise.all(narrower.map(list))).toEqual(addedUp)
      expect(await breaches()).toEqual([])
    }
    const narrower = [...queries, `?agentId=${lark.id}`, `?agentId=${lark.id}&startDate=2026-10-05`]
    const addedUp = await Promise.all(narrower.map(list))
    expect(await world.db.rows(sql`select 1 from spending_days`)).toEqual([])
    await world.tick('spending-days')
    await expectKept()
    await world.db.run(sql`
      insert into spending_days_due (owner_id, day) select distinct owner_id, day from spending_days`)
    await keep(0)
    await expectKept()

    expect((await list()).summary).toMatchObject({ paid: '450000000', refunded: '70000000' })
    expect(await jobsOf('')).toEqual([2, 1])
    expect(await jobsOf('?startDate=2026-10-01&endDate=2026-10-01')).toEqual([2])
    expect(await jobsOf('?startDate=2026-10-05'), 'the refund of an older job').toEqual([1, 1])
    expect(
      await jobsOf('?startDate=2026-10-01T12:30:00Z'),
      'Wren costs more than what is left of Lark',
    ).toEqual([1, 2])
    expect((await list('?endDate=2026-10-05T11:00:00Z')).total).toBe(2)
  })

  test('are of days in UTC, wherever the process runs', async () => {
    const expected = await Promise.all(queries.map(list))
    vi.stubEnv('TZ', 'America/New_York')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(new Date(0).getHours(), 'the process is elsewhere').toBe(19)
    expect(await Promise.all(queries.map(list))).toEqual(expected)
  })

  test.each([
    { kept: 'by day', busyAbove: 1_000 },
    { kept: 'by minute', busyAbove: 0 },
  ])('follow what is posted and what a fork takes back, kept $kept', async ({ busyAbove }) => {
    const { paid } = (await list()).summary
    const jobsBefore = await jobsOf('?startDate=2026-10-02&endDate=2026-10-03')
    const late = await order(wren)
    const entryId = await late.fund(at('2026-10-01', '09:00'))
    await late.settle(at('2026-10-03'), 10_000_000n)
    const withIt = await list()
    expect(withIt.summary.paid).toBe((BigInt(paid) + 150_000_000n).toString())
    const within = await Promise.all(queries.map(list))
    await keep(busyAbove)
    expect(await list()).toEqual(withIt)
    expect(await Promise.all(queries.map(list))).toEqual(within)
    expect(await jobsOf('?startDate=2026-10-02&endDate=2026-10-03')).toEqual([(jobsBefore[0] ?? 0) + 1])

    await world.db.transaction((tx) => reverseEntry(tx, entryId, 'a fork'))
    const without = await list()
    expect(without.summary.paid).toBe(paid)
    await keep(busyAbove)
    expect(await list()).toEqual(without)
    expect(await breaches()).toEqual([])
  })
})
