import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { signIn } from '../../client.ts'
import { inspect } from '../checks/inspection.ts'
import { type Market, openMarket, succeed, untilListed } from '../market/market.ts'
import { orderPaidJob } from '../market/orders.ts'
import { type Site, signInWithWallet, startSite, useSandboxTool, visit, walkedOn } from '../site.ts'

/** More than one JSON request has room for. */
const receipts = `what,usdc\nLunch with Ada,25\n${'Stamps,1\n'.repeat(10_000)}`

describeInBrowser('a buyer in the browser', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    await untilListed(market)
  })
  afterAll(() => site?.close())

  test.each(walkedOn('a phone'))(
    'on $name: finds an agent, signs in, pays below 100 USDC at once, and reviews the work',
    async (screen) => {
      const account = await market.newBuyer()
      const visitor = await visit(site, { screen, account })
      const { page } = visitor
      const moved = await market.moneyMovedBy(account.address, async () => {
        await visitor.go('/')
        await page.getByRole('searchbox', { name: 'Search agents' }).fill('reconciles payments')
        await page.getByRole('heading', { name: 'Ledger Lark' }).getByRole('link').click()
        await page.getByRole('heading', { level: 1, name: 'Ledger Lark' }).waitFor()
        await page.getByRole('link', { name: 'Hire for Receipt check' }).click()
        await signInWithWallet(page)
        await page.getByLabel('Files to attach').setInputFiles({
          name: 'Receipts.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from(receipts),
        })
        await page.getByRole('button', { name: 'Remove Receipts.txt' }).waitFor()
        await order(page, 'Check my receipts')
        await page.getByRole('button', { name: 'Hire for 25.00 USDC' }).click()
        await panelSays(page, 'Ledger Lark is at work')
        const handedIn = page.getByRole('region', { name: 'Files handed in' })
        await handedIn.getByRole('button', { name: 'View Receipts.txt' }).click()
        await page.getByRole('dialog', { name: 'Receipts.txt' }).getByText('Lunch with Ada').waitFor()
        await page.keyboard.press('Escape')
        await succeed(market.seller, `/api/jobs/${jobIdOf(page)}/deliver`, { content: 'All 31 match.' })
        await panelSays(page, 'Completed')
        await page.getByText('All 31 match.').waitFor()
      })
      expect(moved).toEqual({ buyer: -25_000_000n, agent: 25_000_000n, treasury: 0n, escrow: 0n })

      await page.getByRole('link', { name: 'Jobs', exact: true }).click()
      const steps = page.getByRole('list', { name: 'Steps to hire' })
      const current = steps.locator('[aria-current=step]')
      await current.getByText('Review the work').waitFor()
      const done = steps.getByRole('listitem').filter({ hasText: ', done' })
      await expect.poll(() => done.count()).toBe(3)
      expect(await inspect(page)).toEqual([])
      await current.getByRole('link', { name: 'Review it' }).click()

      await page.getByRole('button', { name: 'Review the work' }).click()
      const review = page.getByRole('dialog', { name: 'Review Ledger Lark' })
      await review.getByRole('radio', { name: '5 stars, excellent' }).check({ force: true })
      await review.getByLabel('What should others know').fill('Quick and right.')
      await review.getByRole('button', { name: 'Publish the review' }).click()
      await page.getByRole('heading', { name: 'The review' }).waitFor()
      await page.getByText('Quick and right.').waitFor()
      await page.getByRole('link', { name: 'Jobs', exact: true }).click()
      await page.getByRole('table', { name: 'Jobs' }).waitFor()
      await steps.waitFor({ state: 'detached' })
      await visitor.leave()
    },
  )

  test.each(walkedOn('a desktop'))(
    'on $name: by escrow: refuses to sign, then pays, reloads, asks for changes and approves',
    async (screen) => {
      const account = await market.newBuyer()
      const visitor = await visit(site, { screen, account })
      const { page, wallet } = visitor
      const moved = await market.moneyMovedBy(account.address, async () => {
        await visitor.go('/jobs')
        await signInWithWallet(page)
        const steps = page.getByRole('list', { name: 'Steps to hire' })
        await steps.locator('[aria-current=step]').getByRole('link', { name: 'Find an agent' }).waitFor()
        await page.getByRole('button', { name: 'Hide these steps' }).click()
        await page.reload()
        await page.getByText('You have not hired anybody yet').waitFor()
        expect(await steps.count()).toBe(0)
        await visitor.go(`/agents/${market.agent.walletAddress}`)
        await page.getByRole('link', { name: 'Hire for Monthly close' }).click()
        await order(page, 'Close October')
        wallet?.rejectNext()
        await page.getByRole('button', { name: 'Hire for 150.00 USDC' }).click()
        await page.getByText('You did not sign. Nothing was made or paid, and your order is kept.').waitFor()
        await page.reload()
        await page.getByRole('heading', { name: 'Close October' }).waitFor()
        await page.getByRole('button', { name: 'Hire for 150.00 USDC' }).click()
        await panelSays(page, 'Ledger Lark is at work')
        await page.reload()
        await storyEnds(page, 'Pay 150.00 USDC into escrow')
        // One account of the job: what happened, what is now, and what comes next, with its limit and the money.
        const timeline = page.getByRole('list', { name: 'Timeline' })
        await timeline.getByText('You paid', { exact: true }).waitFor()
        expect(await page.getByRole('list', { name: 'Progress' }).count()).toBe(0)
        const now = timeline.locator('[aria-current=step]')
        await expect
          .poll(() => now.textContent())
          .toMatch(/^Now: Delivery by Ledger LarkBy \d+ \w+ \d{4}, \d\d:\d\d150\.00 USDC is in escrow\./)
        await timeline.getByText('Next: Review by the buyer', { exact: true }).waitFor()
        await timeline.getByText('147.00 USDC goes to Ledger Lark, 3.00 USDC is the fee.').waitFor()

        const deliver = `/api/jobs/${jobIdOf(page)}/deliver`
        await succeed(market.seller, deliver, { content: 'October without the fees.' })
        await panelSays(page, 'Review the delivery')
        await page.getByText('October without the fees.').waitFor()
        await page.getByRole('button', { name: 'Request changes (0 of 2 used)' }).click()
        const changes = page.getByRole('dialog', { name: 'Request changes' })
        await changes.getByLabel('What should change').fill('The fees belong in it.')
        await changes.getByRole('button', { name: 'Request changes' }).click()
        await panelSays(page, 'Ledger Lark is at work')
        await page.getByRole('list', { name: 'Timeline' }).getByText('The fees belong in it.').waitFor()

        await succeed(market.seller, deliver, { content: 'October with the fees.' })
        await panelSays(page, 'Review the delivery')
        await page.getByRole('button', { name: 'Approve and release 147.00 USDC' }).click()
        const approval = page.getByRole('dialog', { name: 'Approve the work' })
        await approval.getByRole('button', { name: 'Approve and release 147.00 USDC' }).click()
        await panelSays(page, 'Completed')
        await moneyIs(page, 'Released')
        await timeline.getByText('Ledger Lark has 147.00 USDC, and 3.00 USDC was the fee.').waitFor()
        await now.waitFor({ state: 'detached' })
        expect(await timeline.getByText('Next: ').count()).toBe(0)
      })
      expect(moved).toEqual({ buyer: -150_000_000n, agent: 147_000_000n, treasury: 3_000_000n, escrow: 0n })
      expect(wallet?.signed).toEqual(['personal_sign', 'eth_signTypedData_v4'])
      await visitor.leave()
    },
  )

  test.each(walkedOn('a desktop'))(
    'on $name: by escrow: says nothing about a delivery, and after seven days the escrow pays by itself',
    async (screen) => {
      const account = await market.newBuyer()
      const visitor = await visit(site, { screen, account })
      const { page } = visitor
      const moved = await market.moneyMovedBy(account.address, async () => {
        await visitor.go(`/agents/${market.agent.walletAddress}/hire`)
        await signInWithWallet(page)
        await page.getByRole('radio', { name: /^Something else/ }).check()
        await page.getByLabel('Your price').fill('123.456789')
        await order(page, 'Close November')
        await page.getByRole('button', { name: /^Hire for 123.4/ }).click()
        await panelSays(page, 'Ledger Lark is at work')
        await succeed(market.seller, `/api/jobs/${jobIdOf(page)}/deliver`, { content: 'November.' })
        await panelSays(page, 'Review the delivery')
        await moneyIs(page, 'Delivered, held')
        await useSandboxTool(page, 'Time', '+7 d')
        await panelSays(page, 'Completed')
        await moneyIs(page, 'Released')
      })
      expect(moved).toEqual({ buyer: -123_456_789n, agent: 120_987_654n, treasury: 2_469_135n, escrow: 0n })
      await visitor.leave()
    },
  )

  test.each(walkedOn('a phone'))(
    'on $name: by escrow: opens a dispute, and settles it with the seller',
    async (screen) => {
      const account = await market.newBuyer()
      const buyer = await visit(site, { screen, account })
      const seller = await visit(site, { screen, account: market.seller.wallet })
      const moved = await market.moneyMovedBy(account.address, async () => {
        const client = await signIn(site.url, account)
        const jobId = await orderPaidJob(market, client, 'Close December', '200000000')
        await buyer.go(`/jobs/${jobId}`)
        await signInWithWallet(buyer.page)
        await buyer.page.getByRole('button', { name: 'More actions' }).click()
        await buyer.page.getByRole('menuitem', { name: 'Open a dispute' }).click()
        const dispute = buyer.page.getByRole('dialog', { name: 'Open a dispute' })
        await dispute.getByLabel('What is wrong').fill('Half is missing.')
        await dispute.getByRole('button', { name: 'Open the dispute' }).click()
        await panelSays(buyer.page, 'In dispute')
        await moneyIs(buyer.page, 'Frozen by dispute')

        await seller.go(`/jobs/${jobId}`)
        await signInWithWallet(seller.page)
        await seller.page.getByText('Half is missing.').first().waitFor()
        await seller.page.getByRole('button', { name: 'Offer a settlement' }).click()
        const offer = seller.page.getByRole('dialog', { name: 'Offer a settlement' })
        await offer.getByRole('slider', { name: 'The seller’s share' }).fill('3500')
        await offer.getByRole('button', { name: 'Offer 35% to the seller' }).click()
        await panelSays(seller.page, 'Your offer is open')

        await buyer.page.getByRole('button', { name: 'Accept and get 130.00 USDC back' }).click()
        const acceptance = buyer.page.getByRole('dialog', { name: 'Accept the settlement' })
        await acceptance.getByRole('button', { name: 'Accept the settlement' }).click()
        await panelSays(buyer.page, 'Settled')
        await moneyIs(buyer.page, 'Settled')
        await moneyIs(seller.page, 'Settled')
      })
      expect(moved).toEqual({ buyer: -70_000_000n, agent: 68_600_000n, treasury: 1_400_000n, escrow: 0n })
      await buyer.leave()
      await seller.leave()
    },
  )

  const jobIdOf = (page: Page): string => new URL(page.url()).pathname.replace('/jobs/', '')

  async function order(page: Page, title: string): Promise<void> {
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Description').fill('Everything of October, with a note on each difference.')
    await page.getByRole('button', { name: 'Review order' }).click()
  }

  const panelSays = (page: Page, words: string) =>
    page
      .getByRole('complementary', { name: 'What happens now' })
      .getByRole('heading', { name: words })
      .waitFor()

  /** Where the money of the job's page is. */
  const moneyIs = (page: Page, words: string) =>
    page.getByRole('region', { name: 'Money' }).getByText(words, { exact: true }).waitFor()

  /** Every step of the transaction is done. */
  async function storyEnds(page: Page, label: string): Promise<void> {
    await page.getByRole('list', { name: label }).getByText('Done: Final').waitFor()
  }
})
