import {
  type EarningSort,
  type EarningSource,
  earningSorts,
  earningSources,
} from '@agent-marketplace/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimedAccount, outsideAccount, walletAccount } from '../../../money/books/accounts.ts'
import { hasWords } from '../../../platform/db/search-words.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type EarningFilter, earned, rangesOf } from '../earned.ts'
import type { EarningAgent } from '../service.ts'
import {
  type EarningRow,
  listEarnings,
  listEarningsAfter,
  sumEarnings,
  sumEarningsByDay,
  sumEarningsByGroup,
} from '../store.ts'
import { startEarnings } from '../testing/start-earnings.ts'

const INCOMES = 150
const QUERIES = 120
const HOUR_MS = 3600_000
const SERVICE = 'cmonthly00000000000000001'
const firstHour = Date.UTC(2026, 9, 20)

let api: Awaited<ReturnType<typeof startEarnings>>
let agents: EarningAgent[]
/** What searches are made of: everything that has been written, and texts that resemble it. */
const texts = ['of', 'No', '%', '_', '\\', 'e', 'ö', '0x', '0x0000', 'decade', 'nowhere', 'C1C1C1', 'c1']

const income = fc.record({
  kind: fc.constantFrom('JOB', 'JOB', 'PAID_JOB', 'REFUNDED', 'PAYMENT', 'PAYMENT', 'CLAIM', 'SHOWN_CLAIM'),
  agent: fc.nat(2),
  job: fc.nat(11),
  payer: fc.nat(3),
  amountMicro: fc.bigInt(1n, 5n),
  hour: fc.nat(100),
  isTakenBack: fc.nat(7).map((number) => number === 0),
  txKey: fc.constantFrom(undefined, undefined, 'pay_decade 17', 'facilitator:0xC1C1C1c1'),
  verification: fc.constantFrom('PENDING' as const, 'UNVERIFIED' as const),
})

beforeAll(async () => {
  api = await startEarnings()
  const [seller, buyer, other, stranger] = await Promise.all(Array.from({ length: 4 }, () => api.newOwner()))
  if (!seller || !buyer || !other || !stranger) throw new Error('there are too few owners')
  await api.db.run(sql`update owners set entity_name = 'Decade Engines' where id = ${buyer.ownerId}`)
  const names = ['Ledger Lark', 'Word Wren 50%', 'Ledger C1C1C1']
  agents = await Promise.all(names.map((name) => api.newAgent(seller, name, [SERVICE])))
  const strangers = await api.newAgent(stranger, 'Ledger of a stranger', [SERVICE])
  const titles = [
    'Reconcile Öl',
    'reconcile 50% of it',
    'A_letter',
    'Decade of c1c1c1',
    'No\\path',
    'Letter 0x0000',
  ]
  const jobs: { id: string; agent: EarningAgent }[] = []
  for (let number = 0; number < 12; number += 1) {
    const agent = agents[number % 3] as EarningAgent
    const title = titles[number % titles.length] as string
    const serviceId = number % 2 === 0 ? { serviceId: SERVICE } : {}
    const id = await api.order(number % 4 === 0 ? other : buyer, agent, { title, ...serviceId })
    jobs.push({ id, agent })
    texts.push(id, id.slice(3, 11), title)
  }
  const payers = [buyer.wallet.address, other.wallet.address, `0x${'c1'.repeat(20)}`, `0x${'0'.repeat(38)}c1`]
  texts.push(...names, 'decade engines', ...payers, ...payers.map((payer) => payer.slice(0, 10)))

  for (const [index, one] of fc.sample(income, INCOMES).entries()) {
    if (index === INCOMES / 2) await api.tick('earning-days')
    const at = new Date(firstHour + one.hour * HOUR_MS)
    const { amountMicro } = one
    const job = jobs[one.job] as (typeof jobs)[number]
    const agent = index % 10 === 0 ? strangers : (agents[one.agent] as EarningAgent)
    const payer = payers[one.payer] as string
    const pay = (given: { kind?: string; jobId?: string; txHash?: string }) =>
      api.pay(given.jobId ? job.agent : agent, { at, amountMicro, payer, ...given })
    if (one.kind === 'CLAIM' || one.kind === 'SHOWN_CLAIM') {
      const { txKey, verification } = one
      const given = { at, amountMicro, verification, ...(txKey ? { txKey: `${txKey}${index}` } : {}) }
      const owner = agent === strangers ? stranger : seller
      const logged = await api.logOwn(owner, agent, given)
      texts.push(logged.txKey.split(' ')[0] as string, logged.txKey.slice(4, 12).trim())
      // Known from the chain, and claimed all the same.
      if (one.kind === 'SHOWN_CLAIM' && !txKey) await pay({ txHash: logged.txKey })
      continue
    }
    const { id, txHash } =
      one.kind === 'JOB'
        ? await api.closeJob(job.agent, { at, priceMicro: amountMicro * 1000n, jobId: job.id })
        : await pay(one.kind === 'PAYMENT' ? {} : { jobId: job.id })
    if (one.kind === 'REFUNDED') await pay({ kind: 'x402.refund', jobId: job.id })
    if (one.isTakenBack) await api.takeBack(id)
    if (index % 5 === 0) texts.push(txHash, txHash.slice(0, 12), txHash.slice(20, 26).toUpperCase())
  }
})
afterAll(() => api.close())

