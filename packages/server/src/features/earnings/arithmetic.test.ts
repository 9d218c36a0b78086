import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDayKeeping } from '../../house/books/kept-days/keeping.ts'
import { checkInvariants } from '../../money/audit/invariants.ts'
import { walletAccount } from '../../money/books/accounts.ts'
import { sumOf } from '../../money/testing/sum-of.ts'
import { sql } from '../../platform/db/sql.ts'
import { earningsInvariants } from './invariants.ts'
import { earningDays } from './kept/days.ts'
import { startEarnings } from './testing/start-earnings.ts'

let api: Awaited<ReturnType<typeof startEarnings>>
beforeAll(async () => {
  api = await startEarnings()
})
afterAll(() => api.close())

const RUNS = 20
const DAY_MS = 24 * 3600_000
const AGENTS = 3
/** The series' last day is the test clock's today. */
const firstDay = Date.UTC(2026, 9, 17)

const income = fc.record({
  agent: fc.nat(AGENTS - 1),
  source: fc.constantFrom('ESCROW' as const, 'X402' as const),
  amountMicro: fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 10n ** 15n)),
  // Few different moments, so that equal ones and the edges of days occur.
  atMs: fc
    .tuple(
      fc.oneof(fc.nat(29), fc.constantFrom(14, 15)),
      fc.constantFrom(0, 1, DAY_MS - 1, 3600_000, 3600_001, 3659_999),
    )
    .map(([day, ms]) => firstDay + day * DAY_MS + ms),
  isTakenBack: fc.nat(4).map((number) => number === 0),
  /** x402 payments may be logged by the payee's owner, and then be shown by the chain or not. */
  claim: fc.constantFrom('NONE' as const, 'NONE' as const, 'OPEN' as const, 'SHOWN' as const),
})
type Income = typeof income extends fc.Arbitrary<infer Value> ? Value : never

const isOnlyClaimed = ({ source, claim }: Income) => source === 'X402' && claim === 'OPEN'
/** What is only claimed was never on the chain, which could take it back. */
const isGone = (one: Income) => one.isTakenBack && !isOnlyClaimed(one)

/** Filters are rare enough that most of what was written is seen. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** A whole day, or a moment within it. */
const dayOrMoment = (days: fc.Arbitrary<number>) =>
  fc.record({
    day: days,
    withinMs: fc.constantFrom(undefined, undefined, 0, 1, 3600_000, 3600_001, 3630_000, DAY_MS - 1),
  })
type DayOrMoment = ReturnType<typeof dayOrMoment> extends fc.Arbitrary<infer Value> ? Value : never

const filter = fc.record({
  agent: seldom(fc.nat(AGENTS - 1)),
  source: seldom(fc.constantFrom('ESCROW' as const, 'X402' as const)),
  start: seldom(dayOrMoment(fc.nat(14))),
  end: seldom(dayOrMoment(fc.integer({ min: 15, max: 29 }))),
})

const dayMs = ({ day }: DayOrMoment) => firstDay + day * DAY_MS
const startMs = (start: DayOrMoment) => dayMs(start) + (start.withinMs ?? 0)
const endMs = (end: DayOrMoment) =>
  end.withinMs === undefined ? dayMs(end) + DAY_MS : dayMs(end) + end.withinMs + 1
const queryOf = (one: DayOrMoment) =>
  new Date(dayMs(one) + (one.withinMs ?? 0))
    .toISOString()
    .slice(0, one.withinMs === undefined ? 10 : undefined)
const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n)

/** What an income is worth, computed as a person would. */
function worth({ source, amountMicro }: Income) {
  const feeMicro = source === 'ESCROW' ? (amountMicro * 2n) / 100n : 0n
  return { feeMicro, netMicro: amountMicro - feeMicro }
}

/** When days are added up: what comes later changes days that are kept already. Those with more entries than `busyAbove` are kept in minutes. */
const keepings = fc.array(fc.record({ after: fc.nat(15), busyAbove: fc.constantFrom(0, 1, 1_000) }), {
  maxLength: 4,
})
type Keeping = { after: number; busyAbove: number }

const keep = (busyAbove: number) => createDayKeeping({ db: api.db, days: earningDays, busyAbove })()

async function write(incomes: Income[], chosen: Keeping[]) {
  const owner = await api.newOwner()
  const agents = await Promise.all(Array.from({ length: AGENTS }, () => api.newAgent(owner)))
  for (const [index, one] of incomes.entries()) {
    for (const { after, busyAbove } of chosen) if (index === after) await keep(busyAbove)
    const agent = agents[one.agent]
    if (agent === undefined) throw new Error('there is no such agent')
    const { source, amountMicro, claim, isTakenBack } = one
    const at = new Date(one.atMs)
    const isClaimed = source === 'X402' && claim !== 'NONE'
    const claimed = isClaimed ? await api.logOwn(owner, agent, { at, amountMicro }) : undefined
    if (isOnlyClaimed(one)) continue
    const { id } =
      source === 'ESCROW'
        ? await api.closeJob(agent, { at, priceMicro: amountMicro })
        : await api.pay(agent, { at, amountMicro, ...(claimed ? { txHash: claimed.txKey } : {}) })
    if (claimed) await api.verify(claimed.logId)
    if (isTakenBack) await api.takeBack(id)
  }
  return { owner, agents }
}

