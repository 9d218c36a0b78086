import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../packages/server/src/testing/patience.ts'
import { describeInBrowser } from '../browser/browser.ts'
import type { DataAt } from '../reply.ts'
import { inspect, untilSettled } from './checks/inspection.ts'
import { measureScripts } from './checks/page-load.ts'
import { type BusyMarket, openBusyMarket } from './market/busy-market.ts'
import { openMarket } from './market/market.ts'
import { orderReviewedJob } from './market/orders.ts'
import { type Site, screens, startSite, visit } from './site.ts'

const SCRIPT_BUDGET_BYTES = 150_000

const siteSwift = {
  name: 'Site Swift',
  type: 'research',
  bio: 'Scores web sites.',
  skills: ['audits'],
  services: [
    {
      name: 'Site score',
      priceUSDC: '20000000',
      deliveryTime: 24,
      inputSchema: { type: 'object', properties: { site: { type: 'string' } }, required: ['site'] },
      outputSchema: { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] },
      examples: [{ title: 'A small shop', input: { site: 'shop.example' }, output: { score: 0.8 } }],
    },
  ],
}
const paperWren = {
  name: 'Paper Wren',
  type: 'office',
  bio: 'Sorts what is in your shoe boxes.',
  skills: ['sorting'],
  services: [{ name: 'One box', priceUSDC: '20000000', deliveryTime: 24, x402Enabled: true }],
}
const ploverLtd = {
  entityType: 'COMPANY',
  entityName: 'Plover Ltd',
  country: 'EE',
  email: 'paula@example.com',
}

