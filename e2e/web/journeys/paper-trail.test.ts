import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPdf } from '../../../packages/server/src/testing/read-pdf.ts'
import { describeInBrowser } from '../../browser/browser.ts'
import { type Client, signIn } from '../../client.ts'
import { inspect } from '../checks/inspection.ts'
import { type Market, openMarket, succeed, untilListed } from '../market/market.ts'
import { orderJob, orderPaidJob, untilStatus } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, visit } from '../site.ts'

const [screen] = screens

describeInBrowser('what is kept of the money, in the browser', () => {
  let site: Site
  let market: Market
  let buyer: Client
  let jobId: string

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    await untilListed(market)
    buyer = await signIn(site.url, await market.newBuyer())
    jobId = await orderPaidJob(market, buyer, 'Close October', '150000001')
    await succeed(market.seller, `/api/jobs/${jobId}/deliver`, { content: 'All 31 match.' })
    await succeed(buyer, `/api/jobs/${jobId}/approve`, {})
    await untilStatus(buyer, jobId, 'COMPLETED')
    await succeed(buyer, `/api/jobs/${jobId}/review`, { rating: 5, comment: 'Every figure matched.' })
  })
  afterAll(() => site?.close())

  test('an agent’s page leads to its seller, with totals and reviews', async () => {
    const visitor = await visit(site, { screen })
    const { page } = visitor
    await visitor.go(`/agents/${market.agent.walletAddress}`)
    await page.getByRole('link', { name: /^Seller 0x/ }).click()
    await page.waitForURL(`**/sellers/${market.seller.wallet.address}`)
    await page.getByRole('heading', { name: /^Seller 0x/, level: 1 }).waitFor()
    await page.getByText('Every figure matched.', { exact: true }).waitFor()
    await page.getByRole('heading', { name: market.agent.name, exact: true }).getByRole('link').waitFor()
    expect(await inspect(page)).toEqual([])
    await visitor.leave()
  })

  test('both parties save a receipt as PDF: the buyer’s says what was paid, the seller’s also fee and net', async () => {
    for (const { account, has, lacks } of [
      { account: buyer.wallet, has: ['150.000001 USDC', 'Client’s copy'], lacks: ['Platform fee'] },
      { account: market.seller.wallet, has: ['3.000000 USDC', '147.000001 USDC', 'Platform fee'], lacks: [] },
    ]) {
      const visitor = await visit(site, { screen, account })
      const { page } = visitor
      await visitor.go(`/jobs/${jobId}`)
      await signInWithWallet(page)
      await page.getByRole('link', { name: 'Receipt', exact: true }).click()
      await page.getByRole('heading', { name: 'Receipt', level: 1, exact: true }).waitFor()
      await page.getByText('150.000001 USDC', { exact: true }).first().waitFor()
      expect(await inspect(page)).toEqual([])
      const file = await saved(page, 'Download PDF')
      expect(file.name).toMatch(/^receipt-R-[0-9A-Z]{24}\.pdf$/)
      const text = readPdf(file.bytes)
      for (const words of ['Close October', 'Ledger Lark', ...has]) expect(text).toContain(words)
      for (const words of lacks) expect(text).not.toContain(words)
      await visitor.leave()
    }
  })

  test('nobody else sees a receipt, and an unpaid job has none', async () => {
    const unpaid = await orderJob(market, buyer, 'Close November', '150000000')
    const stranger = await visit(site, { screen, account: await market.newBuyer() })
    await stranger.go(`/jobs/${jobId}/receipt`)
    await signInWithWallet(stranger.page)
    await stranger.page.getByRole('heading', { name: 'There is no such receipt here', exact: true }).waitFor()
    await stranger.leave({ complaints: expect.anything() })
    const own = await visit(site, { screen, account: buyer.wallet })
    await own.go(`/jobs/${unpaid}/receipt`)
    await signInWithWallet(own.page)
    await own.page.getByRole('heading', { name: 'There is no such receipt here', exact: true }).waitFor()
    await own.leave({ complaints: expect.anything() })
  })

  test('a buyer sees what was spent, and takes it along as CSV', async () => {
    const visitor = await visit(site, { screen, account: buyer.wallet })
    const { page } = visitor
    await visitor.go('/spending')
    await signInWithWallet(page)
    await page.getByRole('table', { name: 'Spending by agent' }).getByText('Ledger Lark').waitFor()
    await page.getByRole('table', { name: 'Payments', exact: true }).getByText('Close October').waitFor()
    expect(await inspect(page)).toEqual([])
    const { name, bytes } = await saved(page, 'Export CSV')
    expect(name).toMatch(/^spending-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
    const [header, row] = bytes.toString('utf8').split('\r\n')
    expect(header).toContain('Paid (USDC)')
    expect(row).toContain('150.000001')
    // What is filtered by stays in sight, also where it leaves nothing, and there is a way out.
    const agent = page.getByLabel('Agent', { exact: true })
    await agent.selectOption('Ledger Lark')
    await page.getByLabel('Kind').selectOption('Plans')
    await page.getByText('Nothing in these days').waitFor()
    expect(await agent.locator('option:checked').textContent()).toBe('Ledger Lark')
    await page.getByLabel('To', { exact: true }).fill('2026-01-02')
    await page.getByLabel('From', { exact: true }).fill('2026-01-01')
    await agent.locator('option:checked', { hasText: 'The chosen agent' }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Show the last 30 days of everything' }).click()
    await page.getByRole('table', { name: 'Payments', exact: true }).getByText('Close October').waitFor()
    await page.getByRole('link', { name: 'Receipt', exact: true }).click()
    await page.waitForURL(`**/jobs/${jobId}/receipt`)
    await visitor.leave()
  })
})

/** What a button gives to the browser to save. */
async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}
