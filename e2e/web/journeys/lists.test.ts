import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { type Client, signIn } from '../../client.ts'
import { inspect, inspectDialog, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, succeed, untilListed } from '../market/market.ts'
import { orderJob, orderPaidJob, untilStatus } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, visit } from '../site.ts'

const [desktop, phone] = screens

describeInBrowser('lists, charts and the funnel', () => {
  let site: Site
  let market: Market
  let buyer: Client

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    await untilListed(market)
    buyer = await signIn(site.url, await market.newBuyer(2_000))
    const done = await orderPaidJob(market, buyer, 'Reconcile October', '150000000')
    const small = await orderPaidJob(market, buyer, '=SUM(A1) of March', '1234567')
    for (let number = 1; number <= 21; number += 1)
      await orderJob(market, buyer, `Translate letter ${number}`, `${number}000000`)
    for (const job of [done, small])
      await succeed(market.seller, `/api/jobs/${job}/deliver`, { content: 'Done.' })
    await succeed(buyer, `/api/jobs/${done}/approve`)
    for (const job of [done, small]) await untilStatus(buyer, job, 'COMPLETED')
  })
  afterAll(() => site?.close())

  const titles = (page: Page) => page.locator('table[aria-label="Jobs"] tbody tr td:first-child a')
  const firstTitle = (page: Page) => titles(page).first()

  test('jobs are searched and ordered on the service, the address holds it, and the file has all of them', async () => {
    const visitor = await visit(site, { screen: desktop, account: buyer.wallet })
    const { page } = visitor
    await visitor.go('/jobs')
    await signInWithWallet(page)
    await firstTitle(page).getByText('Translate letter 21').waitFor()

    await page.getByLabel('Search jobs').fill('october lark')
    await firstTitle(page).getByText('Reconcile October').waitFor()
    expect(await titles(page).count()).toBe(1)
    // The list of before went on; this one never did, and has no end to speak of.
    expect(await page.getByText('All are shown.').count()).toBe(0)
    // Nothing is left to do, which a phone need not say in a line of its own.
    const line = page.locator('table[aria-label="Jobs"] tbody tr').getByText('Next step')
    await page.setViewportSize(phone.viewport)
    await line.waitFor({ state: 'hidden' })
    await page.setViewportSize(desktop.viewport)
    expect(new URL(page.url()).search).toBe('?q=october+lark')
    expect(await page.getByLabel('Search jobs').evaluate((box) => box === document.activeElement)).toBe(true)
    expect(await inspect(page)).toEqual([])

    // More words than the service takes are no error: the first ones are searched, and the box says so.
    await page.getByLabel('Search jobs').fill('october lark a b c e r o nowhere else')
    await page.getByText('Only the first 8 words are searched.').waitFor()
    await page.waitForURL('**/jobs?q=october+lark+a+b+c+e+r+o+nowhere+else')
    await firstTitle(page).getByText('Reconcile October').waitFor()
    expect(await inspect(page)).toEqual([])

    await page.getByLabel('Search jobs').fill('nothing like it')
    await page.getByText('No job matches', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show all jobs' }).click()

    await page.getByRole('columnheader', { name: 'Price, USDC' }).last().getByRole('button').click()
    await firstTitle(page).getByText('Reconcile October').waitFor()
    expect(await page.locator('[aria-sort=descending] button').textContent()).toBe('Price, USDC')
    await page.getByLabel('Order').selectOption('Lowest amount')
    await firstTitle(page).getByText('Translate letter 1', { exact: true }).waitFor()
    await page.reload()
    await firstTitle(page).getByText('Translate letter 1', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?order=lowest')
    // The next page goes on in the same order.
    await page.getByRole('button', { name: 'Show more' }).click()
    await titles(page).last().getByText('Reconcile October').waitFor()
    expect(await titles(page).count()).toBe(23)

    const { name, lines } = await saved(page)
    expect(name).toMatch(/^jobs-\d{4}-\d\d-\d\d\.csv$/)
    expect(lines).toHaveLength(24)
    expect(lines[0]).toContain('Price (USDC)')
    expect(lines.find((line) => line.includes('March'))).toContain(",'=SUM(A1) of March,CLIENT,")
    expect(lines.find((line) => line.includes('March'))).toContain(',1.234567,0.000000,1.234567,')
    await page.getByLabel('Search jobs').fill('reconcile')
    await page.waitForURL('**/jobs?order=lowest&q=reconcile')
    expect((await saved(page)).lines).toHaveLength(2)
    await visitor.leave()
  })

  test('a list stays readable while the next search is under way', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/jobs?role=seller')
    await signInWithWallet(page)
    const lists = [
      { path: '/jobs?role=seller', box: 'Search jobs', row: 'table[aria-label="Jobs"] tbody tr' },
      { path: '/sell/earnings', box: 'Search payments', row: 'table[aria-label="Payments"] tbody tr' },
      { path: '/', box: 'Search agents', row: 'ul.busy-line > li' },
    ]
    for (const { path, box, row } of lists) {
      await visitor.go(path)
      await page.locator(row).first().waitFor()
      const released = Promise.withResolvers<void>()
      const isSearch = (url: URL) => url.pathname.startsWith('/api/') && url.searchParams.has('q')
      await page.route(isSearch, async (route) => {
        await released.promise
        await route.continue()
      })
      await page.getByLabel(box).fill('lark')
      const busy = page.locator('.busy-line[aria-busy=true]')
      await busy.waitFor()
      expect(await inspect(page), path).toEqual([])
      // This visitor has asked for less motion.
      const motion = await busy.evaluate((list) => getComputedStyle(list, '::before').animationName)
      expect(motion).toBe('none')
      released.resolve()
      await busy.waitFor({ state: 'detached' })
      await page.unroute(isSearch)
    }
    await visitor.leave()
  })

  test('a search that fails leaves its words in their box', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/jobs?role=seller')
    await signInWithWallet(page)
    await firstTitle(page).waitFor()
    const error = { code: 'FORBIDDEN', message: 'Not now.', details: {} }
    const isSearch = (url: URL) => url.pathname === '/api/jobs' && url.searchParams.has('q')
    await page.route(isSearch, (route) => route.fulfill({ status: 403, json: { success: false, error } }))
    const box = page.getByLabel('Search jobs')
    await box.fill('translate')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await box.inputValue()).toBe('translate')
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await inspect(page)).toEqual([])
    await page.unroute(isSearch)
    await box.fill('letter 21')
    await firstTitle(page).getByText('Translate letter 21').waitFor()
    await visitor.leave({ complaints: expect.any(Array) })
  })

  test('the palette finds every job, also those that no list has shown, and waits for the service', async () => {
    const visitor = await visit(site, { screen: desktop, account: buyer.wallet })
    const { page } = visitor
    await visitor.go('/jobs')
    await signInWithWallet(page)
    await firstTitle(page).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await titles(page).getByText('Reconcile October').count()).toBe(0)

    const released = Promise.withResolvers<void>()
    const isSearch = (url: URL) => url.pathname.startsWith('/api/') && url.searchParams.has('q')
    await page.route(isSearch, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Go to' })
    const field = palette.getByRole('combobox')
    await field.fill('october lark')
    await palette.getByText('Searching…').waitFor()
    expect(await inspectDialog(page)).toEqual([])
    released.resolve()
    await palette.getByRole('option', { name: /^Reconcile October/ }).waitFor()
    await field.fill('xylophone qqq')
    await palette.getByText('Nothing has this name.').waitFor()
    await visitor.leave()
  })

  test('rows are compact in all tables once that is chosen, and stay so', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/jobs?role=seller')
    await signInWithWallet(page)
    await firstTitle(page).waitFor()
    const height = (table: string) =>
      page
        .locator(`table[aria-label="${table}"] tbody tr`)
        .first()
        .evaluate((row) => row.getBoundingClientRect().height)
    const before = await height('Jobs')
    await page.getByRole('button', { name: 'Compact' }).click()
    await expect.poll(() => height('Jobs')).toBeLessThan(before)
    expect(await inspect(page)).toEqual([])
    await visitor.go('/sell/earnings')
    await page.getByRole('table', { name: 'Payments' }).waitFor()
    expect(await page.getByRole('button', { name: 'Compact' }).getAttribute('aria-pressed')).toBe('true')
    expect(await height('Payments')).toBeLessThanOrEqual(38)
    await page.getByRole('button', { name: 'Compact' }).click()
    await expect.poll(() => height('Payments')).toBeGreaterThanOrEqual(44)
    await visitor.leave()
  })

  test('earnings are searched and ordered, and shown by agent and by service, in sums that add up', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/sell/earnings')
    await signInWithWallet(page)
    const payments = page.getByRole('table', { name: 'Payments' })
    await payments.getByRole('link', { name: 'Reconcile October' }).waitFor()
    for (const title of ['By agent', 'By service']) {
      const table = page.getByRole('table', { name: title })
      await table
        .getByRole('row', { name: /^Total/ })
        .getByText('148.234567')
        .waitFor()
      const amounts = await table.locator('tbody td:nth-child(2)').allInnerTexts()
      const micro = amounts.map((text) => Math.round(Number.parseFloat(text.replaceAll(',', '')) * 1_000_000))
      expect(micro.reduce((sum, amount) => sum + amount, 0)).toBe(148_234_567)
    }
    await page.getByRole('table', { name: 'By service' }).getByText('Custom orders').waitFor()

    // Ticks are regular and round, and the table says the same as the chart.
    const texts = page.getByRole('img', { name: /^Net earnings over 30 days/ }).locator('svg text')
    const amountTicks = async () => (await texts.allTextContents()).filter((text) => /^\d+$/.test(text))
    await expect.poll(amountTicks).toEqual(['0', '50', '100', '150'])
    await page.getByText('USDC a day, net').waitFor()
    expect(await inspect(page)).toEqual([])
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('table', { name: 'Earnings by day' }).getByText('148.234567').waitFor()

    await payments.getByRole('button', { name: 'Net, USDC' }).click()
    await page.waitForURL('**/sell/earnings?order=highest')
    await payments.locator('tbody tr').first().getByText('Reconcile October').waitFor()
    await page.getByLabel('Order').selectOption('Lowest amount')
    await expect.poll(() => payments.locator('tbody tr').first().textContent()).toContain('of March')
    // Each search is several calls: they wait until somebody has stopped typing.
    const asked: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/earnings')) asked.push(searchParams.get('q'))
    })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    for (const words of ['oct', 'octob', 'october']) {
      await page.getByLabel('Search payments').fill(words)
      await page.clock.runFor(400)
    }
    await page.clock.resume()
    await expect.poll(() => payments.locator('tbody tr').count()).toBe(1)
    expect(asked).toEqual(['october'])
    await page
      .getByRole('table', { name: 'By agent' })
      .getByRole('row', { name: /^Total/ })
      .getByText('147.00')
      .waitFor()
    const { name, lines } = await saved(page)
    expect(name).toMatch(/^earnings-/)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('147.000000')
    await visitor.leave()
  })

  test('views lead to hires: a visitor counts once, the seller does not, and all steps are shown', async () => {
    const stranger = await visit(site, { screen: phone })
    const path = `/agents/${market.agent.walletAddress}`
    for (const address of [path, path, `${path}/hire`]) {
      const reported = stranger.page.waitForResponse((response) => response.url().endsWith('/views'))
      await stranger.go(address)
      expect((await reported).status()).toBe(202)
    }
    await stranger.leave()

    const visitor = await visit(site, { screen: desktop, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/sell')
    await signInWithWallet(page)
    const ownView = page.waitForResponse((response) => response.url().endsWith('/views'))
    await visitor.go(path)
    await ownView
    await visitor.go('/sell')
    const steps = page.getByRole('list', { name: 'Steps from view to completed job' }).getByRole('listitem')
    await steps.first().waitFor()
    expect((await steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'Profile views 1',
      'Hire form opened 1 100% of views',
      'Jobs created 23',
      'Paid 2 9% of jobs',
      'Completed 2 100% of paid jobs',
    ])
    await untilSettled(page)
    expect(await inspect(page)).toEqual([])
    await page.getByLabel('Days of the funnel').selectOption('7 days')
    await page.waitForURL('**/sell?days=7')
    await page.setViewportSize(phone.viewport)
    expect(await inspect(page)).toEqual([])
    await visitor.leave()
  })
})

/** The lines of the file that the button gives to the browser, its header first. */
async function saved(page: Page): Promise<{ name: string; lines: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV', exact: true }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.trimEnd().split('\r\n') }
}
