import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEarnings } from './testing/start-earnings.ts'

let api: Awaited<ReturnType<typeof startEarnings>>
beforeAll(async () => {
  api = await startEarnings()
})
afterAll(() => api.close())

const at = (text: string) => new Date(`2026-11-${text}Z`)

describe('GET /api/owners/earnings', () => {
  test('one entry for each paid-out job and payment, newest first, with totals', async () => {
    const owner = await api.newOwner()
    const { headers } = owner
    const agent = await api.newAgent(owner)
    const job = { jobId: 'cjob000000000000000000001', priceMicro: 150_000_000n }
    const closed = await api.closeJob(agent, { at: at('10T10:00'), ...job })
    const paid = await api.pay(agent, { at: at('11T10:00'), amountMicro: 5_000_000n, kind: 'x402' })
    const response = await api.get(headers, '')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      data: {
        earnings: [
          {
            id: `c${paid.id.slice(1)}`,
            source: 'X402',
            grossAmount: '5000000',
            platformFee: '0',
            netAmount: '5000000',
            agentId: agent.id,
            jobId: null,
            jobTitle: null,
            txHash: paid.txHash,
            createdAt: '2026-11-11T10:00:00.000Z',
            verification: 'VERIFIED',
          },
          {
            id: expect.stringMatching(/^c[0-9a-z]{24}$/),
            source: 'ESCROW',
            grossAmount: '150000000',
            platformFee: '3000000',
            netAmount: '147000000',
            agentId: agent.id,
            jobId: job.jobId,
            jobTitle: null,
            txHash: closed.txHash,
            createdAt: '2026-11-10T10:00:00.000Z',
            verification: 'VERIFIED',
          },
        ],
        summary: {
          totalGross: '155000000',
          totalFees: '3000000',
          totalNet: '152000000',
          unverifiedNet: '0',
          heldNet: '0',
        },
        total: 2,
        limit: 50,
        offset: 0,
      },
    })
  })

  test.each(['newest', 'oldest', 'highest', 'lowest'])(
    'pages of fewer entries than there are agents are parts of the whole list: %s',
    async (sort) => {
      const owner = await api.newOwner()
      for (let index = 0; index < 5; index += 1) {
        const agent = await api.newAgent(owner)
        for (const turn of [0, 1, 2]) {
          const at = new Date(Date.UTC(2026, 10, 10, (7 * index + 5 * turn) % 24, index))
          await api.pay(agent, { at, amountMicro: BigInt(1 + ((3 * index + turn) % 15)), kind: 'x402' })
        }
      }
      const idsOf = async (page: string): Promise<string[]> =>
        (await api.get(owner.headers, `?sort=${sort}&${page}`))
          .json()
          .data.earnings.map(({ id }: { id: string }) => id)
      const whole = await idsOf('limit=50')
      expect(new Set(whole).size).toBe(15)
      for (const [limit, offset] of [
        [1, 0],
        [2, 1],
        [4, 0],
        [4, 4],
      ] as const)
        expect(await idsOf(`limit=${limit}&offset=${offset}`)).toEqual(whole.slice(offset, offset + limit))
    },
  )

  test('an owner without agents has earned nothing', async () => {
    const owner = await api.newOwner()
    const { headers } = owner
    expect((await api.get(headers, '')).json().data).toEqual({
      earnings: [],
      summary: { totalGross: '0', totalFees: '0', totalNet: '0', unverifiedNet: '0', heldNet: '0' },
      total: 0,
      limit: 50,
      offset: 0,
    })
    expect(await api.profileOf(owner)).toEqual({
      totalEarned: '0',
      availableBalance: '0',
    })
  })

  test('a part of a settlement is gross of its own fee; the rest went back', async () => {
    const owner = await api.newOwner()
    const { headers } = owner
    const agent = await api.newAgent(owner)
    const split = { priceMicro: 100_000_000n, sellerShareMicro: 25_000_001n, kind: 'escrow.ruled' }
    await api.closeJob(agent, { at: at('10T10:00'), ...split })
    expect((await api.get(headers, '')).json().data.summary).toEqual({
      totalGross: '25000001',
      totalFees: '500000',
      totalNet: '24500001',
      unverifiedNet: '0',
      heldNet: '0',
    })
  })

  test('a refund takes its payment out of the day on which it was paid, though that day is kept', async () => {
    const owner = await api.newOwner()
    const agent = await api.newAgent(owner)
    const [paid, refunded] = [new Date('2026-11-01T10:00:00.000Z'), new Date('2026-11-03T10:00:00.000Z')]
    await api.pay(agent, { at: paid, amountMicro: 100n, jobId: 'cjob' })
    await api.pay(agent, { at: paid, amountMicro: 7n })
    await api.tick('earning-days')
    const totalNet = async () => (await api.get(owner.headers, '')).json().data.summary.totalNet
    expect(await totalNet()).toBe('107')
    await api.pay(agent, { at: refunded, amountMicro: -100n, kind: 'x402.refund', jobId: 'cjob' })
    expect(await totalNet()).toBe('7')
    await api.tick('earning-days')
    expect(await totalNet()).toBe('7')
  })

  test('refunds, deferrals, claims and withdrawals are no income; what a fork took back is gone', async () => {
    const owner = await api.newOwner()
    const { headers } = owner
    const agent = await api.newAgent(owner)
    const when = at('10T10:00')
    await api.closeJob(agent, { at: when, priceMicro: 100n, sellerShareMicro: 0n, kind: 'escrow.refunded' })
    await api.closeJob(agent, { at: when, priceMicro: 1_000n })
    await api.defer(agent, { at: when, amountMicro: 980n })
    expect((await api.get(headers, '')).json().data.summary).toMatchObject({ heldNet: '980' })
    expect(await api.profileOf(owner)).toEqual({
      totalEarned: '980',
      availableBalance: '0',
    })
    await api.claim(agent, { at: when, amountMicro: 980n })
    await api.withdraw(agent, { at: when, amountMicro: 80n })
    await api.reserve(agent, 100n)
    await api.takeBack((await api.pay(agent, { at: when, amountMicro: 5n })).id)
    const { data } = (await api.get(headers, '')).json()
    expect(data.total).toBe(1)
    expect(data.summary).toMatchObject({ totalNet: '980', heldNet: '0' })
    expect(await api.profileOf(owner)).toEqual({
      totalEarned: '980',
      availableBalance: '800',
    })
  })

  test('money from outside that was withdrawn leaves no negative balance', async () => {
    const owner = await api.newOwner()
    const [first, second] = [await api.newAgent(owner), await api.newAgent(owner)]
    await api.withdraw(first, { at: at('10T10:00'), amountMicro: 7n })
    await api.pay(second, { at: at('10T10:00'), amountMicro: 5n })
    expect(await api.profileOf(owner)).toEqual({
      totalEarned: '5',
      availableBalance: '5',
    })
  })

  test('filters only narrow: another owner’s agent gives nothing', async () => {
    const [owner, stranger] = [await api.newOwner(), await api.newOwner()]
    const agent = await api.newAgent(owner)
    await api.newAgent(stranger)
    await api.pay(agent, { at: at('10T10:00'), amountMicro: 5n })
    const path = `?agentId=${agent.id}`
    expect((await api.get(owner.headers, path)).json().data.total).toBe(1)
    expect((await api.get(stranger.headers, path)).json().data.total).toBe(0)
    expect((await api.get(stranger.headers, `.csv${path}`)).body.split('\r\n')).toHaveLength(2)
    const series = (await api.get(stranger.headers, `/series${path}`)).json().data.points
    expect(series.every(({ totalNet }: { totalNet: string }) => totalNet === '0')).toBe(true)
  })

  test.each([
    '?limit=0',
    '?limit=1001',
    '?offset=-1',
    '?source=CASH',
    '?startDate=yesterday',
    '?endDate=2026-02-30',
  ])('400 for %s', async (path) => {
    expect((await api.get((await api.newOwner()).headers, path)).statusCode).toBe(400)
  })

  test.each(['', '/series', '.csv', '/breakdown?by=agent'])(
    '401 without a credential: earnings%s',
    async (path) => {
      expect((await api.get({}, path)).statusCode).toBe(401)
    },
  )
})