/** The reference: compares each income by itself with all the words. */
async function lookAtEach(filter: EarningFilter): Promise<EarningRow[]> {
  const all = earned(rangesOf(filter), { source: filter.source })
  const nameOf = (account: Sql) =>
    sql`(select name from agents where lower(wallet_address) = substring(${account} from '0x[0-9a-f]{40}$'))`
  return api.db.rows(sql`
    select earning.* from (${all}) earning join journal_entries e on e.id = earning."entryId"
    left join jobs job on job.id = e.job_id
    left join (
      select c.entry_id, logged.tx_key from journal_postings c
      join x402_transactions logged on c.account = ${outsideAccount('claim:')} || logged.id) claim on claim.entry_id = e.id
    where ${hasWords(filter.words ?? [], {
      names: sql`concat_ws(' ', job.title, ${nameOf(sql`earning.account`)},
        (select entity_name from owners where owners.id = job.client_id))`,
      identifiers: [
        sql`e.job_id`,
        sql`e.tx_hash`,
        sql`claim.tx_key`,
        sql`job.client_wallet`,
        sql`(select substring(payer.account from '0x[0-9a-f]{40}$') from journal_postings payer
          where payer.entry_id = e.id and payer.amount_micro < 0 and starts_with(payer.account, ${walletAccount('')}))`,
      ],
    })}`)
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)
const bySeq = (one: EarningRow, other: EarningRow) => compare(one.seq, other.seq)
const byTime = (one: EarningRow, other: EarningRow) =>
  one.at.getTime() - other.at.getTime() || bySeq(one, other)
const byAmount = (one: EarningRow, other: EarningRow) =>
  compare(one.netMicro, other.netMicro) || bySeq(one, other)
const inOrder: Record<EarningSort, (rows: EarningRow[]) => EarningRow[]> = {
  newest: (rows) => rows.toSorted(byTime).reverse(),
  oldest: (rows) => rows.toSorted(byTime),
  lowest: (rows) => rows.toSorted(byAmount),
  highest: (rows) =>
    rows.toSorted((one, other) => compare(other.netMicro, one.netMicro) || bySeq(other, one)),
}

const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const netOf = (rows: EarningRow[]) =>
  sum(rows.filter(({ verification }) => verification !== 'UNVERIFIED').map(({ netMicro }) => netMicro))
