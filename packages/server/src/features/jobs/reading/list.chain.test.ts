import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { createImpatientDatabase } from '../../../testing/impatient-database.ts'
import { startDeal } from '../testing/start-deal.ts'

let deal: Awaited<ReturnType<typeof startDeal>>
const AGENT_NAME = 'Ledger Lark'
/** Ids by title. */
const ids = new Map<string, string>()
const jobs = [
  { title: 'Reconcile October', price: '150000000', deadlineHours: 48 },
  { title: '100% of invoices', price: '20000000' },
  { title: '=HYPERLINK("http://bad")', price: '150000000', deadlineHours: 24 },
  { title: 'Translate a letter', price: '1234567' },
]

beforeAll(async () => {
  deal = await startDeal()
  const { world, calls, client, agent } = deal
  await world.db.run(sql`update owners set entity_name = 'Analytical Engines' where id = ${client.ownerId}`)
  for (const { title, price, ...more } of jobs) {
    // Ids are made by the clock of the machine.
    await world.advance(60)
    world.wallClock.advance(60)
    const { jobId } = await calls.hire(client, agent, price, { title, ...more })
    ids.set(title, jobId)
  }
  const { jobId } = await calls.hire(deal.stranger, await world.newAgent(deal.stranger), '5000000')
  ids.set('of others', jobId)
})
afterAll(() => deal.world.close())