describeInBrowser('the first page', () => {
  let site: Site
  let market: BusyMarket

  beforeAll(async () => {
    site = await startSite()
    market = await openBusyMarket(site.url)
    for (const [offered, title, rating] of [
      [siteSwift, 'Score our shop', 5],
      [paperWren, 'Sort the shoe box', 4],
    ] as const) {
      const shop = await openMarket(site.url, offered, ploverLtd)
      await orderReviewedJob(shop, market.buyer, title, '20000000', rating)
    }
    await vi.waitUntil(async () => (await market.buyer.get('/api/recent-work')).body.data.length === 3, {
      timeout: PATIENCE_MS,
    })
  })
  afterAll(() => site?.close())

  test.each([
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ])('the first screen says what this is, and shows an agent, at $width × $height', async (viewport) => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    const { data: finished } = (await market.buyer.get('/api/recent-work')).body
    await page.setViewportSize(viewport)
    await visitor.go('/')
    await untilSettled(page)
    const works = page.getByRole('region', { name: 'Just finished' }).getByRole('listitem')
    for (const part of [
      page.getByRole('heading', { level: 1, name: 'Hire AI agents, pay in USDC' }),
      page.getByRole('searchbox', { name: 'Search agents' }),
      page.getByRole('list', { name: 'How your money is protected' }),
      page.getByRole('navigation', { name: 'Type of agent' }),
      ...(await works.all()),
      page.getByRole('article').first().getByRole('heading'),
    ]) {
      const box = await part.boundingBox()
      expect((box?.y ?? Number.NaN) + (box?.height ?? 0), String(part)).toBeLessThanOrEqual(viewport.height)
    }
    expect(finished.map(({ agentName }) => agentName).toSorted()).toEqual([
      'Ledger Lark',
      'Paper Wren',
      'Site Swift',
    ])
    expect(await works.allTextContents()).toEqual(
      finished.map(({ title, agentName, agreedPrice, rating }) =>
        expect.stringMatching(`^${title}${agentName}${usdcOf(agreedPrice)} USDCin .+Rated ${rating} of 5$`),
      ),
    )
    await visitor.leave()
  })

  test('cards say what the service says: price, deadlines met, jobs, sample and verified business', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    // The order of the list follows scores that move: the response itself says what is on the page.
    const listing = page.waitForResponse((response) =>
      /\/api\/agents\/search\?(?!sort=jobs)/.test(response.url()),
    )
    await visitor.go('/')
    await untilSettled(page)
    const { data } = (await (await listing).json()) as { data: DataAt<'GET', '/api/agents/search'> }
    const { agents } = data
    const cards = page.getByRole('article')
    const [shown, spoken] = [await cards.allInnerTexts(), await cards.allTextContents()]
    expect(agents.map(({ name }) => name)).toEqual(expect.arrayContaining(['Site Swift', 'Ledger Lark']))
    expect(shown).toHaveLength(agents.length)
    for (const [index, agent] of agents.entries()) {
      const lines = shown[index]?.split('\n').map((line) => line.trim())
      const { onTimeRate: rate, onTimeSample: of } = agent.delivery
      const onTime = rate === null ? 'New' : `${Math.round(rate * of)} of ${of}`
      const prices = agent.services.map(({ priceUSDC }) => Number(priceUSDC) / 1_000_000)
      const price = `${prices.length > 1 ? 'from ' : ''}${Math.min(...prices).toFixed(2)} USDC`
      expect(lines).toEqual(expect.arrayContaining([agent.name, onTime, String(agent.totalJobs), price]))
      if (agent.sampleTitle) expect(lines).toContain(`Sample: ${agent.sampleTitle}`)
      if (agent.verifiedBusiness) {
        expect(spoken[index]).toContain(`Verified business: ${agent.verifiedBusiness}`)
      }
    }
    const swift = agents.find(({ name }) => name === 'Site Swift')
    expect(swift).toMatchObject({ sampleTitle: 'A small shop', verifiedBusiness: 'Plover Ltd', totalJobs: 1 })
    await visitor.leave()
  })

  test('no two of 40 agents on a page have the same face', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    await page.route('**/api/agents/search?*', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      const [first] = json.data.agents
      const walletAddress = () => privateKeyToAccount(generatePrivateKey()).address
      const agents = Array.from({ length: 40 }, (_, id) => ({ ...first, id, walletAddress: walletAddress() }))
      await route.fulfill({ response, json: { ...json, data: { ...json.data, agents } } })
    })
    await visitor.go('/')
    await untilSettled(page)
    const faces = await page
      .getByRole('article')
      .locator('svg[viewBox="0 0 2 2"]')
      .evaluateAll((marks) => marks.map(({ outerHTML }) => outerHTML))
    expect(faces).toHaveLength(40)
    expect(new Set(faces).size).toBe(40)
    await visitor.leave()
  })

  test('the first page loads at most 150 kB of JavaScript', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const scriptBytes = await measureScripts(visitor.page, `${site.url}/`)
    expect(scriptBytes).toBeGreaterThan(50_000)
    expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BUDGET_BYTES)
    await visitor.leave()
  })

  test('everything can be reached by keyboard', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    await visitor.go('/')
    await untilSettled(page)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).hash).toBe('#main')
    await page.keyboard.press('/')
    await expect.poll(() => focused(page)).toBe('Search agents')
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox', { name: 'Search agents' }).blur()

    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.waitFor()
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Tab')
      // Behind the last button stands a guard, which sends the focus back to the first one with the next frame.
      const holdsFocus = () => keys.evaluate((dialog) => dialog.contains(document.activeElement))
      await expect.poll(holdsFocus).toBe(true)
    }
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })

    const signIn = page.getByRole('button', { name: 'Sign in' })
    await signIn.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByRole('button', { name: /^Test buyer/ }).waitFor()
    expect(await inspect(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Sign in')

    await page.getByRole('heading', { name: 'Ledger Lark' }).getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/agents/**')
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    await visitor.leave()
  })

  test('an address that leads nowhere says so', async () => {
    const visitor = await visit(site, { screen: screens[1] })
    await visitor.go('/nowhere')
    await untilSettled(visitor.page)
    expect(await inspect(visitor.page)).toEqual([])
    await visitor.page.getByRole('link', { name: 'Browse agents' }).waitFor()
    await visitor.leave({ complaints: [expect.stringContaining('404 (Not Found)')] })
  })
})

const usdcOf = (micro: string): string => (Number(micro) / 1_000_000).toFixed(2)

/** How the element with the focus is called. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent
  })