const totalsOf = (rows: EarningRow[]) => ({
  count: BigInt(rows.length),
  netMicro: netOf(rows),
  feeMicro: sum(rows.map(({ feeMicro }) => feeMicro)),
  unverifiedMicro: sum(
    rows.filter(({ verification }) => verification !== 'VERIFIED').map(({ netMicro }) => netMicro),
  ),
})
const netsBy = (rows: EarningRow[], keyOf: (row: EarningRow) => string): Record<string, string> =>
  Object.fromEntries(
    [...Map.groupBy(rows, keyOf)].map(([key, group]) => [key, `${group.length} ${netOf(group)}`]).toSorted(),
  )

test('a search finds what a look at every income finds, in every view', async () => {
  let found = 0
  const text = fc
    .constantFrom(...texts)
    .chain((whole) => fc.constantFrom(whole, whole.toLowerCase(), whole.slice(0, 7)))
  const query = fc.record({
    words: fc.oneof(fc.tuple(text), fc.tuple(text), fc.array(text, { minLength: 2, maxLength: 3 })),
    source: fc.constantFrom<(EarningSource | undefined)[]>(undefined, undefined, ...earningSources),
    agents: fc.constantFrom(1, 3, 3),
    hours: fc.constantFrom<[number?, number?]>([], [], [10], [0, 77], [24, 72]),
    sort: fc.constantFrom(...earningSorts),
    limit: fc.constantFrom(1, 4, 200),
    offset: fc.constantFrom(0, 3),
  })
  type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never
  const check = async ({ words, source, agents: count, hours, sort, limit, offset }: Query) => {
    const [from, to] = hours.map((hour) => new Date(firstHour + (hour ?? 0) * HOUR_MS))
    const accounts = agents
      .slice(0, count)
      .flatMap(({ walletAddress }) => [walletAccount(walletAddress), claimedAccount(walletAddress)])
    const separate = words.flatMap((text) => text.split(/\s+/)).filter((word) => word !== '')
    const filter: EarningFilter = { accounts, source, words: [...new Set(separate)], from, to }
    const rows = await lookAtEach(filter)
    if (rows.length > 0) found += 1

    const page = await listEarnings(api.db, filter, { sort, limit, offset })
    expect(page).toEqual(inOrder[sort](rows).slice(offset, offset + limit))
    const [after] = page
    expect(await listEarningsAfter(api.db, filter, { after, limit })).toEqual(
      inOrder
        .oldest(rows)
        .filter((row) => after === undefined || byTime(row, after) > 0)
        .slice(0, limit),
    )
    expect(await sumEarnings(api.db, filter)).toEqual(totalsOf(rows))
    const days = await sumEarningsByDay(api.db, filter)
    const dayOf = ({ at, source }: EarningRow) => `${at.toISOString().slice(0, 10)} ${source}`
    const netsByDay = [...Map.groupBy(rows, dayOf)].map(([day, group]) => [day, netOf(group)] as const)
    expect(
      days
        .filter(({ netMicro }) => netMicro !== 0n)
        .map(({ day, source, netMicro }) => `${day} ${source} ${netMicro}`)
        .toSorted(),
    ).toEqual(
      netsByDay
        .filter(([, net]) => net !== 0n)
        .map(([day, net]) => `${day} ${net}`)
        .toSorted(),
    )
    for (const by of ['agent', 'service'] as const) {
      const isByService = by === 'service'
      const groups = await sumEarningsByGroup(api.db, filter, by)
      const keyOf = (row: { account: string; serviceId: string | null }, hasJob: boolean) =>
        `${row.account} ${isByService ? `${row.serviceId} ${hasJob}` : ''}`
      expect(
        Object.fromEntries(
          groups.map((group) => [keyOf(group, group.hasJob), `${group.count} ${group.netMicro}`]).toSorted(),
        ),
      ).toEqual(netsBy(rows, (row) => keyOf(row, row.jobId !== null)))
    }
  }
  await fc.assert(fc.asyncProperty(query, check), { numRuns: QUERIES })
  expect(found).toBeGreaterThan(QUERIES / 4)
})