test('list, summary, series, export, profile and journal agree to the unit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(income, { maxLength: 16, size: 'max' }),
      keepings,
      filter,
      async (incomes, kept, chosen) => {
        const { owner, agents } = await write(incomes, kept)
        const { headers } = owner
        const standing = incomes.filter((one) => !isGone(one))
        const fits = standing.filter(
          ({ agent, source, atMs }) =>
            (chosen.agent === undefined || agent === chosen.agent) &&
            (chosen.source === undefined || source === chosen.source) &&
            (chosen.start === undefined || atMs >= startMs(chosen.start)) &&
            (chosen.end === undefined || atMs < endMs(chosen.end)),
        )
        const netMicro = sum(fits.map((one) => worth(one).netMicro))
        const feeMicro = sum(fits.map((one) => worth(one).feeMicro))
        const unverifiedMicro = sum(fits.filter(isOnlyClaimed).map(({ amountMicro }) => amountMicro))
        const query = new URLSearchParams()
        if (chosen.agent !== undefined) query.set('agentId', agents[chosen.agent]?.id ?? '')
        if (chosen.source !== undefined) query.set('source', chosen.source)
        if (chosen.start !== undefined) query.set('startDate', queryOf(chosen.start))
        if (chosen.end !== undefined) query.set('endDate', queryOf(chosen.end))

        const { data } = (await api.get(headers, `?${query}`)).json()
        expect(data.total).toBe(fits.length)
        expect(data.summary).toEqual({
          totalGross: String(netMicro + feeMicro),
          totalFees: String(feeMicro),
          totalNet: String(netMicro),
          unverifiedNet: String(unverifiedMicro),
          heldNet: '0',
        })
        const newestFirst = fits
          .toSorted((a, b) => b.atMs - a.atMs)
          .map(({ atMs }) => new Date(atMs).toISOString())
        expect(data.earnings.map(({ createdAt }: { createdAt: string }) => createdAt)).toEqual(newestFirst)
        const nets: string[] = data.earnings.map(({ netAmount }: { netAmount: string }) => netAmount)
        expect(nets.toSorted()).toEqual(fits.map((one) => String(worth(one).netMicro)).toSorted())

        const paged: string[] = []
        for (let offset = 0; offset < fits.length; offset += 5) {
          const page = (await api.get(headers, `?${query}&limit=5&offset=${offset}`)).json().data
          paged.push(...page.earnings.map(({ id }: { id: string }) => id))
        }
        expect(paged).toEqual(data.earnings.map(({ id }: { id: string }) => id))

        if (chosen.start === undefined) query.set('startDate', queryOf({ day: 0, withinMs: undefined }))
        const { points } = (await api.get(headers, `/series?${query}`)).json().data
        expect(sum(points.map(({ totalNet }: { totalNet: string }) => BigInt(totalNet)))).toBe(netMicro)
        const unverified = points.map((point: { unverifiedNet: string }) => BigInt(point.unverifiedNet))
        expect(sum(unverified)).toBe(unverifiedMicro)
        for (const { date, escrowNet } of points) {
          const ofDay = fits.filter(
            ({ source, atMs }) => source === 'ESCROW' && new Date(atMs).toISOString().startsWith(date),
          )
          expect(escrowNet).toBe(String(sum(ofDay.map((one) => worth(one).netMicro))))
        }

        const lines = (await api.get(headers, `.csv?${query}`)).body.split('\r\n').slice(1, -1)
        expect(sum(lines.map((line) => BigInt((line.split(',')[6] ?? '').replace('.', ''))))).toBe(netMicro)

        for (const by of ['agent', 'service']) {
          const { groups, rest, total } = (await api.get(headers, `/breakdown?${query}&by=${by}`)).json().data
          expect(total).toEqual({
            payments: fits.length,
            totalGross: data.summary.totalGross,
            totalFees: data.summary.totalFees,
            totalNet: data.summary.totalNet,
          })
          for (const field of ['totalGross', 'totalFees', 'totalNet'] as const)
            expect(sum([...groups, rest].map((group) => BigInt(group[field])))).toBe(BigInt(total[field]))
        }

        const shown = standing.filter((one) => !isOnlyClaimed(one))
        const totalEarnedMicro = sum(shown.map((one) => worth(one).netMicro))
        expect(await api.profileOf(owner)).toEqual({
          totalEarned: String(totalEarnedMicro),
          availableBalance: String(totalEarnedMicro),
        })
        const balances = await Promise.all(
          agents.map(({ walletAddress }) => sumOf(api.db, { account: walletAccount(walletAddress) })),
        )
        expect(sum(balances)).toBe(totalEarnedMicro)

        const breaches = () => checkInvariants({ db: api.db, chain: api.chain }, earningsInvariants)
        expect(await breaches()).toEqual([])
        for (const busyAbove of [0, 1_000]) {
          await keep(busyAbove)
          expect(await api.db.rows(sql`select from earning_days_due`)).toEqual([])
          expect((await api.get(headers, `?${query}`)).json().data.summary).toEqual(data.summary)
          expect(await breaches()).toEqual([])
        }
      },
    ),
    { numRuns: RUNS },
  )
})

test('an export of several batches has every entry once, oldest first, however many share a moment', async () => {
  const owner = await api.newOwner()
  const agent = await api.newAgent(owner)
  const { id } = await api.pay(agent, { at: new Date(firstDay), amountMicro: 7n })
  const copies = 2_500
  await api.repeatEntry(id, copies)
  const lines = (await api.get(owner.headers, '.csv')).body.split('\r\n').slice(1, -1)
  expect(lines).toHaveLength(copies + 1)
  expect(new Set(lines.map((line) => line.split(',')[9])).size).toBe(copies + 1)
  const times = lines.map((line) => line.split(',')[0] ?? '')
  expect(times).toEqual(times.toSorted())
})
