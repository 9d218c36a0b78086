import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../../packages/server/src/testing/patience.ts'
import { describeInBrowser } from '../../browser/browser.ts'
import { signIn } from '../../client.ts'
import { inspectDialog, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, succeed, untilListed } from '../market/market.ts'
import { orderPaidJob } from '../market/orders.ts'
import { type Site, screens, signInWithWallet, startSite, visit } from '../site.ts'

const [screen] = screens
/** More than the 72 hours after which a job without a deadline is due. */
const FOUR_DAYS_SECONDS = 4 * 24 * 3600

const paperWren = {
  name: 'Paper Wren',
  type: 'office',
  bio: 'Sorts what is in your shoe boxes.',
  skills: ['sorting'],
  services: [{ name: 'One box', priceUSDC: '20000000', deliveryTime: 24, x402Enabled: true }],
}

describeInBrowser('recourse below 100 USDC in the browser', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(() => site?.close())

  test('a protected hire: both choices stand side by side, and the small price goes into escrow', async () => {
    const account = await market.newBuyer()
    const visitor = await visit(site, { screen, account })
    const { page } = visitor
    const moved = await market.moneyMovedBy(account.address, async () => {
      await visitor.go(`${agentPath(market)}/hire`)
      await signInWithWallet(page)
      await page.getByRole('radio', { name: 'Pay directly', checked: true }).waitFor()
      await page.getByText('Only the seller can give the money back.').waitFor()
      await page.getByText('A missed deadline gives your money back.').waitFor()
      await page.getByRole('radio', { name: 'Buyer protection' }).check()
      await order(page, 'Check my receipts')
      await page.getByRole('button', { name: 'Hire for 25.00 USDC' }).click()
      await panelSays(page, 'Ledger Lark is at work')
      await moneyIs(page, 'Held in escrow')
      await page.getByText('Buyer protection', { exact: true }).waitFor()
    })
    expect(moved).toEqual({ buyer: -25_000_000n, agent: 0n, treasury: 0n, escrow: 25_000_000n })
    await visitor.leave()
  })

  test('a custom order on request: nothing is signed or paid before the seller accepts it', async () => {
    const shop = await openMarket(site.url, paperWren)
    const account = await shop.newBuyer()
    const buyer = await visit(site, { screen, account })
    const seller = await visit(site, { screen, account: shop.seller.wallet })
    await seller.go(`/sell${agentPath(shop)}/edit`)
    await signInWithWallet(seller.page)
    await seller.page.getByLabel('Custom orders').selectOption('ON_REQUEST')
    await seller.page.getByRole('button', { name: 'Save changes' }).click()
    await seller.page.getByText('Paper Wren is saved.').waitFor()

    const moved = await shop.moneyMovedBy(account.address, async () => {
      await buyer.go(`${agentPath(shop)}/hire`)
      await signInWithWallet(buyer.page)
      await buyer.page.getByRole('radio', { name: /accepts or declines before any money moves/ }).check()
      await buyer.page.getByLabel('Your price').fill('30')
      await order(buyer.page, 'Sort the shoe box')
      await buyer.page.getByRole('button', { name: 'Send the order' }).click()
      await panelSays(buyer.page, 'Waiting for the seller')
      expect(buyer.wallet?.signed).toEqual(['personal_sign'])

      await seller.go(new URL(buyer.page.url()).pathname)
      await seller.page.getByRole('button', { name: 'Accept the order' }).click()
      const acceptance = seller.page.getByRole('dialog', { name: 'Accept the order' })
      await acceptance.waitFor()
      expect(await inspectDialog(seller.page)).toEqual([])
      await acceptance.getByRole('button', { name: 'Accept the order' }).click()
      await panelSays(buyer.page, 'Pay to begin')
    })
    expect(moved).toEqual({ buyer: 0n, agent: 0n, treasury: 0n, escrow: 0n })
    await buyer.leave()
    await seller.leave()
  })

  test('overdue: the buyer reviews what never came, and the seller gives the money back with one button', async () => {
    const account = await market.newBuyer()
    const buyer = await visit(site, { screen, account })
    const seller = await visit(site, { screen, account: market.seller.wallet })
    const moved = await market.moneyMovedBy(account.address, async () => {
      const client = await signIn(site.url, account)
      const jobId = await orderPaidJob(market, client, 'Receipt check', '40000000')
      await succeed(market.seller, '/api/sandbox/clock', { advanceSeconds: FOUR_DAYS_SECONDS })

      await buyer.go(`/jobs/${jobId}`)
      await signInWithWallet(buyer.page)
      await panelSays(buyer.page, 'Overdue')
      await buyer.page.getByRole('button', { name: 'Review: paid, not delivered' }).click()
      const review = buyer.page.getByRole('dialog', { name: 'Review Ledger Lark' })
      await review.getByRole('radio', { name: '1 star, poor' }).check({ force: true })
      await review.getByLabel('What should others know').fill('Nothing came.')
      await review.getByRole('button', { name: 'Publish the review' }).click()
      await buyer.page.getByText('Paid, not delivered', { exact: true }).waitFor()

      await untilUndelivered(1)
      for (const path of ['/', agentPath(market)]) {
        await buyer.go(path)
        await buyer.page.getByText('1 paid job not delivered').waitFor()
      }

      await seller.go(`/jobs/${jobId}`)
      await signInWithWallet(seller.page)
      await panelSays(seller.page, 'Deliver or refund')
      await seller.page.getByRole('button', { name: 'Return 40.00 USDC' }).click()
      const refund = seller.page.getByRole('dialog', { name: 'Give the money back' })
      await refund.getByRole('button', { name: 'Return 40.00 USDC' }).click()
      await panelSays(seller.page, 'Cancelled')
      await moneyIs(seller.page, 'Refunded')
    })
    expect(moved).toEqual({ buyer: 0n, agent: 0n, treasury: 0n, escrow: 0n })

    await untilUndelivered(0)
    await buyer.go(agentPath(market))
    const reviews = buyer.page.getByRole('article').filter({ hasText: 'Nothing came.' })
    await reviews.getByText('Paid, not delivered', { exact: true }).waitFor()
    await reviews.getByText('Refunded', { exact: true }).waitFor()
    await untilSettled(buyer.page)
    expect(await buyer.page.getByText('1 paid job not delivered').count()).toBe(0)
    await buyer.leave()
    await seller.leave()
  })

  const agentPath = ({ agent }: Market): string => `/agents/${agent.walletAddress}`

  async function order(page: Page, title: string): Promise<void> {
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Description').fill('Everything of October, with a note on each difference.')
    await page.getByRole('button', { name: 'Review order' }).click()
  }

  /** Waits until the service holds so many jobs against the agent. */
  const untilUndelivered = (count: number) =>
    vi.waitUntil(
      async () => {
        const { body } = await market.seller.get(`/api/agents/${market.agent.walletAddress}`)
        return body.data.agent.undeliveredJobs === count
      },
      { timeout: PATIENCE_MS, interval: 250 },
    )

  const panelSays = (page: Page, words: string) =>
    page
      .getByRole('complementary', { name: 'What happens now' })
      .getByRole('heading', { name: words })
      .waitFor()

  /** Where the money of the job's page is; its transactions may say the same. */
  const moneyIs = (page: Page, words: string) =>
    page.getByRole('region', { name: 'Money' }).getByText(words, { exact: true }).first().waitFor()
})
