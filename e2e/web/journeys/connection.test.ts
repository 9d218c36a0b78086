import { rateLimitsPerMinute, STREAM_START } from '@agent-marketplace/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { signIn } from '../../client.ts'
import { inspect, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, untilListed } from '../market/market.ts'
import { orderJob } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, useSandboxTool, visit } from '../site.ts'

const MANY = 12

describeInBrowser('the connection to the service', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(() => site?.close())

  test('twelve tabs and twelve navigations share one live stream', async () => {
    const visitor = await visit(site, { screen: screens[0], account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/jobs')
    await signInWithWallet(page)
    const tabs: Page[] = [page]
    const called: string[] = []
    page.context().on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) called.push(pathname)
    })
    while (tabs.length < MANY) {
      const tab = await page.context().newPage()
      tabs.push(tab)
      await openJobs(tab)
      await untilSettled(tab)
    }
    // All of them within a minute are fewer calls than the service takes from one owner in it.
    expect(called.length, called.join(' ')).toBeLessThan(rateLimitsPerMinute.api)
    for (let count = 0; count < MANY; count += 1) {
      await page.goto(`${site.url}${count % 2 === 0 ? '/sell' : '/jobs'}`)
      await untilSettled(page)
    }
    for (const _ of [1, 2]) await page.goBack()
    await untilSettled(page)

    const buyer = await signIn(site.url, await market.newBuyer())
    await orderJob(market, buyer, 'Close March', '20000000')
    for (const tab of tabs) await hasNews(tab)

    // The tab that listened for all is gone: another one takes over.
    for (const tab of tabs.slice(0, 6)) await tab.close()
    const last = tabs.slice(6)
    await orderJob(market, buyer, 'Close April', '20000000')
    for (const tab of last) await hasNews(tab, 2)
    await visitor.leave()
  })

  test('what happens while the page is still being loaded is news on it', async () => {
    const buyer = await signIn(site.url, await market.newBuyer())
    await orderJob(market, buyer, 'Close June', '20000000')
    const visitor = await visit(site, { screen: screens[0], account: market.seller.wallet })
    const { page } = visitor
    const startListening = await holdFeed(page)
    await visitor.go('/jobs')
    await signInWithWallet(page)
    await hasNews(page)
    await orderJob(market, buyer, 'Close July', '20000000')
    startListening()
    await page.getByText('“Close July”').waitFor()
    await visitor.leave()
  })

  test('also in a tab that another one listens for', async () => {
    const buyer = await signIn(site.url, await market.newBuyer())
    const visitor = await visit(site, { screen: screens[0], account: market.seller.wallet })
    await visitor.go('/jobs')
    await signInWithWallet(visitor.page)
    const tab = await visitor.page.context().newPage()
    const startListening = await holdFeed(tab)
    await openJobs(tab)
    await hasNews(tab)
    await orderJob(market, buyer, 'Close August', '20000000')
    await visitor.page.getByText('“Close August”').waitFor()
    const readAgain = tab.waitForResponse(/\/api\/notifications\?/)
    startListening()
    await readAgain
    await tab.getByRole('button', { name: /^Notifications/ }).click()
    await tab.getByText('“Close August”').waitFor()
    await visitor.leave()
  })

  test('another wallet’s stream begins where its own feed stands', async () => {
    const visitor = await visit(site, { screen: screens[0], account: market.seller.wallet })
    const { page } = visitor
    const stream = '**/api/notifications/stream'
    // It opens later than the bell shows what there is.
    const ownStream = page.waitForRequest(stream)
    await visitor.go('/jobs')
    await signInWithWallet(page)
    expect(await (await ownStream).headerValue('last-event-id')).not.toBe(STREAM_START)
    const opened = page.waitForRequest(stream)
    await useSandboxTool(page, 'Act as', 'New')
    expect(await (await opened).headerValue('last-event-id')).toBe(STREAM_START)
    await visitor.leave()
  })

  test('offline, the page stays, waits and recovers', async () => {
    const visitor = await visit(site, { screen: screens[1], account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/jobs?role=seller')
    await signInWithWallet(page)
    await untilSettled(page)
    await page.context().setOffline(true)
    await reconnecting(page).waitFor()
    expect(await inspect(page)).toEqual([])
    await page.getByRole('link', { name: 'Sell', exact: true }).click()
    await reconnecting(page).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Sell' }).waitFor()
    await reconnecting(page).waitFor({ state: 'detached' })
    await visitor.leave({ complaints: expect.any(Array) })
  })

  test('a part that stays missing is one reload and then a message, however slow the line is', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    let documents = 0
    page.on('request', (request) => {
      if (request.resourceType() === 'document') documents += 1
    })
    // Every document opens a minute after the one before.
    await page.addInitScript(() => {
      const minutes = Number(sessionStorage.getItem('minutes') ?? 0) + 1
      sessionStorage.setItem('minutes', String(minutes))
      const now = Date.now
      Date.now = () => now() + minutes * 60_000
    })
    await page.route(/\/assets\/PricingPage-/, (route) => route.abort())
    await page.goto(`${site.url}/pricing`)
    await page.getByRole('alert').waitFor()
    expect(documents).toBe(2)
    await page.unroute(/\/assets\/PricingPage-/)
    await page.goto(`${site.url}/pricing`)
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
    await visitor.leave({ complaints: expect.any(Array) })
  })

  test('trying again loads a part within a page that was missing', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    const part = /\/assets\/NoAgents-/
    await page.route(part, (route) => route.abort())
    await page.goto(`${site.url}/?q=zzqxzz`)
    await page.getByRole('heading', { level: 1, name: 'This page did not load' }).waitFor()
    await page.unroute(part)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No agent fits “zzqxzz”').waitFor()
    await visitor.leave({ complaints: expect.any(Array) })
  })

  test('who asks for more than the service takes in a minute reads so, and waits', async () => {
    const visitor = await visit(site, { screen: screens[1], account: await market.newBuyer() })
    const { page } = visitor
    await visitor.go('/')
    await signInWithWallet(page)
    const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.', details: {} }
    let refusals = 0
    await page.route('**/api/jobs?*', (route) => {
      refusals += 1
      if (refusals > 3) return route.continue()
      const headers = { 'retry-after': '2' }
      return route.fulfill({ status: 429, headers, json: { success: false, error } })
    })
    await visitor.go('/jobs')
    await page.getByText('Many requests at once.').waitFor()
    expect(await inspect(page)).toEqual([])
    await page.getByText('You have not hired anybody yet').waitFor()
    await page.getByText('Many requests at once.').waitFor({ state: 'detached' })
    await visitor.leave({ complaints: expect.any(Array) })
  })

  test('a restart of the service signs nobody out, refuses what would change something, and ends by itself', async () => {
    const account = await market.newBuyer()
    const jobId = await orderJob(market, await signIn(site.url, account), 'Close May', '20000000')
    const visitor = await visit(site, { screen: screens[0], account })
    const { page, wallet } = visitor
    await visitor.go(`/jobs/${jobId}`)
    await signInWithWallet(page)
    const pay = page.getByRole('button', { name: 'Pay 20.00 USDC' })
    await pay.click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const other = await page.context().newPage()
    const calls = /\/(api|health)\//
    await other.route(calls, (route) => route.abort('connectionrefused'))
    await site.restart(async () => {
      await reconnecting(page).waitFor()
      await dialog.getByRole('button', { name: 'Sign and pay 20.00 USDC' }).click()
      await page.getByText('The service cannot be reached right now.').first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Jobs', exact: true }).click()
      await reconnecting(page).waitFor()
    })
    expect(wallet?.signed).toEqual(['personal_sign'])
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    await page.getByRole('link', { name: 'Close May' }).first().waitFor()
    await reconnecting(page).waitFor({ state: 'detached' })

    // A page that opens while the service does not respond waits; it does not say that nobody is signed in.
    await other.goto(`${site.url}/jobs`)
    await reconnecting(other).waitFor()
    expect(await other.getByRole('button', { name: /^Sign in/ }).count()).toBe(0)
    await other.unroute(calls)
    await other.getByRole('link', { name: 'Close May' }).first().waitFor()
    await visitor.leave({ complaints: expect.any(Array) })
  })

  async function openJobs(tab: Page): Promise<void> {
    await tab.goto(`${site.url}/jobs`)
    await tab.getByRole('button', { name: /^Account/ }).waitFor()
  }

  /** The code that opens the stream does not arrive before the returned function is called. */
  async function holdFeed(tab: Page): Promise<() => void> {
    const released = Promise.withResolvers<void>()
    await tab.route('**/NotificationFeed-*.js', async (route) => {
      await released.promise
      await route.continue()
    })
    return released.resolve
  }

  const hasNews = (tab: Page, atLeast = 1) =>
    expect
      .poll(async () => {
        const label = await tab.getByRole('button', { name: /^Notifications/ }).getAttribute('aria-label')
        return Number(/(\d+) unread/.exec(label ?? '')?.[1] ?? 0)
      })
      .toBeGreaterThanOrEqual(atLeast)

  const reconnecting = (page: Page) => page.getByText('Reconnecting…')
})
