import type { Locator } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { signIn } from '../../client.ts'
import { inspect, inspectDialog, untilSettled } from '../checks/inspection.ts'
import { type BusyMarket, openBusyMarket } from '../market/busy-market.ts'
import { succeed } from '../market/market.ts'
import { orderJob } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, useSandboxTool, visit } from '../site.ts'

const [desktop, phone] = screens

describeInBrowser('the look of the pages', () => {
  let site: Site
  let market: BusyMarket

  beforeAll(async () => {
    site = await startSite()
    market = await openBusyMarket(site.url)
  })
  afterAll(() => site?.close())

  test('an agent without jobs says so once, and not in each figure', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go(`/agents/${market.rival.walletAddress}`)
    await untilSettled(page)
    const reputation = page.locator('section', {
      has: page.getByRole('heading', { level: 2, name: 'Reputation' }),
    })
    await reputation.getByText('No paid jobs yet.').waitFor()
    expect(await reputation.getByRole('definition').count()).toBe(0)
    await visitor.leave()
  })

  test('the grades of a rating chart stand at their lines', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go(`/agents/${market.agent.walletAddress}`)
    const chart = page.getByRole('figure').filter({ hasText: 'Rating over time' })
    await chart.getByRole('img').waitFor()
    const middles = (selector: string) =>
      chart.locator(selector).evaluateAll((parts) =>
        parts.map((part) => {
          const { top, height } = part.getBoundingClientRect()
          return Math.round(top + height / 2)
        }),
      )
    const lines = await middles('svg > line.stroke-line')
    expect(lines).toHaveLength(5)
    expect(await middles('[aria-hidden] > span[style]')).toEqual(lines)
    await visitor.leave()
  })

  test('no word in the account menu is broken', async () => {
    const visitor = await visit(site, { screen: phone, account: market.buyer.wallet })
    const { page } = visitor
    await visitor.go('/')
    await signInWithWallet(page)
    await page.getByRole('button', { name: /^Account/ }).click()
    const themes = page.getByRole('menuitemradio')
    await themes.first().waitFor()
    const heights = await themes.evaluateAll((items) => {
      const range = document.createRange()
      return items.map((item) => {
        range.selectNodeContents(item)
        return range.getClientRects().length
      })
    })
    expect(heights).toEqual([1, 1, 1])
    await visitor.leave()
  })

  test('no word in the navigation of an administrator is broken on a phone', async () => {
    const visitor = await visit(site, { screen: phone })
    const { page } = visitor
    await visitor.go('/')
    await useSandboxTool(page, 'Act as', 'Admin')
    const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await places.getByText('Admin').waitFor()
    const lines = await places.evaluateAll((links) => {
      const range = document.createRange()
      return links
        .filter((link) => link.getClientRects().length > 0)
        .map((link) => {
          range.selectNodeContents(link)
          return [link.textContent, range.getClientRects().length, link.getBoundingClientRect().top]
        })
    })
    const [, , top] = lines[0] ?? []
    const names = ['Browse', 'Jobs', 'Sell', 'Developers', 'Admin']
    expect(lines).toEqual(names.map((name) => [name, 1, top]))
    const room = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return clientWidth - scrollWidth
    })
    expect(room).toBeGreaterThanOrEqual(0)
    await visitor.leave()
  })

  test('a comparison of nothing offers one way on', async () => {
    const visitor = await visit(site, { screen: phone })
    await visitor.go('/compare')
    await untilSettled(visitor.page)
    const ways = visitor.page.getByRole('main').getByRole('link')
    expect(await ways.allTextContents()).toEqual(['Browse agents'])
    await visitor.leave()
  })

  test('the action of a page stays at its top right, however long its lead is', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/developers/keys')
    await signInWithWallet(page)
    // Before it there is another heading, which asks for a sign-in.
    const action = await page.getByRole('button', { name: 'Make a key' }).boundingBox()
    const title = await page.getByRole('heading', { level: 1, name: 'API keys' }).boundingBox()
    const main = await page.getByRole('main').boundingBox()
    expect(action?.y).toBe(title?.y)
    expect((action?.x ?? 0) + (action?.width ?? 0)).toBe((main?.x ?? 0) + (main?.width ?? 0) - 24)
    await visitor.leave()
  })

  test('events are read to their end on a phone', async () => {
    const visitor = await visit(site, { screen: phone, account: market.seller.wallet })
    const { page } = visitor
    await visitor.go('/developers/events')
    await signInWithWallet(page)
    const texts = page.getByRole('table', { name: 'Events' }).locator('span')
    await texts.first().waitFor()
    const cut = await texts.evaluateAll((spans) =>
      spans
        .filter((span) => getComputedStyle(span).overflow === 'hidden' && span.clientHeight > 1)
        .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
        .map(({ textContent }) => textContent),
    )
    expect(await texts.count()).toBeGreaterThan(10)
    expect(cut).toEqual([])
    await visitor.leave()
  })

  test('what has been paid and has arrived is said as past', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.buyer.wallet })
    const { page } = visitor
    await visitor.go(`/jobs/${market.jobs.unpaid}`)
    await signInWithWallet(page)
    const money = page.getByRole('region', { name: 'Money' })
    await money.getByText('You pay', { exact: true }).waitFor()
    await visitor.go(`/jobs/${market.jobs.running}`)
    await money.getByText('You paid', { exact: true }).waitFor()
    await money.getByText('Ledger Lark receives', { exact: true }).waitFor()
    await visitor.go(`/jobs/${market.jobs.completed}`)
    await money.getByText('Ledger Lark received', { exact: true }).waitFor()
    await visitor.leave()
  })

  test('an order keeps what it is for beside its price', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.buyer.wallet })
    const { page } = visitor
    await visitor.go(`/agents/${market.agent.walletAddress}/hire`)
    await signInWithWallet(page)
    const price = page.getByRole('complementary', { name: 'Price' })
    await price.getByRole('heading', { name: 'Receipt check' }).waitFor()
    await page.getByRole('radio', { name: /Monthly close/ }).check()
    await price.getByRole('heading', { name: 'Monthly close' }).waitFor()
    await visitor.leave()
  })

  test('an empty box to check looks empty in the dark, and a wide screen is used', async () => {
    const account = market.buyer.wallet
    const visitor = await visit(site, { screen: desktop, colorScheme: 'dark', account })
    const { page } = visitor
    await visitor.go('/')
    await untilSettled(page)
    const box = page.getByRole('checkbox', { name: /^Compare/ }).first()
    const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor)
    const card = await colourOf(page.getByRole('article').first())
    expect(await colourOf(box)).toBe(card)
    await box.check()
    await expect.poll(() => colourOf(box)).not.toBe(card)
    await page.setViewportSize({ width: 1920, height: 1080 })
    await expect.poll(async () => (await page.getByRole('main').boundingBox())?.width).toBe(1408)
    await visitor.go(`/agents/${market.agent.walletAddress}/hire`)
    await signInWithWallet(page)
    expect(await colourOf(page.getByRole('radio', { name: /^Monthly close/, checked: false }))).toBe(card)
    await visitor.leave()
  })

  test('what passes by is as fit for everybody as what stays: toasts and busy buttons', async () => {
    const visitor = await visit(site, { screen: desktop, account: market.buyer.wallet })
    const { page } = visitor
    await visitor.go('/saved')
    await signInWithWallet(page)
    await untilSettled(page)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const error = { code: 'FORBIDDEN', message: 'Not now.', details: {} }
    const faucet = '**/api/sandbox/faucet'
    await page.route(faucet, (route) => route.fulfill({ status: 403, json: { success: false, error } }))
    await useSandboxTool(page, 'Faucet', '+1,000 USDC')
    // A toast under the pointer stays. “Signed in.” may still be below it.
    await page.getByText('Not now.', { exact: true }).hover()
    expect(await inspect(page)).toEqual([])
    await page.unroute(faucet)
    const held = Promise.withResolvers<void>()
    await page.route(faucet, async (route) => {
      await held.promise
      await route.continue()
    })
    await useSandboxTool(page, 'Faucet', '+1,000 USDC')
    await page.locator('[aria-busy=true]').waitFor()
    expect(await inspect(page)).toEqual([])
    held.resolve()
    await page.getByText('1,000.00 USDC of test money arrived.').hover()
    expect(await inspect(page)).toEqual([])
    await visitor.leave({ complaints: [expect.stringContaining('403')] })
  })

  test('a wallet that holds too little is filled where it is asked to pay', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const client = await signIn(site.url, account)
    await succeed(client, '/api/sandbox/kyc', { status: 'VERIFIED', feePaid: false })
    const jobId = await orderJob(market, client, 'Close January', '120000000')
    const visitor = await visit(site, { screen: phone, account })
    const { page } = visitor
    await visitor.go('/sell/verify')
    await signInWithWallet(page)
    await page.getByText('You are 5.00 USDC short.').waitFor()
    await page.getByRole('button', { name: 'Get 100.00 test USDC' }).click()
    await page.getByRole('button', { name: 'Sign and pay 5.00 USDC' }).click()
    await page.getByRole('heading', { name: 'You can sell' }).waitFor()

    await visitor.go(`/jobs/${jobId}`)
    await page.getByRole('button', { name: 'Pay 120.00 USDC' }).click()
    const payment = page.getByRole('dialog', { name: 'Pay 120.00 USDC' })
    await payment.getByText('You are 25.00 USDC short.').waitFor()
    expect(await inspectDialog(page)).toEqual([])
    await payment.getByRole('button', { name: 'Add USDC' }).click()
    const funding = page.getByRole('dialog', { name: 'Add USDC' })
    await funding.getByRole('button', { name: 'Get 1,000.00 test USDC' }).click()
    await funding.getByText('1,000.00 USDC arrived.').waitFor()
    await page.keyboard.press('Escape')
    await funding.waitFor({ state: 'detached' })
    await payment.getByRole('button', { name: 'Sign and pay 120.00 USDC' }).click()
    await page.getByRole('heading', { name: 'Ledger Lark is at work' }).waitFor()
    await visitor.leave()
  })

  test('a browser that does not let pages copy is named as the reason', async () => {
    const visitor = await visit(site, { screen: desktop })
    const { page } = visitor
    await visitor.go(`/agents/${market.agent.walletAddress}`)
    await page.getByRole('button', { name: 'Copy address' }).first().click()
    await page.getByText('Your browser does not allow copying here.').waitFor()
    await visitor.leave()
  })

  test('a table that scrolls within itself holds what only screen readers see', async () => {
    const visitor = await visit(site, { screen: phone })
    const { page } = visitor
    await visitor.go(`/compare?agents=${market.agent.walletAddress},${market.rival.walletAddress}`)
    await untilSettled(page)
    // Placed by something outside of the table, such words would widen the page once they are far enough to the right.
    const places = await page
      .getByRole('region', { name: 'Comparison' })
      .evaluate((table) =>
        [...table.querySelectorAll<HTMLElement>('.sr-only')].map((words) =>
          table.contains(words.offsetParent),
        ),
      )
    expect(places.length).toBeGreaterThan(0)
    expect(places).not.toContain(false)
    await visitor.leave()
  })
})
