import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createImpatientDatabase } from '../../testing/impatient-database.ts'
import type { WorldOwner } from '../../testing/world/world-people.ts'
import type { EarningAgent } from './service.ts'
import { startEarnings } from './testing/start-earnings.ts'

const MONTHLY = 'cmonthly00000000000000001'
let api: Awaited<ReturnType<typeof startEarnings>>
let seller: WorldOwner
let buyer: WorldOwner
let lark: EarningAgent
let wren: EarningAgent
let letterId: string
let paidHash: string

/** Four incomes: two jobs of a service, a custom order, and a payment without a job. */
beforeAll(async () => {
  api = await startEarnings()
  ;[seller, buyer] = await Promise.all([api.newOwner(), api.newOwner()])
  await api.db.run(sql`update owners set entity_name = 'Analytical Engines' where id = ${buyer.ownerId}`)
  lark = await api.newAgent(seller, 'Ledger Lark', [MONTHLY])
  wren = await api.newAgent(seller, 'Word Wren')
  const at = (day: number) => new Date(Date.UTC(2026, 10, day, 10))
  const monthly = { serviceId: MONTHLY }
  const october = await api.order(buyer, lark, { title: 'Reconcile October', ...monthly })
  const november = await api.order(buyer, lark, { title: 'Reconcile 50% of November', ...monthly })
  letterId = await api.order(buyer, wren, { title: 'Translate a letter' })
  await api.closeJob(lark, { at: at(10), priceMicro: 150_000_000n, jobId: october })
  await api.closeJob(lark, { at: at(11), priceMicro: 100_000_000n, jobId: november })
  await api.closeJob(wren, { at: at(12), priceMicro: 150_000_000n, jobId: letterId })
  paidHash = (await api.pay(lark, { at: at(13), amountMicro: 1_234_567n })).txHash
})
afterAll(() => api.close())

const read = async (path: string, { headers }: WorldOwner = seller) => {
  const response = await api.get(headers, path)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().data
}
const netsOf = async (query: string, owner?: WorldOwner): Promise<string[]> =>
  (await read(query, owner)).earnings.map(({ netAmount }: { netAmount: string }) => netAmount)

const [october, november, letter, direct] = ['147000000', '98000000', '147000000', '1234567']

describe('search', () => {
  test.each([
    ['title', '?q=october', [october]],
    ['agent and title', '?q=LARK%20reconcile', [november, october]],
    ['agent alone', '?q=wren', [letter]],
    ['a percent sign is no pattern', '?q=0%25', [november]],
    ['client', '?q=analytical', [letter, november, october]],
    ['nothing', '?q=nowhere', []],
    ['blanks', '?q=%20', [direct, letter, november, october]],
  ])('by %s', async (_, query, nets) => {
    expect(await netsOf(query)).toEqual(nets)
    expect(await netsOf(query, buyer)).toEqual([])
  })

  test('by job, transaction, and the wallet of client or payer', async () => {
    expect(await netsOf(`?q=${letterId}`)).toEqual([letter])
    expect(await netsOf(`?q=${paidHash.slice(0, 12)}`)).toEqual([direct])
    expect(await netsOf(`?q=${buyer.wallet.address}`)).toEqual([letter, november, october])
    expect(await netsOf(`?q=0x${'C1'.repeat(20)}`)).toEqual([direct])
  })

  test('narrows totals, days, groups and the file alike', async () => {
    const total = { totalGross: '250000000', totalFees: '5000000', totalNet: '245000000' }
    expect((await read('?q=reconcile')).summary).toMatchObject(total)
    const { points } = await read('/series?q=reconcile')
    expect(points.filter(({ totalNet }: { totalNet: string }) => totalNet !== '0')).toHaveLength(2)
    expect((await read('/breakdown?by=agent&q=reconcile')).total).toMatchObject(total)
    const lines = (await api.get(seller.headers, '.csv?q=reconcile')).body.split('\r\n').slice(1, -1)
    expect(lines.map((line) => line.split(',').at(-1))).toEqual([
      'Reconcile October',
      'Reconcile 50% of November',
    ])
  })
})

const everyView = ['?', '/series?', '/breakdown?by=agent&', '.csv?']