const titlesOf = async (query: string, owner = deal.client): Promise<string[]> => {
  const response = await deal.calls.get(owner, `/api/jobs?${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().data.map(({ title }: { title: string }) => title)
}
const [october, invoices, formula, letter] = jobs.map(({ title }) => title)

describe('search', () => {
  test.each([
    ['title, in any letter case', 'q=RECONCILE', [october]],
    ['every word must be there', 'q=reconcile%20letter', []],
    ['words in different places', 'q=letter%20analytical', [letter]],
    ['a percent sign is no pattern', 'q=0%25', [invoices]],
    ['blanks alone narrow nothing', 'q=%20%20', [letter, formula, invoices, october]],
    ['the client by name', 'q=analytical%20engines', [letter, formula, invoices, october]],
    ['nothing', 'q=nowhere', []],
    ['with a status', 'q=letter&status=COMPLETED', []],
    ['with one of several statuses', 'q=letter&statuses=COMPLETED,PENDING', [letter]],
    ['with several statuses and another one', 'statuses=PENDING,COMPLETED&status=DISPUTED', []],
  ])('%s', async (_, query, titles) => {
    expect(await titlesOf(query)).toEqual(titles)
    expect(await titlesOf(query, deal.seller)).toEqual(titles)
  })

  test('by id, by wallet and by the agent’s name', async () => {
    const { client, agent, stranger } = deal
    expect(await titlesOf(`q=${ids.get('Translate a letter')}`)).toEqual([letter])
    expect(await titlesOf(`q=${client.wallet.address}`)).toHaveLength(jobs.length)
    expect(await titlesOf(`q=${agent.wallet.slice(0, 10)}`)).toHaveLength(jobs.length)
    expect(await titlesOf(`q=${encodeURIComponent(AGENT_NAME)}`)).toHaveLength(jobs.length)
    // An address is often known by its end.
    expect(await titlesOf(`q=${agent.wallet.slice(-8)}`)).toHaveLength(jobs.length)
    // A few letters are a part of many identifiers, and mean none of them.
    expect(await titlesOf('q=0x')).toEqual([])
    // What others have is found by none of it.
    expect(await titlesOf(`q=${ids.get('of others')}`)).toEqual([])
    expect(await titlesOf(`q=${ids.get('of others')}`, stranger)).toHaveLength(1)
  })
})

test('several statuses are one list, in pages and in the file; no other word is a status', async () => {
  const { calls, client } = deal
  const all = [letter, formula, invoices, october]
  expect(await titlesOf('statuses=PENDING,IN_PROGRESS,PENDING')).toEqual(all)
  expect(await titlesOf('statuses=COMPLETED,CANCELLED')).toEqual([])
  const first = await calls.get(client, '/api/jobs?statuses=PENDING,COMPLETED&limit=3')
  const { data, nextCursor } = first.json()
  const next = await titlesOf(`statuses=PENDING,COMPLETED&limit=3&cursor=${nextCursor}`)
  expect([...data.map(({ title }: { title: string }) => title), ...next]).toEqual(all)
  const other = await calls.get(client, `/api/jobs?statuses=PENDING&cursor=${nextCursor}`)
  expect(other.statusCode).toBe(400)
  const file = await calls.get(client, '/api/jobs.csv?statuses=PENDING')
  expect(file.body.trim().split('\n')).toHaveLength(1 + all.length)
  const none = await calls.get(client, '/api/jobs.csv?status=PENDING&statuses=IN_PROGRESS')
  expect([none.statusCode, none.body.trim().split('\n').length]).toEqual([200, 1])
  for (const wrong of ['PENDING,', 'pending', 'PENDING;COMPLETED'])
    expect((await calls.get(client, `/api/jobs?statuses=${wrong}`)).statusCode, wrong).toBe(400)
})

describe('a search that costs much', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join('%20')

  test('400 for more than eight words, in the list and in the file', async () => {
    expect(await titlesOf(`q=${many(8)}`)).toEqual([])
    for (const path of ['/api/jobs', '/api/jobs.csv']) {
      const response = await deal.calls.get(deal.client, `${path}?q=${many(9)}`)
      expect([response.statusCode, response.json().error.message]).toEqual([
        400,
        'q must have at most 8 different words.',
      ])
    }
  })

  test('503 once its own time is over, while it holds none of the connections that others need', async () => {
    const { world, client } = deal
    const searchDb = createImpatientDatabase(world.deps.connection)
    const beside = await world.startBeside({ ports: () => ({ searchDb, limiter: world.deps.limiter }) })
    await world.db.transaction(async (tx) => {
      await tx.run(sql`lock table jobs in access exclusive mode`)
      for (const path of ['/api/jobs', '/api/jobs.csv']) {
        const response = await beside.http.inject({ url: `${path}?q=letter`, headers: client.headers })
        expect([response.statusCode, response.json().error.code]).toEqual([503, 'UNAVAILABLE'])
      }
    })
    const found = await beside.http.inject({ url: '/api/jobs?q=letter', headers: client.headers })
    expect(found.json().data).toHaveLength(1)
    await searchDb.close()
  })
})

describe('order', () => {
  const sorted = {
    newest: [letter, formula, invoices, october],
    oldest: [october, invoices, formula, letter],
    highest: [formula, october, invoices, letter],
    lowest: [letter, invoices, october, formula],
    deadline: [formula, october, letter, invoices],
    status: [letter, formula, invoices, october],
  }
  test.each(Object.entries(sorted))('%s, on one page and page by page', async (sort, titles) => {
    expect(await titlesOf(`sort=${sort}`)).toEqual(titles)
    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = `sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`
      const page: { data: { title: string }[]; nextCursor: string | null } = (
        await deal.calls.get(deal.client, `/api/jobs?${query}`)
      ).json()
      paged.push(...page.data.map(({ title }) => title))
      cursor = page.nextCursor
    }
    expect(paged).toEqual(titles)
  })

  test('a cursor of one order or search is rejected by another', async () => {
    const page = (await deal.calls.get(deal.client, '/api/jobs?sort=highest&q=of&limit=1')).json()
    const first = (await deal.calls.get(deal.client, '/api/jobs?sort=highest&limit=1')).json()
    expect(page.nextCursor).toBeNull()
    for (const other of [
      'sort=lowest',
      'sort=newest',
      '',
      'sort=highest&q=letter',
      'sort=highest&role=client',
    ]) {
      const response = await deal.calls.get(deal.client, `/api/jobs?${other}&cursor=${first.nextCursor}`)
      expect(response.statusCode).toBe(400)
    }
    const stranger = await deal.calls.get(deal.stranger, `/api/jobs?sort=highest&cursor=${first.nextCursor}`)
    expect(stranger.statusCode).toBe(400)
    expect((await deal.calls.get(deal.client, '/api/jobs?sort=dearest')).statusCode).toBe(400)
  })

  test('a job that is opened between two pages neither repeats nor hides one', async () => {
    const { client, seller, calls, world } = deal
    const own = await world.newAgent(client)
    const opened = async (price: string) => (await calls.hire(client, own, price, { title: price })).jobId
    const before = await Promise.all(['3000000', '2000000', '1000000'].map(opened))
    const url = `/api/jobs?agentId=${own.id}&sort=highest&limit=2`
    const first = (await calls.get(client, url)).json()
    await opened('2500000')
    const second = (await calls.get(client, `${url}&cursor=${first.nextCursor}`)).json()
    const seen = [...first.data, ...second.data].map(({ id }: { id: string }) => id)
    // The client is also the seller, and still sees each job once.
    expect(seen.toSorted()).toEqual(before.toSorted())
    expect((await calls.get(seller, url)).json().data).toEqual([])
  })
})

describe('the file', () => {
  const linesOf = async (query: string, owner = deal.client) => {
    const response = await deal.calls.get(owner, `/api/jobs.csv?${query}`)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.headers['content-disposition']).toBe('attachment; filename="jobs.csv"')
    return response.body.split('\r\n')
  }

  test('has exact amounts, times in UTC, and no cell that a spreadsheet runs', async () => {
    const { client, agent } = deal
    const [header, ...lines] = await linesOf('q=analytical&role=client')
    expect(header).toBe(
      'Opened (UTC),Job ID,Title,Your role,Agent,Agent ID,Client wallet,Status,Payment method,Price (USDC),Platform fee (USDC),Agent receives (USDC),Delivery due (UTC),Ended (UTC),Service ID,Refund',
    )
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    const middle = `${AGENT_NAME},${agent.id},${client.wallet.address}`
    const formulaLine = lines.find((line) => line.includes('HYPERLINK'))
    expect(formulaLine).toMatch(
      new RegExp(
        `^${time},${ids.get(formula ?? '')},"'=HYPERLINK\\(""http://bad""\\)",CLIENT,${middle},PENDING,ESCROW,150\\.000000,3\\.000000,147\\.000000,${time},,,$`,
      ),
    )
    expect(lines.find((line) => line.includes('Translate'))).toContain(
      'PENDING,X402,1.234567,0.000000,1.234567,,,,',
    )
    expect((await linesOf('q=letter&role=seller', deal.seller))[1]).toContain(',SELLER,')
    expect(lines.at(-1)).toBe('')
  })

  test('has all jobs of the filter, beyond one batch, oldest first', async () => {
    const { world, client } = deal
    const copied = ids.get('Translate a letter') ?? ''
    await world.db.run(sql`
      insert into jobs select (jsonb_populate_record(jobs, jsonb_build_object(
        'id', 'c' || lpad(n::text, 24, '0'), 'title', 'Copy ' || n))).* from jobs, generate_series(1, 2300) n
      where jobs.id = ${copied}`)
    const lines = (await linesOf('q=copy')).slice(1, -1)
    expect(lines).toHaveLength(2300)
    expect(new Set(lines).size).toBe(2300)
    expect((await linesOf('q=copy', deal.stranger)).slice(1, -1)).toEqual([])
    expect((await world.http.inject({ url: '/api/jobs.csv' })).statusCode).toBe(401)
    await world.db.run(sql`delete from jobs where client_id = ${client.ownerId} and title like 'Copy %'`)
  })
})
