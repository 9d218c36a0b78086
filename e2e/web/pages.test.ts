import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeInBrowser } from '../browser.ts'
import { type BusyMarket, openBusyMarket } from './busy-market.ts'
import { inspect, untilSettled } from './inspection.ts'
import { measureScripts, measureShift } from './page-load.ts'
import { type Site, screens, signInWithWallet, startSite, visit } from './site.ts'

const SCRIPT_BUDGET_BYTES = 180_000
const SHIFT_BUDGET = 0.01

describeInBrowser('the pages', () => {
  const admin = privateKeyToAccount(generatePrivateKey())
  let site: Site
  let market: BusyMarket

  beforeAll(async () => {
    site = await startSite({ ADMIN_WALLETS: admin.address })
    market = await openBusyMarket(site.url)
  }, 180_000)
  afterAll(() => site?.close())

  const visitors = [
    { who: 'a stranger', account: () => undefined, paths: () => strangerPaths(market) },
    { who: 'a buyer', account: () => market.buyer.wallet, paths: () => buyerPaths(market) },
    { who: 'a seller', account: () => market.seller.wallet, paths: () => sellerPaths(market) },
    { who: 'an administrator', account: () => admin, paths: () => adminPaths(market) },
  ]

  describe.each(screens)('on $name', (screen) => {
    test.each(visitors)(
      'are fit for $who, light and dark',
      async ({ account, paths }) => {
        const wallet = account()
        const visitor = await visit(site, { screen, ...(wallet && { account: wallet }) })
        const { page } = visitor
        await visitor.go('/')
        if (wallet) await signInWithWallet(page)
        const faults: Record<string, string[]> = {}
        for (const path of paths()) {
          await visitor.go(path)
          await untilSettled(page)
          const found = await inspect(page)
          if (found.length > 0) faults[path] = found
        }
        expect(faults).toEqual({})
        await visitor.leave()
      },
      180_000,
    )

    test('stand still while they load', async () => {
      const visitor = await visit(site, { screen, account: market.seller.wallet })
      const { page } = visitor
      const shifts: Record<string, number> = {}
      const paths = [
        '/',
        '/jobs',
        '/sell',
        '/sell/earnings',
        '/notifications',
        `/jobs/${market.jobs.running}`,
      ]
      const measure = async (path: string, when: string) => {
        const layoutShift = await measureShift(page, `${site.url}${path}`)
        if (layoutShift >= SHIFT_BUDGET) shifts[`${path} ${when}`] = layoutShift
      }
      await measure('/', 'at first')
      await measure(`/agents/${market.agent.walletAddress}`, 'as a stranger')
      await signInWithWallet(page)
      for (const path of paths) await measure(path, 'signed in')
      expect(shifts).toEqual({})
      await visitor.leave()
    }, 120_000)
  })

  test('the first page loads at most 180 kB of JavaScript', async () => {
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
  }, 60_000)

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

const agentPath = ({ agent }: BusyMarket) => `/agents/${agent.walletAddress}`

const strangerPaths = (market: BusyMarket) => [
  '/',
  '/?q=nothing+like+it',
  agentPath(market),
  `${agentPath(market)}/hire`,
  '/jobs',
]

const buyerPaths = (market: BusyMarket) => [
  agentPath(market),
  `${agentPath(market)}/hire`,
  '/jobs',
  ...Object.values(market.jobs).map((id) => `/jobs/${id}`),
  '/notifications',
  `/tx/${market.txHash}`,
  '/sell',
  '/sell/verify',
]

const sellerPaths = ({ agent, jobs }: BusyMarket) => [
  '/sell',
  '/sell/verify',
  '/sell/agents/new',
  `/sell/agents/${agent.walletAddress}/edit`,
  '/sell/earnings',
  '/sell/earnings?tab=withdrawals',
  '/sell/plans',
  '/sell/keys',
  '/sell/webhooks',
  '/jobs?role=seller',
  `/jobs/${jobs.running}`,
  `/jobs/${jobs.disputed}`,
]

const adminPaths = ({ jobs }: BusyMarket) => [
  '/admin',
  '/admin/agents',
  '/admin/disputes',
  `/admin/disputes/${jobs.disputed}`,
  '/admin/aml',
  '/admin/owners',
  '/admin/withdrawals',
  '/admin/audit',
  '/admin/health',
  `/jobs/${jobs.disputed}`,
]
