import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeInBrowser } from '../browser/browser.ts'
import { backwards, describeShifts, holdArrivals, inOrder } from './checks/arrivals.ts'
import { inspect, untilSettled } from './checks/inspection.ts'
import { measureScripts } from './checks/page-load.ts'
import { type BusyMarket, openBusyMarket } from './market/busy-market.ts'
import { type Site, screens, signInWithWallet, startSite, visit } from './site.ts'
import { pageVisitors } from './visitors.ts'

const SCRIPT_BUDGET_BYTES = 150_000

describeInBrowser('the pages', () => {
  const admin = privateKeyToAccount(generatePrivateKey())
  let site: Site
  let market: BusyMarket

  beforeAll(async () => {
    site = await startSite({ ADMIN_WALLETS: admin.address })
    market = await openBusyMarket(site.url)
  })
  afterAll(() => site?.close())

  // Each page is seen in both orders: on one screen its parts come as they were asked for, on the other backwards.
  const looks = [
    { screen: screens[0], order: inOrder, how: 'in order' },
    { screen: screens[1], order: backwards, how: 'backwards' },
  ]
  describe.each(looks)('on $screen.name', ({ screen, order, how }) => {
    test.each(pageVisitors)(
      `are fit for $who, light and dark, and stand still while their parts come ${how}`,
      async ({ account, paths }) => {
        const wallet = account(market, admin)
        const visitor = await visit(site, { screen, ...(wallet && { account: wallet }) })
        const { page } = visitor
        await visitor.go('/')
        if (wallet) await signInWithWallet(page)
        const held = await holdArrivals(page)
        const faults: Record<string, string[]> = {}
        for (const path of new Set(['/', ...paths(market)])) {
          const { shifts } = await held.load(`${site.url}${path}`, order)
          const found = [...describeShifts(shifts), ...(await inspect(page))]
          if (found.length > 0) faults[path] = found
        }
        expect(faults).toEqual({})
        await visitor.leave()
      },
    )
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

/** How the element with the focus is called. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent
  })