describe('what an owner logs for its own agent', () => {
  const summaryOf = async (headers: Record<string, string>, query = '') =>
    (await api.get(headers, query)).json().data.summary

  test('is listed and marked everywhere, and is in no number of the profile', async () => {
    const owner = await api.newOwner()
    const { headers } = owner
    const agent = await api.newAgent(owner)
    await api.pay(agent, { at: at('10T10:00'), amountMicro: 5n })
    const { txKey } = await api.logOwn(owner, agent, { at: at('11T10:00'), amountMicro: 7n })
    const given = { at: at('12T10:00'), amountMicro: 11n, txKey: 'facilitator-1' }
    await api.logOwn(owner, agent, { ...given, verification: 'UNVERIFIED' })
    const { data } = (await api.get(headers, '')).json()
    expect(data.earnings).toMatchObject([
      { source: 'X402', netAmount: '11', verification: 'UNVERIFIED', txHash: null, agentId: agent.id },
      { source: 'X402', netAmount: '7', verification: 'PENDING', txHash: txKey, jobId: null },
      { source: 'X402', netAmount: '5', verification: 'VERIFIED' },
    ])
    const total = { totalGross: '12', totalFees: '0', totalNet: '12', unverifiedNet: '18', heldNet: '0' }
    expect([data.summary, data.total]).toEqual([total, 3])
    expect(await summaryOf(headers, '?source=ESCROW')).toMatchObject({ totalNet: '0', unverifiedNet: '0' })
    const { points } = (await api.get(headers, '/series?startDate=2026-11-11&endDate=2026-11-12')).json().data
    expect(points).toMatchObject([
      { x402Net: '7', totalNet: '7', unverifiedNet: '7' },
      { x402Net: '0', totalNet: '0', unverifiedNet: '11' },
    ])
    const lines = (await api.get(headers, '.csv')).body.split('\r\n').slice(1, -1)
    expect(lines.map((line) => line.split(',').at(-2))).toEqual(['VERIFIED', 'PENDING', 'UNVERIFIED'])
    expect(await api.profileOf(owner)).toEqual({
      totalEarned: '5',
      availableBalance: '5',
    })
  })

  test('is one entry still when the chain shows it, whichever comes first', async () => {
    const owner = await api.newOwner()
    const { headers } = owner
    const agent = await api.newAgent(owner)
    const when = { at: at('10T10:00'), amountMicro: 7n }
    const claimedFirst = await api.logOwn(owner, agent, when)
    await api.pay(agent, { ...when, txHash: claimedFirst.txKey })
    expect(await summaryOf(headers)).toMatchObject({ totalNet: '7', unverifiedNet: '0' })
    await api.verify(claimedFirst.logId)
    const paidFirst = await api.pay(agent, when)
    const { logId } = await api.logOwn(owner, agent, { ...when, txKey: paidFirst.txHash })
    expect(await summaryOf(headers)).toMatchObject({ totalNet: '14', unverifiedNet: '0' })
    await api.verify(logId)
    expect(await summaryOf(headers)).toMatchObject({ totalNet: '14', unverifiedNet: '0' })
  })

  test('is listed beside other income of the same transaction', async () => {
    const owner = await api.newOwner()
    const { headers } = owner
    const agent = await api.newAgent(owner)
    const when = { at: at('10T10:00'), amountMicro: 7n }
    const { txHash: txKey } = await api.pay(agent, when)
    await api.logOwn(owner, agent, { ...when, amountMicro: 5n, txKey })
    expect(await summaryOf(headers)).toMatchObject({ totalNet: '12', unverifiedNet: '5' })
    await api.logOwn(owner, agent, { ...when, txKey, namedLogIndex: 3 })
    expect(await summaryOf(headers)).toMatchObject({ totalNet: '19', unverifiedNet: '12' })
    await api.logOwn(owner, agent, { ...when, txKey })
    expect(await summaryOf(headers)).toMatchObject({ totalNet: '19', unverifiedNet: '12' })
  })

  test('is still claimed where its transaction came in as something that is no income', async () => {
    const owner = await api.newOwner()
    const { headers } = owner
    const agent = await api.newAgent(owner)
    const when = { at: at('10T10:00'), amountMicro: 7n }
    const { txKey } = await api.logOwn(owner, agent, when)
    await api.pay(agent, { ...when, txHash: txKey, kind: 'transfer.direct' })
    expect(await summaryOf(headers)).toMatchObject({ totalNet: '7', unverifiedNet: '7' })
    expect(await api.profileOf(owner)).toEqual({
      totalEarned: '0',
      availableBalance: '7',
    })
  })
})

