import { agentSorts } from '@agent-marketplace/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { savePremium } from '../lifecycle/quota-store.ts'
import { plainAgent, type SeededAgent, seedAgents, seedId } from '../testing/seed-agents.ts'
import { startAgents } from '../testing/start-agents.ts'

const api = await startAgents()
afterAll(() => api.close())

const agent = (index: number, fields: Partial<SeededAgent>): SeededAgent => ({
  ...plainAgent,
  id: seedId(index),
  ...fields,
})

await seedAgents(api.db, [
  agent(1, { name: 'Ledger Lark', description: 'Reconciles on-chain payments with your books.' }),
  agent(2, { name: 'Quill', description: 'Writes. Knows what a ledger is.', skills: ['Copywriting'] }),
  agent(3, { name: 'Mint', description: 'Art.', services: ['Ledger illustration'], category: 'art' }),
  agent(4, {
    name: 'Chainwright',
    description: 'Implements ERC-8004 and x402.',
    skills: ['C++', 'Solidity'],
  }),
  agent(5, { name: 'Hidden Ledger', isApproved: false }),
  agent(6, { name: 'Paused Ledger', isPaused: true }),
  agent(7, { name: '100% _Real_ \\ Percent', category: 'art', isPremium: true }),
  agent(8, { name: 'Zephyr', category: 'art', ratingSum: 5, reviewCount: 1, score: 1.4 }),
])

/** A parameter that nobody knows keeps the response out of the kept pages: these tests change agents behind the service. */
async function find(query: string) {
  const response = await api.send('GET', `/api/agents/search?${query}&kept=no`)
  expect(response.statusCode).toBe(200)
  const { agents, ...page } = response.json().data
  return { names: agents.map(({ name }: { name: string }) => name), agents, page }
}

describe('words', () => {
  test('a word of the name comes before one of a service, before one of the description', async () => {
    const { names, page } = await find('q=ledger')
    expect(names).toEqual(['Ledger Lark', 'Mint', 'Quill'])
    expect(page).toMatchObject({ total: 3, limit: 20, offset: 0 })
  })

  test('forms of a word are one word', async () => {
    expect((await find('q=reconciling+payment')).names).toEqual(['Ledger Lark'])
  })

  test('who has all words comes first, then who has some, the rarer ones before', async () => {
    const { names, page } = await find('q=please+illustrate+my+ledger+books')
    expect(names).toEqual(['Ledger Lark', 'Mint', 'Quill'])
    expect(page).toMatchObject({ total: 3, fullMatches: 0, totalIsEstimate: false })
    const some = await find('q=ledger+illustration')
    expect(some.names).toEqual(['Mint', 'Ledger Lark', 'Quill'])
    expect(some.page).toMatchObject({ total: 3, fullMatches: 1 })
    expect((await find('q=ledger+illustration&offset=1&limit=1')).names).toEqual(['Ledger Lark'])
    expect((await find('q=ledger+illustration&offset=2&limit=5')).names).toEqual(['Quill'])
    expect((await find('q=ledger+illustration&offset=3')).names).toEqual([])
  })

  test('filters hold for the closest matches, too', async () => {
    expect((await find('q=reconcile+solidity')).names.toSorted()).toEqual(['Chainwright', 'Ledger Lark'])
    expect((await find('q=reconcile+solidity&skills=solidity')).names).toEqual(['Chainwright'])
    expect(await find('q=reconcile+solidity&type=art')).toMatchObject({ names: [], page: { total: 0 } })
  })

  test('a mistyped word finds what it was meant to, in any text', async () => {
    expect((await find('q=recnociles+my+pamyents')).names).toEqual(['Ledger Lark'])
    expect((await find('q=copywritng')).names).toEqual(['Quill'])
  })

  test('an agent whose text waits for it is found by its skills after the upkeep', async () => {
    await api.db.run(sql`update agents set search = to_tsvector('english', name) where id = ${seedId(2)}`)
    await api.db.run(sql`insert into agent_search_due values (${seedId(2)})`)
    expect((await find('q=copywriting')).names).toEqual([])
    await api.startWorker()
    await api.tick('agents-upkeep')
    expect((await find('q=copywriting')).names).toEqual(['Quill'])
  })

  test('punctuation parts words', async () => {
    expect((await find('q=erc-8004')).names).toEqual(['Chainwright'])
    expect((await find('q=x402')).names).toEqual(['Chainwright'])
    expect((await find('q=on-chain')).names).toContain('Ledger Lark')
  })

  test('typing errors in a name are forgiven when the words alone find too little', async () => {
    for (const typo of ['ledgr+lark', 'Legder+Lark', 'ldger+lark']) {
      expect((await find(`q=${typo}`)).names[0]).toBe('Ledger Lark')
    }
    expect((await find('q=zephir')).names).toEqual(['Zephyr'])
    expect((await find('q=chainwrihgt')).names).toEqual(['Chainwright'])
    expect((await find('q=zephir&type=general')).names).toEqual([])
    expect((await find('q=zephir')).page.total).toBe(1)
    expect((await find('q=xylophone')).names).toEqual([])
  })

  test('a name is found by its beginning, or written as one word', async () => {
    expect((await find('q=chainwr')).names[0]).toBe('Chainwright')
    expect((await find('q=ledgerlark')).names[0]).toBe('Ledger Lark')
    expect((await find('q=zeph')).names[0]).toBe('Zephyr')
  })

  test('what stands for something in a pattern stands for itself here', async () => {
    for (const q of ['%25', '_', '%5C', "'", '%22', "a'b", '%25%25%25', '!:*%26%7C()', '😀', 'the']) {
      const { page } = await find(`q=${encodeURIComponent(decodeURIComponent(q))}`)
      expect(page.total).toBeLessThanOrEqual(6)
    }
    expect((await find('q=100%25')).names).toEqual(['100% _Real_ \\ Percent'])
  })
})