test('400 for more than eight words, in every view', async () => {
  for (const view of everyView) {
    const response = await api.get(seller.headers, `${view}q=a%20b%20c%20d%20e%20f%20g%20h%20i`)
    expect([response.statusCode, response.json().error.message]).toEqual([
      400,
      'q must have at most 8 different words.',
    ])
  }
})

test('503 once the time of a search is over, while it holds none of the connections that others need', async () => {
  const searchDb = createImpatientDatabase(api.deps.connection)
  const beside = await api.startBeside({ ports: () => ({ searchDb }) })
  await api.db.transaction(async (tx) => {
    await tx.run(sql`lock table jobs in access exclusive mode`)
    for (const view of everyView) {
      const url = `/api/owners/earnings${view}q=reconcile`
      const response = await beside.http.inject({ url, headers: seller.headers })
      expect([response.statusCode, response.json().error.code]).toEqual([503, 'UNAVAILABLE'])
    }
  })
  await searchDb.close()
})

test.each([
  ['newest', [direct, letter, november, october]],
  ['oldest', [october, november, letter, direct]],
  ['highest', [letter, october, november, direct]],
  ['lowest', [direct, november, october, letter]],
])('sorted by %s, whole and page by page', async (sort, nets) => {
  expect(await netsOf(`?sort=${sort}`)).toEqual(nets)
  const paged = await Promise.all(
    [0, 1, 2, 3].map((offset) => netsOf(`?sort=${sort}&limit=1&offset=${offset}`)),
  )
  expect(paged.flat()).toEqual(nets)
})

describe('breakdown', () => {
  const none = { payments: 0, totalGross: '0', totalFees: '0', totalNet: '0' }
  const total = { payments: 4, totalGross: '401234567', totalFees: '8000000', totalNet: '393234567' }

  test('by agent', async () => {
    const byAgent = { kind: 'AGENT', serviceId: null, serviceName: null }
    expect(await read('/breakdown?by=agent')).toEqual({
      groups: [
        {
          ...byAgent,
          agentId: lark.id,
          agentName: 'Ledger Lark',
          payments: 3,
          totalGross: '251234567',
          totalFees: '5000000',
          totalNet: '246234567',
        },
        {
          ...byAgent,
          agentId: wren.id,
          agentName: 'Word Wren',
          payments: 1,
          totalGross: '150000000',
          totalFees: '3000000',
          totalNet: '147000000',
        },
      ],
      rest: none,
      total,
    })
  })

  test('by service, with custom orders and direct payments apart', async () => {
    const data = await read('/breakdown?by=service')
    expect(data).toMatchObject({ rest: none, total })
    expect(data.groups).toMatchObject([
      {
        kind: 'SERVICE',
        agentName: 'Ledger Lark',
        serviceId: MONTHLY,
        serviceName: MONTHLY,
        payments: 2,
        totalNet: '245000000',
      },
      { kind: 'CUSTOM', agentName: 'Word Wren', serviceId: null, serviceName: null, totalNet: '147000000' },
      { kind: 'DIRECT', agentName: 'Ledger Lark', serviceId: null, serviceName: null, totalNet: '1234567' },
    ])
  })

  test('a service that is not offered any more keeps its sum, without a name', async () => {
    await api.db.run(sql`update agents set services = '[]' where id = ${lark.id}`)
    const { groups } = await read('/breakdown?by=service')
    expect(groups[0]).toMatchObject({ serviceId: MONTHLY, serviceName: null, totalNet: '245000000' })
  })

  test('beyond fifty groups the rest is one sum', async () => {
    const owner = await api.newOwner()
    for (let number = 1; number <= 53; number += 1) {
      const agent = await api.newAgent(owner, `Agent ${number}`)
      await api.pay(agent, { at: new Date('2026-11-10'), amountMicro: BigInt(number) })
    }
    const data = await read('/breakdown?by=agent', owner)
    expect(data.groups).toHaveLength(50)
    expect(data.rest).toEqual({ payments: 3, totalGross: '6', totalFees: '0', totalNet: '6' })
    expect(data.total).toEqual({ payments: 53, totalGross: '1431', totalFees: '0', totalNet: '1431' })
  })

  test('400 without knowing by what', async () => {
    expect((await api.get(seller.headers, '/breakdown')).statusCode).toBe(400)
    expect((await api.get(seller.headers, '/breakdown?by=month')).statusCode).toBe(400)
  })
})
