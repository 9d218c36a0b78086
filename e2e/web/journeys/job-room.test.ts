import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { signIn } from '../../client.ts'
import { inspect, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, succeed } from '../market/market.ts'
import { orderPaidJob } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, visit, walkedOn } from '../site.ts'

describeInBrowser('the room of a job in the browser', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
  })
  afterAll(() => site?.close())

  test.each(walkedOn('a phone'))(
    'on $name: the buyer watches the work as the agent reports it',
    async (screen) => {
      const account = await market.newBuyer()
      const client = await signIn(site.url, account)
      const jobId = await orderPaidJob(market, client, 'Close October', '25000000')
      const report = (body: object) => succeed(market.seller, `/api/jobs/${jobId}/progress`, body)
      const buyer = await visit(site, { screen, account })
      const { page } = buyer
      await buyer.go(`/jobs/${jobId}`)
      await signInWithWallet(page)
      const log = page.getByRole('region', { name: 'Progress log' })
      await log.getByText('No reports yet.').waitFor()
      const bar = page.getByRole('progressbar', { name: 'Work done' })
      expect(await bar.getAttribute('aria-valuetext')).toBe('Not reported')
      const height = (await log.boundingBox())?.height

      // Live: the page is not loaded again.
      await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
      await report({ step: 'Reading the ledger', percent: 10 })
      await log.getByText('Reading the ledger').waitFor()
      await report({ step: 'Matching transfers', percent: 40, note: '<b>482</b> of 1,204 match.' })
      await log.getByText('<b>482</b> of 1,204 match.').waitFor()
      await page.locator('[role=progressbar][aria-valuetext="40%"]').waitFor()
      expect(await page.locator('body[data-same-page]').count()).toBe(1)
      expect((await log.boundingBox())?.height).toBe(height)
      await untilSettled(page)
      expect(await inspect(page)).toEqual([])

      await succeed(market.seller, `/api/jobs/${jobId}/deliver`, { content: 'All 31 match.' })
      await page.getByText('All 31 match.').waitFor()
      await page.getByText('Progress reports', { exact: true }).click()
      await log.getByText('Matching transfers').waitFor()
      await untilSettled(page)
      expect(await inspect(page)).toEqual([])
      await buyer.leave()
    },
  )

  test('a delivered job of which nothing was reported shows no reports', async () => {
    const account = await market.newBuyer()
    const client = await signIn(site.url, account)
    const jobId = await orderPaidJob(market, client, 'Close December', '25000000')
    await succeed(market.seller, `/api/jobs/${jobId}/deliver`, { content: 'All 7 match.' })
    const buyer = await visit(site, { screen: screens[0], account })
    await buyer.go(`/jobs/${jobId}`)
    await signInWithWallet(buyer.page)
    await buyer.page.getByText('All 7 match.').waitFor()
    await untilSettled(buyer.page)
    expect(await buyer.page.getByText('Progress reports', { exact: true }).count()).toBe(0)
    await buyer.leave()
  })

  test.each(walkedOn('a desktop'))(
    'on $name: buyer and seller talk, live and with a file',
    async (screen) => {
      const account = await market.newBuyer()
      const client = await signIn(site.url, account)
      const jobId = await orderPaidJob(market, client, 'Close November', '25000000')
      const [buyer, seller] = [
        await visit(site, { screen, account }),
        await visit(site, { screen, account: market.seller.wallet }),
      ]
      for (const visitor of [buyer, seller]) {
        await visitor.go(`/jobs/${jobId}`)
        await signInWithWallet(visitor.page)
        await visitor.page.getByText('Nobody has written anything yet.').waitFor()
      }
      const messagesOf = (page: Page) => page.getByRole('list', { name: 'Messages' })

      await buyer.page.getByRole('button', { name: 'Send message' }).click()
      await buyer.page.getByText('Write a message or choose files first.').waitFor()
      const words =
        'Which **month** is it?\n\n<script>alert(1)</script>\n\n![pixel](https://example.com/pixel.png)'
      await buyer.page.getByLabel('Your message').fill(words)
      await buyer.page.getByLabel('Files to send along').setInputFiles({
        name: 'ledger.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('November, all of it.'),
      })
      await buyer.page.getByRole('button', { name: 'Remove ledger.txt' }).waitFor()
      await buyer.page.getByRole('button', { name: 'Send message' }).click()
      await messagesOf(buyer.page).locator('strong', { hasText: 'month' }).waitFor()
      // The live feed may show the message before the call that sent it is back.
      await expect.poll(() => buyer.page.getByLabel('Your message').inputValue()).toBe('')

      const seen = messagesOf(seller.page)
      await seen.locator('strong', { hasText: 'month' }).waitFor()
      await seen.getByText('<script>alert(1)</script>').waitFor()
      expect(await seen.locator('img').count()).toBe(0)
      await seen.getByRole('button', { name: 'View ledger.txt' }).click()
      await seller.page.getByRole('dialog').getByText('November, all of it.').waitFor()
      await seller.page.keyboard.press('Escape')
      await seller.page.getByLabel('Your message').fill('November. Thank you.')
      await seller.page.getByRole('button', { name: 'Send message' }).click()
      await messagesOf(buyer.page).getByText('November. Thank you.').waitFor()
      for (const visitor of [buyer, seller]) {
        await untilSettled(visitor.page)
        expect(await inspect(visitor.page)).toEqual([])
        await visitor.leave()
      }
    },
  )
})