test('premium listings are marked, and first among equals', async () => {
  const { agents, names } = await find('type=art')
  expect(names).toEqual(['Zephyr', '100% _Real_ \\ Percent', 'Mint'])
  expect(agents.map(({ premium }: { premium: boolean }) => premium)).toEqual([false, true, false])
})

test('an expired premium listing is one no longer', async () => {
  const seller = await api.newSeller()
  await api.db.run(sql`update agents set owner_id = ${seller.ownerId} where id = ${seedId(3)}`)
  const until = new Date(api.clock.now().getTime() + 1000)
  const premiumOf = async (name: string) =>
    (await find('type=art')).agents.find((found: { name: string }) => found.name === name).premium
  await savePremium(api.db, seller.ownerId, { until, isPremium: true })
  expect(await premiumOf('Mint')).toBe(true)
  await api.tick('agents-upkeep')
  expect(await premiumOf('Mint')).toBe(true)
  api.clock.advance(1)
  await api.tick('agents-upkeep')
  expect(await premiumOf('Mint')).toBe(false)
})

test('400 for what is out of range', async () => {
  for (const query of [
    'minRating=6',
    'maxPrice=-1',
    'maxPrice=1.5',
    'sort=best',
    'limit=101',
    'offset=-1',
    'x402Enabled=1',
    'q=%00',
  ]) {
    expect((await api.send('GET', `/api/agents/search?${query}`)).statusCode).toBe(400)
  }
})

describe('hot pages', () => {
  test('a change shows at once, one of another process after a second', async () => {
    const seller = await api.newSeller()
    const { id, walletAddress } = (await api.create(seller)).json().data
    const namesOn = async (url: string) => JSON.stringify((await api.send('GET', url)).json())
    const sorted = agentSorts.map((sort) => `/api/agents/search?sort=${sort}&limit=50`)
    const pages = [
      '/api/agents',
      '/api/agents?category=security&limit=50',
      '/api/agents/search?limit=50',
      ...sorted,
      '/api/agents/search?q=reads+contracts&type=security&offset=0',
      '/api/agents/search?q=contrcats+and+illustrations&maxPrice=999999999',
    ]
    for (const page of pages) expect(await namesOn(page)).not.toContain(walletAddress)
    await api.register(id)
    for (const page of pages) expect(await namesOn(page)).toContain(walletAddress)
    await api.send('PATCH', `/api/agents/${walletAddress}`, seller.headers, { name: 'Renamed' })
    for (const page of pages) expect(await namesOn(page)).toContain('Renamed')
    await api.db.run(sql`update agents set name = 'Elsewhere' where id = ${id}`)
    for (const page of pages) expect(await namesOn(page)).toContain('Renamed')
    api.clock.advance(1)
    // The first request after a second fetches the page, and returns it.
    for (const page of pages) expect(await namesOn(page)).toContain('Elsewhere')
  })

  test('carry the same headers as any response, in the requested form', async () => {
    const v2 = { accept: 'application/vnd.agent-marketplace.v2+json' }
    const first = await api.send('GET', '/api/agents/search', v2)
    const kept = await api.send('GET', '/api/agents/search', v2)
    const plain = await api.send('GET', '/api/agents/search')
    expect(kept.body).toBe(first.body)
    expect(kept.headers['content-type']).toBe(first.headers['content-type'])
    expect(plain.headers['content-type']).toContain('application/json')
    expect(kept.headers).toMatchObject({
      'x-request-id': expect.not.stringMatching(String(first.headers['x-request-id'])),
      'x-ratelimit-limit': '200',
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-content-type-options': 'nosniff',
    })
  })
})

test('a text without a word in it finds nothing, and a blank one is none', async () => {
  for (const text of ['%21%21%21', '...', '%25', '-+-', '%E2%80%A6']) {
    expect(await find(`q=${text}`)).toMatchObject({ names: [], page: { total: 0 } })
  }
  const all = (await find('')).page.total
  expect(all).toBeGreaterThan(0)
  expect((await find('q=&type=&sort=')).page.total).toBe(all)
  expect((await find('q=%20')).page.total).toBe(all)
})
