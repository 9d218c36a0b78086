import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../browser/browser.ts'
import { type Client, signIn } from '../client.ts'
import { type Market, openMarket, succeed } from './market/market.ts'
import { orderPaidJob } from './market/orders.ts'
import { type Site, signInWithWallet, startSite, type Visitor, visit, walkedOn } from './site.ts'

describeInBrowser('an administrator in the browser', () => {
  const admin = privateKeyToAccount(generatePrivateKey())
  let site: Site

  beforeAll(async () => {
    site = await startSite({ ADMIN_WALLETS: admin.address, AGENT_APPROVAL: 'manual' })
  })
  afterAll(() => site?.close())

  test.each(walkedOn('a desktop'))(
    'approves, flags, suspends and has a dispute ruled on, on $name',
    async (screen) => {
      const market = await openMarket(site.url)
      const buyer = await signIn(site.url, await market.newBuyer(10_000))
      const visitor = await visit(site, { screen, account: admin })
      const { page } = visitor
      await visitor.go('/admin')
      await signInWithWallet(page)

      await approve(page, market)
      await resolveFlag(page, market, buyer)
      await suspendAndReinstate(page, market)
      await rule(visitor, market, buyer)

      await page.getByRole('link', { name: 'Audit', exact: true }).click()
      const log = page.getByRole('table', { name: 'Audit log' })
      for (const action of [
        'Ruling carried out',
        'to the seller',
        'Account reinstated',
        'Account suspended',
        'Agent approved',
      ]) {
        await log.getByText(action).first().waitFor()
      }
      await page.getByRole('link', { name: 'Health', exact: true }).click()
      await page.getByText('Running', { exact: true }).waitFor()
      await page.getByText('No failed work').waitFor()
      await visitor.leave()
    },
  )

  async function approve(page: Page, { seller, agent }: Market): Promise<void> {
    const isListed = async () =>
      (await seller.get(`/api/agents/${agent.walletAddress}`)).body.data.agent.listing.visible
    expect(await isListed()).toBe(false)
    await page.getByRole('link', { name: /^Agents to approve/ }).click()
    await page.getByRole('button', { name: `Approve ${agent.name}` }).click()
    await page.getByText(`${agent.name} is listed.`).waitFor()
    await expect.poll(isListed).toBe(true)
  }

  async function resolveFlag(page: Page, market: Market, buyer: Client): Promise<void> {
    const title = `Audit the year ${market.agent.id}`
    await orderPaidJob(market, buyer, title, '5000000000')
    await page.getByRole('link', { name: 'AML', exact: true }).click()
    await decide(page, 'Resolve', `the flag of “${title}”`, 'Known to us.')
    await row(page, 'AML flags', title).getByText('Known to us.').waitFor()
  }

  async function suspendAndReinstate(page: Page, { seller }: Market): Promise<void> {
    const wallet = seller.wallet.address
    await page.getByRole('link', { name: 'Owners', exact: true }).click()
    await page.getByLabel('Wallet, name or email').fill(wallet)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const shortWallet = `${wallet.slice(0, 6)}…${wallet.slice(-4)}`
    await decide(page, 'Suspend', shortWallet, 'Under review.')
    await page.getByRole('table', { name: 'Owners' }).getByText('Suspended', { exact: true }).waitFor()
    const status = async () => (await seller.get('/api/owners/me')).body.owner.accountStatus
    expect(await status()).toBe('SUSPENDED')
    await decide(page, 'Reinstate', shortWallet, 'All is well.')
    await page.getByRole('button', { name: `Suspend ${shortWallet}` }).waitFor()
    expect(await status()).toBe('ACTIVE')
  }

  async function rule({ page, go }: Visitor, market: Market, buyer: Client): Promise<void> {
    const { address } = buyer.wallet
    const moved = await market.moneyMovedBy(address, async () => {
      const title = `Close October ${market.agent.id}`
      const jobId = await orderPaidJob(market, buyer, title, '200000000')
      const isDisputed = async () => (await buyer.get(`/api/jobs/${jobId}`)).body.data.escrowState
      await succeed(buyer, `/api/jobs/${jobId}/dispute`, { reason: 'Nothing was delivered.' })
      await expect.poll(isDisputed).toBe('DISPUTED')
      await go('/admin/disputes?status=OPEN')
      await page.getByRole('link', { name: title }).click()
      await page.getByText('Nothing was delivered.').waitFor()
      await page.getByRole('slider', { name: 'The seller’s share' }).fill('7000')
      await page.getByRole('button', { name: 'Propose 70% to the seller' }).click()
      await page.getByText('0 of 2 signed').waitFor()
      await page
        .getByRole('button', { name: /^Sign as test owner/ })
        .first()
        .click()
      await page.getByText('1 of 2 signed').waitFor()
      await page.getByRole('button', { name: /^Sign as test owner/ }).click()
      await page.getByText('Executed', { exact: true }).waitFor()
      await page.getByText('70% to the seller', { exact: true }).first().waitFor()
    })
    expect(moved).toEqual({ buyer: -140_000_000n, agent: 137_200_000n, treasury: 2_800_000n, escrow: 0n })
  }

  const row = (page: Page, table: string, words: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: words })

  /** A decision with its reason, in its dialog. */
  async function decide(page: Page, verb: string, subject: string, reason: string): Promise<void> {
    await page.getByRole('button', { name: `${verb} ${subject}` }).click()
    const dialog = page.getByRole('dialog', { name: `${verb} ${subject}` })
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: verb, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
})
