import { spawnSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { type Client, signIn } from '../../client.ts'
import { inspectDialog, untilPainted, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, succeed, untilListed } from '../market/market.ts'
import { orderJob, orderPaidJob, untilStatus } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, useSandboxTool, visit } from '../site.ts'

const [desktop, phone] = screens

/** Words without a place to break, as long as the service takes them. */
const longWord = (length: number): string => 'Wolpertinger'.repeat(20).slice(0, length)

const longAgent = {
  name: longWord(100),
  type: longWord(60),
  bio: longWord(200),
  skills: [longWord(60), 'bookkeeping'],
  services: [{ name: longWord(120), priceUSDC: '190800000', deliveryTime: 47, x402Enabled: false }],
}

describeInBrowser('the details of the page', () => {
  const admin = privateKeyToAccount(generatePrivateKey())
  let site: Site
  let market: Market
  let buyer: Client
  const jobs = { done: '', running: '' }

  beforeAll(async () => {
    site = await startSite({ ADMIN_WALLETS: admin.address })
    market = await openMarket(site.url, longAgent)
    await untilListed(market)
    buyer = await signIn(site.url, await market.newBuyer())
    await succeed(buyer, '/api/owners/register', {
      entityType: 'COMPANY',
      entityName: longWord(100),
      country: 'EE',
      email: `${longWord(60)}@example.com`,
    })
    jobs.done = await orderPaidJob(market, buyer, longWord(80), '190800000')
    jobs.running = await orderPaidJob(market, buyer, 'Close June', '123456789')
    await succeed(market.seller, `/api/jobs/${jobs.done}/deliver`, { content: longWord(300) })
    await succeed(buyer, `/api/jobs/${jobs.done}/approve`)
    await untilStatus(buyer, jobs.done, 'COMPLETED')
  })
  afterAll(() => site?.close())

  const agentPath = () => `/agents/${market.agent.walletAddress}`

  test('every sum adds up as it is shown', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go(`/jobs/${jobs.done}`)
    await signInWithWallet(page)
    const money = page.getByRole('region', { name: 'Money' })
    await money.getByText('Released', { exact: true }).waitFor()
    expect(sumOf(await amountsIn(page, '[aria-label=Money] dd'))).toEqual([190.8, -3.816, 186.984])
    await visitor.go('/sell/earnings')
    await page.getByRole('table', { name: 'Payments' }).getByText('186.984').waitFor()
    const row = await amountsIn(page, '[aria-label=Payments] tbody tr:first-child td .tabular-nums')
    expect(row).toEqual([190.8, 3.816, 186.984])
    const totals = () => amountsIn(page, 'main dl .text-20.tabular-nums')
    await expect.poll(totals).toEqual([186.984, 190.8, 3.816])
    await visitor.leave()
  })

  test('an administrator sees the market by day, and works through rows of 44 px', async () => {
    const visitor = await visit(site, { screen: desktop, account: admin })
    const { page } = visitor
    await visitor.go('/admin')
    await signInWithWallet(page)
    const client = await signIn(site.url, admin)
    const days = (await client.get('/api/admin/activity')).body.data
    const sumOfDays = (measure: 'volume' | 'fees' | 'jobs' | 'buyers') =>
      days.reduce((sum, day) => sum + Number(day[measure]), 0)
    expect(days).toHaveLength(30)
    expect((['volume', 'fees', 'jobs'] as const).map(sumOfDays)).toEqual([314_256_789, 3_816_000, 2])
    expect(sumOfDays('buyers')).toBeGreaterThanOrEqual(1)
    await page.getByRole('img', { name: 'Volume by day: 314.256789 USDC.' }).waitFor()
    await page.getByRole('img', { name: 'Escrow fees by day: 3.816 USDC.' }).waitFor()
    await visitor.go('/admin/health')
    await page.getByRole('img', { name: /^Blocks behind since/ }).waitFor()
    await page.getByRole('img', { name: /^Payments that wait since/ }).waitFor()
    for (const path of ['agents', 'disputes', 'aml', 'owners', 'withdrawals', 'audit'].map(
      (name) => `/admin/${name}`,
    )) {
      await visitor.go(path)
      await untilSettled(page)
      const heights = await page
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)))
      expect([path, heights.filter((height) => height > 46)]).toEqual([path, []])
    }
    // Capitals are locked.
    await page.keyboard.press('Control+K')
    const palette = page.getByRole('dialog', { name: 'Go to' })
    await palette.getByRole('combobox').fill('health')
    await palette.getByRole('option', { name: 'Admin: health' }).click()
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
    await visitor.leave()
  })

  test('a page can be printed, and read at twice its size', async () => {
    const visitor = await visit(site, {
      screen: { name: 'a desktop', viewport: { width: 1280, height: 800 } },
      account: buyer.wallet,
    })
    const { page } = visitor
    await visitor.go(`/jobs/${jobs.done}`)
    await signInWithWallet(page)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(
      await page.locator('header nav, footer, main button:visible').filter({ visible: true }).count(),
    ).toBe(0)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
    await page.emulateMedia({ media: 'screen' })
    // Twice the size leaves half the pixels.
    await page.setViewportSize({ width: 640, height: 400 })
    const faults: Record<string, number> = {}
    for (const path of ['/', agentPath(), `/jobs/${jobs.done}`, '/jobs', '/pricing']) {
      await visitor.go(path)
      await untilSettled(page)
      const tooWideBy = await overflow(page)
      if (tooWideBy > 0) faults[path] = tooWideBy
    }
    expect(faults).toEqual({})
    await visitor.leave()
  })

  test('links to public pages carry their own words', async () => {
    const head = async (path: string) => (await fetch(`${site.url}${path}`)).text()
    expect(await head('/')).toContain('<meta property="og:title" content="Hire AI agents, pay in USDC')
    expect(await head('/pricing')).toContain('<title>Pricing · Agent Marketplace</title>')
    expect(await head(agentPath())).toContain(`<meta property="og:title" content="${longAgent.name} `)
    expect(await head('/jobs')).not.toContain('og:title')
  })

  test('words of any length stay inside a phone', async () => {
    const faults: Record<string, number> = {}
    const walk = async (account: typeof admin, paths: string[]) => {
      const visitor = await visit(site, { screen: phone, account })
      const { page } = visitor
      await visitor.go('/jobs')
      await signInWithWallet(page)
      for (const path of paths) {
        await visitor.go(path)
        await untilSettled(page)
        const tooWideBy = await overflow(page)
        if (tooWideBy > 0) faults[path] = tooWideBy
      }
      await visitor.leave()
    }
    const jobPaths = Object.values(jobs).map((id) => `/jobs/${id}`)
    const buyerPaths = ['/', agentPath(), `${agentPath()}/hire`, '/jobs', ...jobPaths, '/notifications']
    await walk(buyer.wallet, buyerPaths)
    await walk(market.seller.wallet, ['/sell', `/sell${agentPath()}/edit`, '/sell/earnings', ...jobPaths])
    await walk(admin, ['/admin/agents', '/admin/owners'])
    expect(faults).toEqual({})

    const visitor = await visit(site, { screen: phone })
    await visitor.go(agentPath())
    await untilSettled(visitor.page)
    // In the panel, and in the bar while that one is out of sight.
    const hires = await visitor.page.getByRole('link', { name: /^Hire Wolpertinger/ }).all()
    expect(hires.length).toBeGreaterThan(0)
    for (const hire of hires) {
      const box = await hire.boundingBox()
      expect(box && box.x + box.width).toBeLessThanOrEqual(phone.viewport.width)
      expect(box?.height).toBeLessThanOrEqual(48)
    }
    await visitor.leave()
  })

  test('test wallets are remembered, named and gone back to', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go('/jobs')
    await useSandboxTool(page, 'Act as', 'New')
    const account = (name: string) => page.getByRole('button', { name: new RegExp(`^Account ${name}`) })
    await account('Wallet 1').waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Paula')
    await page.getByRole('button', { name: 'Save the name' }).click()
    await account('Paula').waitFor()
    await useSandboxTool(page, 'Act as', 'New')
    await account('Wallet 1').waitFor()
    await page.getByRole('combobox', { name: 'Your test wallets' }).selectOption('Paula')
    await account('Paula').waitFor()

    // The key is there in another tab too, and after this one is gone.
    const other = await page.context().newPage()
    await page.close()
    await other.goto(`${site.url}/jobs`)
    await other.getByRole('combobox', { name: 'Your test wallets' }).selectOption('Wallet 1')
    await other.getByRole('button', { name: /^Account Wallet 1/ }).waitFor()
    await visitor.leave()
  })

  test('what there is a list for is chosen from it', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go('/sell/verify')
    await useSandboxTool(page, 'Act as', 'New')
    await page.getByLabel('A company').check({ force: true })
    await page.getByLabel('Company name').fill('Plover Ltd')
    await page.getByLabel('Email').fill('paula@example')
    await page.getByLabel('Country').fill('Unites States')
    await page.getByLabel('Tax or employer number').fill('12-34')
    await page.getByRole('button', { name: 'Register and verify' }).click()
    await page.getByText('Write an email address, like ada@example.com.').waitFor()
    await page.getByText('Choose a country from the list.').waitFor()
    await page.getByLabel('Country').fill('United States')
    await page.getByText('An EIN has nine digits, like 12-3456789.').waitFor()

    // One seller’s own word is no filter for everybody.
    const facets = page.waitForResponse((response) => response.url().includes('sort=jobs'))
    await visitor.go('/')
    await page.getByRole('heading', { name: longAgent.name }).waitFor()
    await (await facets).finished()
    await untilPainted(page)
    const chips = page.getByRole('navigation', { name: 'Type of agent' }).getByRole('link')
    expect(await chips.allTextContents()).toEqual(['All'])
    await visitor.leave()
  })

  test('a search says who fits in part, and what to drop where nobody fits', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go('/?q=bookkeeping+for+xylophones')
    await page.getByRole('heading', { name: 'Closest matches', exact: true }).waitFor()
    await page.getByText('1 agent, none with all your words', { exact: true }).waitFor()
    await visitor.go('/?q=bookkeeping&maxPrice=1')
    const drops = page.getByRole('list', { name: 'What to drop' }).getByRole('link')
    await drops.getByText('Without “At most 1 USDC”: 1 agent', { exact: true }).waitFor()
    expect(await drops.count()).toBe(1)
    await drops.click()
    await page.getByRole('heading', { name: longAgent.name, exact: true }).waitFor()
    expect(await page.getByRole('heading', { name: 'Closest matches', exact: true }).count()).toBe(0)
    // An address that makes no sense shows everything, and no error.
    await visitor.go('/?minRating=99&maxPrice=-1&sort=upwards')
    await page.getByRole('heading', { name: longAgent.name, exact: true }).waitFor()
    await visitor.leave()
  })

  test('times are said in one way, and a finished job has no running deadline', async () => {
    const visitor = await visit(site, { screen: desktop, account: buyer.wallet })
    const { page } = visitor
    await visitor.go(`/jobs/${jobs.running}`)
    await signInWithWallet(page)
    const panel = page.getByRole('complementary', { name: 'What happens now' })
    const said = page.getByRole('list', { name: 'Timeline' }).locator('time').first()
    expect(await said.getAttribute('title')).toMatch(
      /^\d+ \w+ \d{4}, \d\d:\d\d · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
    )
    const times = await page.locator('main time').allTextContents()
    expect(times.filter((text) => /day|hour|minute/.test(text))).toEqual([])
    await visitor.go(`/jobs/${jobs.done}`)
    await panel.getByRole('heading', { name: 'Completed' }).waitFor()
    const words = await page.locator('main').textContent()
    expect(words).not.toMatch(/\bin \d+ (d|h|min|day|hour)/)
    await visitor.leave()
  })

  test('the bell falls when a job is read on its page', async () => {
    const account = await market.newBuyer()
    const client = await signIn(site.url, account)
    const jobId = await orderPaidJob(market, client, 'Close July', '20000000')
    await succeed(market.seller, `/api/jobs/${jobId}/deliver`, { content: 'July.' })
    const other = await orderJob(market, client, 'Close August', '20000000')
    await succeed(market.seller, `/api/jobs/${other}/decline`, { reason: 'Too much to do.' })
    const unread = async () =>
      (await client.get('/api/notifications?unreadOnly=true')).body.data.notifications
    const before = await unread()
    const left = before.filter(({ link }) => link !== `/jobs/${jobId}`)
    expect(left.length).toBeLessThan(before.length)

    const visitor = await visit(site, { screen: desktop, account })
    await visitor.go(`/jobs/${jobId}`)
    await signInWithWallet(visitor.page)
    await visitor.page.getByRole('button', { name: `Notifications, ${left.length} unread` }).waitFor()
    await expect.poll(unread).toEqual(left)
    await visitor.leave()
  })

  test('prices are public, and what is not paid for is said before the form', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go('/')
    await page.getByRole('link', { name: 'Pricing' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
    await page.getByText('100 times the rate limits').waitFor()
    await page.getByRole('table', { name: 'Examples' }).getByText('68.50').waitFor()
    await visitor.leave()

    const seller = await visit(site, { screen: phone, account: market.seller.wallet })
    await seller.go('/sell/agents/new')
    await signInWithWallet(seller.page)
    await seller.page.getByRole('heading', { level: 1, name: 'Your plan is full' }).waitFor()
    expect(await seller.page.getByLabel('Name', { exact: true }).count()).toBe(0)
    await seller.page.getByText('Room for 2 agents').waitFor()
    await seller.page.getByRole('link', { name: 'Raise the quota' }).click()
    await seller.page.getByRole('button', { name: 'Buy 2 agents for 2.00 USDC' }).waitFor()
    await seller.go('/sell/keys')
    await seller.page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    await seller.page.getByRole('button', { name: 'Make a key' }).click()
    const form = seller.page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('Buying agent')
    await form.getByLabel('At most in a day').fill('5')
    await form.getByLabel('At most for one job').fill('2.5')
    const agents = form.getByLabel('Allowed agents')
    const found = form.getByRole('button', { name: `Add ${longAgent.name}` })
    const remove = form.getByRole('button', { name: `Remove ${longAgent.name}` })
    // A name that is written and not chosen limits nothing: no key is made by it.
    await agents.fill('bookkeeping')
    await form.getByRole('button', { name: 'Make the key' }).click()
    await form.getByText('Choose an agent, or clear the field.').waitFor()
    await found.click()
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    await agents.fill(market.agent.walletAddress)
    await found.waitFor()
    await agents.press('Enter')
    await remove.waitFor()
    expect(await inspectDialog(seller.page)).toEqual([])
    await form.getByRole('button', { name: 'Make the key' }).click()
    await form.getByRole('button', { name: 'I have copied it' }).click()
    const { body } = await market.seller.get('/api/api-keys')
    expect(body.data[0]?.budget).toMatchObject({
      caps: { perJob: '2500000', perDay: '5000000' },
      allowedAgents: [market.agent.id],
    })
    await seller.leave()
  })

  test('developers start with a placeholder, and with a key of their own that works as it is shown', async () => {
    const visitor = await visit(site, { screen: desktop, account: buyer.wallet })
    const { page } = visitor
    await visitor.go('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor()
    const shown = page.getByRole('tabpanel').locator('pre').first()
    await expect.poll(() => shown.textContent()).toContain("export MARKETPLACE_KEY='amk_your_key'")

    await signInWithWallet(page)
    await page.getByRole('button', { name: 'Fill in a new key' }).click()
    await page.getByRole('link', { name: 'Manage your keys' }).waitFor()
    const script = (await shown.textContent()) ?? ''
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect(JSON.parse(stdout).data.map(({ id }: { id: string }) => id)).toContain(jobs.running)
    await page.getByRole('tab', { name: 'MCP' }).click()
    const settings = JSON.parse(
      (await page.getByRole('tabpanel', { name: 'MCP', exact: true }).locator('pre').textContent()) ?? '',
    )
    const { url, headers } = settings.mcpServers['agent-marketplace']
    expect([url, script]).toEqual([
      `${site.url}/mcp`,
      expect.stringContaining(headers.Authorization.slice(7)),
    ])

    // The whole key was shown this once; what is left afterwards is its beginning. Old links lead to where keys are now.
    await visitor.go('/sell/keys')
    await page.waitForURL('**/developers/keys')
    await page.getByRole('table', { name: 'API keys' }).getByText('Quick start', { exact: true }).waitFor()
    await visitor.go('/developers')
    await page.getByText('the beginning of “Quick start”').waitFor()
    expect(await shown.textContent()).toMatch(/MARKETPLACE_KEY='amk_\w{6}…'/)
    await visitor.leave()
  })

  test('the keyboard leads everywhere: the palette, rows of lists, and never while somebody types', async () => {
    const visitor = await visit(site, { screen: desktop, account: buyer.wallet })
    const { page } = visitor
    await visitor.go('/jobs')
    await signInWithWallet(page)
    await page.getByRole('table', { name: 'Jobs', exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const focusedLink = () =>
      page.evaluate(() => {
        const focused = document.activeElement
        return focused ? [...document.querySelectorAll('main a')].indexOf(focused) : -1
      })
    await page.keyboard.press('j')
    await expect.poll(focusedLink).not.toBe(-1)
    const first = await focusedLink()
    await page.keyboard.press('j')
    await expect.poll(focusedLink).toBeGreaterThan(first)
    await page.keyboard.press('k')
    await expect.poll(focusedLink).toBe(first)
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Money' }).waitFor()

    const palette = page.getByRole('dialog', { name: 'Go to' })
    const field = palette.getByRole('combobox')
    await page.keyboard.press('Control+k')
    await field.fill('close june')
    await palette
      .getByRole('group', { name: 'Jobs' })
      .getByRole('option', { name: /^Close June/ })
      .waitFor()
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Close June' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/jobs/${jobs.running}`)
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await field.fill('bookkeeping')
    await palette.getByRole('group', { name: 'Agents' }).getByRole('option').first().waitFor()
    expect(await inspectDialog(page)).toEqual([])
    await field.fill('show the keys')
    await field.press('Enter')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.getByText('Ctrl K or ⌘ K', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })

    const search = page.getByRole('searchbox', { name: 'Search agents' })
    await search.click()
    await page.keyboard.type('j?k')
    await page.keyboard.press('Control+k')
    expect([await search.inputValue(), await palette.count(), await keys.count()]).toEqual(['j?k', 0, 0])
    await visitor.leave()
  })

  test('before sign-in the order keeps agent, service and price in view', async () => {
    const visitor = await visit(site, { screen: phone })
    const { page } = visitor
    await visitor.go(agentPath())
    await page.getByRole('link', { name: /^Hire for/ }).click()
    await page.getByRole('heading', { level: 1, name: `Hire ${longAgent.name}` }).waitFor()
    const choice = page.getByRole('complementary', { name: 'Your choice' })
    await choice.getByRole('heading', { name: longAgent.services[0]?.name }).waitFor()
    await choice.getByText('190.80').first().waitFor()
    await choice.getByText('186.984').waitFor()
    await page.getByRole('button', { name: 'Sign in with a wallet' }).waitFor()
    await visitor.leave()
  })
})

/** The numbers of amounts on the page, as somebody would copy them. */
async function amountsIn(page: Page, selector: string): Promise<number[]> {
  const texts = await page.locator(selector).allInnerTexts()
  return texts.map((text) => Number(text.replace('−', '-').replace(/[^\d.-]/g, '')))
}

/** The same numbers, once what they say is true: the first and the second make the third. */
function sumOf(amounts: number[]): number[] {
  const [price = 0, fee = 0, net] = amounts
  expect(Number((price + fee).toFixed(6))).toBe(net)
  return amounts
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.body.clientWidth)
