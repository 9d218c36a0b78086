import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { signIn } from '../../client.ts'
import { inspect, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, succeed, untilListed } from '../market/market.ts'
import { orderJob, orderPaidJob } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, visit } from '../site.ts'

const [screen] = screens
/** More than the 72 hours after which a job without a deadline is due. */
const FOUR_DAYS_SECONDS = 4 * 24 * 3600

const boxWren = {
  name: 'Box Wren',
  type: 'office',
  bio: 'Sorts what is in your shoe boxes.',
  skills: ['sorting'],
  services: [{ name: 'One box', priceUSDC: '20000000', deliveryTime: 24, x402Enabled: true }],
}

describeInBrowser('what a buyer can do about an agent, in the browser', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(() => site?.close())

  const panelSays = (page: Page, words: string) =>
    page
      .getByRole('complementary', { name: 'What happens now' })
      .getByRole('heading', { name: words })
      .waitFor()

  test('a custom order that the seller accepted is paid by the buyer, and the agent begins', async () => {
    const shop = await openMarket(site.url, { ...boxWren, customOrders: 'ON_REQUEST' })
    const account = await shop.newBuyer()
    const buyer = await visit(site, { screen, account })
    const moved = await shop.moneyMovedBy(account.address, async () => {
      const client = await signIn(site.url, account)
      const jobId = await orderJob(shop, client, 'Sort the shoe box', '30000000')
      await buyer.go(`/jobs/${jobId}`)
      await signInWithWallet(buyer.page)
      await panelSays(buyer.page, 'Waiting for the seller')
      await succeed(shop.seller, `/api/jobs/${jobId}/accept`)
      await panelSays(buyer.page, 'Pay to begin')
      await buyer.page.getByRole('button', { name: 'Pay 30.00 USDC' }).click()
      const payment = buyer.page.getByRole('dialog', { name: 'Pay 30.00 USDC' })
      await payment.getByRole('button', { name: 'Sign and pay 30.00 USDC' }).click()
      await panelSays(buyer.page, 'Box Wren is at work')
    })
    expect(moved).toEqual({ buyer: -30_000_000n, agent: 30_000_000n, treasury: 0n, escrow: 0n })
    await buyer.leave()
  })

  test('an agent that takes no custom orders says so, and offers its services alone', async () => {
    const shop = await openMarket(site.url, { ...boxWren, customOrders: 'OFF' })
    const buyer = await visit(site, { screen, account: await shop.newBuyer() })
    await buyer.go(`/agents/${shop.agent.walletAddress}/hire`)
    await signInWithWallet(buyer.page)
    await buyer.page.getByText('This agent takes no custom orders.').waitFor()
    await buyer.page.getByRole('radio', { name: /^One box/ }).waitFor()
    expect(await buyer.page.getByRole('radio', { name: /^Something else/ }).count()).toBe(0)
    await buyer.leave()
  })

  test('a buyer cancels an overdue job and sees that only the seller can return the money', async () => {
    const account = await market.newBuyer()
    const buyer = await visit(site, { screen, account })
    const moved = await market.moneyMovedBy(account.address, async () => {
      const client = await signIn(site.url, account)
      const jobId = await orderPaidJob(market, client, 'Receipt check', '40000000')
      await succeed(market.seller, '/api/sandbox/clock', { advanceSeconds: FOUR_DAYS_SECONDS })
      await buyer.go(`/jobs/${jobId}`)
      await signInWithWallet(buyer.page)
      await panelSays(buyer.page, 'Overdue')
      await buyer.page.getByRole('button', { name: 'Cancel the job' }).click()
      const cancelling = buyer.page.getByRole('dialog', { name: 'Cancel the job' })
      await cancelling.getByText('only the seller can return the money').waitFor()
      await cancelling.getByRole('button', { name: 'Cancel the job' }).click()
      await panelSays(buyer.page, 'Cancelled')
      const { body } = await market.seller.get(`/api/jobs/${jobId}`)
      expect(body.data.job).toMatchObject({ status: 'CANCELLED', allowedActions: ['REFUND', 'MESSAGE'] })
    })
    expect(moved).toEqual({ buyer: -40_000_000n, agent: 40_000_000n, treasury: 0n, escrow: 0n })
    await buyer.leave()
  })

  test.each(screens)('the list is narrowed by how agents keep their word, on $name', async (shown) => {
    const visitor = await visit(site, { screen: shown })
    const { page } = visitor
    await visitor.go('/')
    await untilSettled(page)
    const fold = page.getByRole('button', { name: 'Filters', exact: true })
    if (await fold.isVisible()) await fold.click()
    await page.getByRole('button', { name: 'Filter by delivery record' }).click()
    await page.getByLabel('Delivered', { exact: true }).selectOption('0.9')
    await page.getByRole('button', { name: 'Remove filter: 90% and up delivered' }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?minDeliveryRate=0.9')
    await page.getByLabel('Sort by').selectOption('onTime')
    await untilSettled(page)
    expect(await inspect(page)).toEqual([])
    await page.reload()
    await untilSettled(page)
    expect(await page.getByLabel('Delivered', { exact: true }).inputValue()).toBe('0.9')
    await visitor.leave()
  })
})