test('the series has each day of the range in UTC, by source', async () => {
  const owner = await api.newOwner()
  const { headers } = owner
  const agent = await api.newAgent(owner)
  await api.pay(agent, { at: at('13T23:59:59.999'), amountMicro: 1n })
  await api.pay(agent, { at: at('14T00:00:00.000'), amountMicro: 2n })
  await api.closeJob(agent, { at: at('14T12:00'), priceMicro: 100n })
  const { points } = (await api.get(headers, '/series?startDate=2026-11-12')).json().data
  expect(points).toEqual([
    { date: '2026-11-12', escrowNet: '0', x402Net: '0', totalNet: '0', unverifiedNet: '0' },
    { date: '2026-11-13', escrowNet: '0', x402Net: '1', totalNet: '1', unverifiedNet: '0' },
    { date: '2026-11-14', escrowNet: '98', x402Net: '2', totalNet: '100', unverifiedNet: '0' },
    { date: '2026-11-15', escrowNet: '0', x402Net: '0', totalNet: '0', unverifiedNet: '0' },
  ])
  expect((await api.get(headers, '/series?startDate=2020-01-01')).statusCode).toBe(400)
})

test('the export is a CSV file that no spreadsheet runs, oldest first', async () => {
  const owner = await api.newOwner()
  const { headers } = owner
  const agent = await api.newAgent(owner, '=cmd|"/c calc"!A1')
  const paid = await api.pay(agent, { at: at('11T10:00'), amountMicro: 1_234_567n })
  const closed = await api.closeJob(agent, { at: at('10T10:00'), priceMicro: 150_000_000n, jobId: 'cjob1' })
  const response = await api.get(headers, '.csv')
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(response.headers['content-disposition']).toBe('attachment; filename="earnings.csv"')
  const name = `"'=cmd|""/c calc""!A1"`
  expect(response.body.split('\r\n')).toEqual([
    'Date (UTC),Source,Agent,Agent ID,Gross (USDC),Platform fee (USDC),Net (USDC),Job ID,Transaction,Entry ID,Verification,Job title',
    `2026-11-10T10:00:00.000Z,ESCROW,${name},${agent.id},150.000000,3.000000,147.000000,cjob1,${closed.txHash},c${closed.id.slice(1)},VERIFIED,`,
    `2026-11-11T10:00:00.000Z,X402,${name},${agent.id},1.234567,0.000000,1.234567,,${paid.txHash},c${paid.id.slice(1)},VERIFIED,`,
    '',
  ])
})
