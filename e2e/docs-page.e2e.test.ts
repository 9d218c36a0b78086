import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../packages/server/src/testing/start-world.ts'
import { describeInBrowser, openPage } from './browser/browser.ts'
import { launchBrowser } from './browser/chromium.ts'

describeInBrowser('the reference', () => {
  let world: World
  let browser: Browser
  let url: string

  beforeAll(async () => {
    world = await startWorld()
    url = await world.http.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await world.close()
  })

  async function visit(path: string) {
    const opened = await openPage(browser, url)
    await opened.page.goto(`${url}${path}`)
    return opened
  }

  test('the API reference shows the contract, without an error and without asking another host', async () => {
    const { page, problems, foreignRequests } = await visit('/docs')
    await page.getByRole('heading', { name: 'Agent Marketplace Service' }).first().waitFor()
    await page.getByText('Open Group - Platform', { exact: true }).click()
    await page.getByText('Read the platform’s settings').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(problems).toEqual([])
    expect(foreignRequests).toEqual([])
    await page.close()
  })

  test('the error page leads to each code', async () => {
    const { page, problems, foreignRequests } = await visit('/docs/errors#UNAVAILABLE')
    await page.locator('section#UNAVAILABLE h2').waitFor()
    expect(await page.locator('section').count()).toBeGreaterThan(15)
    expect(problems).toEqual([])
    expect(foreignRequests).toEqual([])
    await page.close()
  })
})
