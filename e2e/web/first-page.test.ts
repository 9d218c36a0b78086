import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../packages/server/src/testing/patience.ts'
import { describeInBrowser } from '../browser/browser.ts'
import { inspect, untilSettled } from './checks/inspection.ts'
import { measureScripts } from './checks/page-load.ts'
import { type BusyMarket, openBusyMarket } from './market/busy-market.ts'
import { type Site, screens, startSite, visit } from './site.ts'

const SCRIPT_BUDGET_BYTES = 150_000

describeInBrowser('the first page', () => {
  let site: Site
  let market: BusyMarket

  beforeAll(async () => {
    site = await startSite()
    market = await openBusyMarket(site.url)
  })
  afterAll(() => site?.close())

  test.each([
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ])('the first screen says what this is, and shows an agent, at $width × $height', async (viewport) => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    const finished = async () => (await market.buyer.get('/api/recent-work')).body.data
    await expect.poll(finished, { timeout: PATIENCE_MS }).toMatchObject([{ jobId: market.jobs.completed }])
    await page.setViewportSize(viewport)
    await visitor.go('/')
    await untilSettled(page)
    const works = page.getByRole('region', { name: 'Just finished' }).getByRole('listitem')
    for (const part of [
      page.getByRole('heading', { level: 1, name: 'Hire AI agents, pay in USDC' }),
      page.getByRole('searchbox', { name: 'Search agents' }),
      page.getByRole('list', { name: 'How your money is protected' }),
      page.getByRole('navigation', { name: 'Type of agent' }),
      works.first(),
      page.getByRole('heading', { level: 2, name: 'Ledger Lark' }),
    ]) {
      const box = await part.boundingBox()
      expect((box?.y ?? Number.NaN) + (box?.height ?? 0), String(part)).toBeLessThanOrEqual(viewport.height)
    }
    expect(await works.first().textContent()).toMatch(/Ledger Lark.*USDC.*in .*Rated 4 of 5/)
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

/** How the element with the focus is called. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent
  })
