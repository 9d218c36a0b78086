import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { createBalances, signIn } from '../../client.ts'
import { inspect } from '../checks/inspection.ts'
import { type Market, openMarket } from '../market/market.ts'
import { orderJob, orderPaidJob } from '../market/orders.ts'
import { readPulls } from '../market/pulls.ts'
import { type Site, startSite, useSandboxTool, visit, walkedOn } from '../site.ts'

describeInBrowser('a seller in the browser', () => {
  let site: Site
  let market: Market
  let balancesOf: ReturnType<typeof createBalances>
  let treasury: string
  let usdc: string
  let spender: string

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    const { body } = await market.seller.get('/api/config')
    balancesOf = createBalances(site.url, body.data.usdc.address)
    treasury = body.data.contracts.treasury
    usdc = body.data.usdc.address
    spender = body.data.spender
  })
  afterAll(() => site?.close())

  test.each(walkedOn('a phone'))(
    'goes from a new test wallet to money withdrawn, larger plans and an API key, on $name',
    async (screen) => {
      const visitor = await visit(site, { screen })
      const { page } = visitor
      await visitor.go('/sell')
      await useSandboxTool(page, 'Act as', 'New')
      await page.getByRole('button', { name: /^Account/ }).waitFor()
      await useSandboxTool(page, 'Faucet', '+1,000 USDC')
      await page.getByText('1,000.00 USDC of test money arrived.').waitFor()

      const treasuryBefore = (await balancesOf({ treasury })).treasury
      await verify(page)
      expect((await balancesOf({ treasury })).treasury - treasuryBefore).toBe(5_000_000n)

      const name = `Paper Plover ${screen.viewport.width}`
      const agentWallet = await createAgent(page, name)
      await followSteps(page, name)
      const { body } = await market.seller.get(`/api/agents/${agentWallet}`)
      const { agent } = body.data
      const buyer = await signIn(site.url, await market.newBuyer())
      await orderPaidJob({ agent: { ...agent, name } }, buyer, 'Fold the report', '40000000')

      await deliver(page, 'Fold the report')
      await page.getByRole('link', { name: 'Sell', exact: true }).click()
      await page.getByRole('table', { name: 'Your agents' }).waitFor()
      await page.getByRole('list', { name: 'Steps to sell' }).waitFor({ state: 'detached' })
      await withdraw(page, name)
      const wallet = await walletOf(page)
      await expect
        .poll(() => balancesOf({ agent: agentWallet, wallet }))
        .toEqual({ agent: 0n, wallet: 1_035_000_000n })

      await setOnChainWallet(page, name)
      await buyPlans(page)
      await findRequest(page, await makeKey(page))
      await findEvent(page, () => orderJob({ agent: { ...agent, name } }, buyer, 'Fold it again', '40000000'))
      await visitor.leave()
    },
  )

  /** One transaction of the seller's own wallet, with a fresh signature of the agent's. */
  async function setOnChainWallet(page: Page, name: string): Promise<void> {
    await page.goto(`${site.url}/sell`)
    await page.getByRole('link', { name: `Edit ${name}` }).click()
    await page.getByRole('button', { name: 'Set the wallet on chain' }).click()
    await page.getByText('The identity registry names this agent’s wallet.').waitFor()
    expect(await inspect(page)).toEqual([])
  }

  async function verify(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Start verification' }).click()
    await page.getByLabel('Full name').fill('Paula Plover')
    await page.getByLabel('Email').fill('paula@example.com')
    await page.getByLabel('Country').fill('Estonia')
    await page.getByRole('button', { name: 'Register and verify' }).click()
    await page.getByRole('button', { name: 'Approve me (sandbox)' }).click()
    await page.getByRole('button', { name: /^Sign and pay/ }).click()
    await page.getByRole('heading', { name: 'You can sell' }).waitFor()
  }

  /** The wallet of the agent that was made, once everybody can find it. */
  async function createAgent(page: Page, name: string): Promise<string> {
    await page.getByRole('link', { name: 'Create your first agent' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Type').selectOption('Writing')
    await page.getByLabel('What it does').fill('Folds long reports into one page.')
    await page.getByLabel('Service 1', { exact: true }).fill('One page')
    await page.getByLabel('Price', { exact: true }).fill('40')
    await page.getByLabel('Delivered within, hours').fill('12')
    const creation = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/api/agents'),
    )
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.getByRole('heading', { level: 1, name: `${name} is created` }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'What comes next' }).waitFor()
    const providerId = /"providerWalletId":"([^"]+)"/.exec(await (await creation).text())?.[1]
    expect(providerId).toBeTruthy()
    expect(await page.getByRole('main').textContent()).not.toContain(providerId)
    await page.getByRole('status').getByText('Listed', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'See its page' }).click()
    // Exactly so: the page before it is called “… is created”.
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    const wallet = new URL(page.url()).pathname.replace('/agents/', '')
    await page.getByRole('link', { name: 'Browse' }).click()
    await page.getByRole('searchbox', { name: 'Search agents' }).fill(name)
    await page.getByRole('heading', { name }).waitFor()
    return wallet
  }

  async function deliver(page: Page, title: string): Promise<void> {
    await page.getByRole('link', { name: 'Sell', exact: true }).click()
    await page.getByRole('link', { name: `Deliver: ${title}` }).click()
    await page.getByRole('button', { name: 'Deliver the work' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deliver the work' })
    await dialog.getByLabel('Your work').fill('The report, on one page.')
    await dialog.getByLabel('A note to the buyer').fill('Thank you.')
    await dialog.getByRole('button', { name: 'Deliver the work' }).click()
    await page
      .getByRole('complementary', { name: 'What happens now' })
      .getByRole('heading', { name: 'Completed' })
      .waitFor()
  }

  async function withdraw(page: Page, name: string): Promise<void> {
    await page.getByRole('link', { name: 'Sell', exact: true }).click()
    await page.getByRole('link', { name: 'Earnings', exact: true }).click()
    await page.getByRole('table', { name: 'Payments' }).getByText('40.00').first().waitFor()
    await page.getByRole('tab', { name: 'Withdrawals' }).click()
    await page.getByRole('button', { name: `Withdraw from ${name}` }).click()
    const dialog = page.getByRole('dialog', { name: `Withdraw from ${name}` })
    await dialog.getByText('Up to 40.00').waitFor()
    await dialog.getByRole('button', { name: 'Max' }).click()
    await dialog.getByRole('button', { name: 'Withdraw 40.00 USDC' }).click()
    await page.getByRole('table', { name: 'Withdrawals' }).getByText('Arrived', { exact: true }).waitFor()
  }

  const walletOf = (page: Page): Promise<string> =>
    page.evaluate(() => JSON.parse(localStorage.getItem('marketplace.wallet') ?? '{}').address)

  /** What the page says was paid is what the chain says was pulled, to the micro-unit. */
  async function buyPlans(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Plans', exact: true }).click()
    const payer = await payerOf(page)
    const before = await balancesOf({ payer, spender })
    await page.getByRole('button', { name: 'Add 100.00 test USDC' }).click()
    await page.getByText('100.00 USDC of test money arrived.').waitFor()
    await page.getByLabel('Exactly').fill('12')
    await page.getByRole('button', { name: 'Buy 12 agents for 11.70 USDC' }).click()
    await page.getByText('12 agents', { exact: true }).waitFor()
    await page.getByLabel('Exactly').fill('20')
    const raiseButton = page.getByRole('button', { name: /^Raise to 20 agents for 6.\d\d USDC$/ })
    const [shown = ''] = /[\d.]+(?= USDC)/.exec((await raiseButton.textContent()) ?? '') ?? []
    const shownMicro = BigInt(shown.replace('.', '')) * 10_000n
    await raiseButton.click()
    await page.getByText('20 agents', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Subscribe for 25.00 USDC' }).click()
    await page.getByRole('button', { name: /^Cancel the plan: API access/ }).waitFor()
    const lastTxHash = await subscribeAndReload(page)

    const pulls = await readPulls(site.url, market.seller, payer)
    const [first, raise, ...others] = pulls.map(({ amountMicro }) => amountMicro)
    expect([first, ...others]).toEqual([11_700_000n, 25_000_000n, 10_000_000n])
    // Shown is the next whole cent, and within the hour it costs a cent less at most.
    expect(raise).toBeLessThanOrEqual(shownMicro)
    expect(raise).toBeGreaterThan(shownMicro - 20_000n)
    for (const pull of pulls) expect(pull).toMatchObject({ spender, token: usdc })
    expect(pulls.at(-1)?.txHash).toBe(lastTxHash)
    const pulled = pulls.reduce((sum, { amountMicro }) => sum + amountMicro, 0n)
    const after = await balancesOf({ payer, spender })
    expect(after.payer - before.payer).toBe(100_000_000n - pulled)
    expect(after.spender - before.spender).toBe(pulled)
  }

  const payerOf = async (page: Page): Promise<string> => {
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Paid from' }) })
    return (await card.getByTitle(/^0x[0-9a-fA-F]{40}$/).getAttribute('title')) ?? ''
  }

  /** The page is left before the response. Its outcome is found on the chain afterwards: the transaction it ends with. */
  async function subscribeAndReload(page: Page): Promise<string> {
    const label = 'Subscribe for 10.00 USDC'
    const order = '**/api/owners/subscription/onchain'
    await page.route(order, async (route) => {
      // It arrives, and nobody hears the response.
      await route.fetch()
    })
    await page.getByRole('button', { name: label }).click()
    const story = page.getByRole('list', { name: label })
    await story.getByText('Done: Signed by you').waitFor()
    await page.reload()
    await page.unroute(order)
    await story.getByText('Done: Final').waitFor()
    await page.getByRole('button', { name: /^Cancel the plan: Premium listing/ }).waitFor()
    const transaction = story.locator('..').getByRole('link')
    return ((await transaction.getAttribute('href')) ?? '').replace('/tx/', '')
  }

  /** What is left of the way to the first sale, each step with its link. */
  async function followSteps(page: Page, name: string): Promise<void> {
    await page.getByRole('link', { name: 'Sell', exact: true }).click()
    const steps = page.getByRole('list', { name: 'Steps to sell' })
    const done = steps.getByRole('listitem').filter({ hasText: ', done' })
    await expect.poll(() => done.count()).toBe(3)
    const current = steps.locator('[aria-current=step]')
    await current.getByText('Connect your program').waitFor()
    expect(await inspect(page)).toEqual([])
    await current.getByRole('link', { name: 'Connect it' }).click()
    await page.getByRole('heading', { name: 'Connect your agent' }).waitFor()
    await page.goBack()
    await steps.getByRole('link', { name: 'See its page' }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }

  /** A request that a program made is found by the id of its response. */
  async function findRequest(page: Page, requestId: string): Promise<void> {
    const places = page.getByRole('navigation', { name: 'Developers' })
    await places.getByRole('link', { name: 'Requests', exact: true }).click()
    const table = page.getByRole('table', { name: 'Requests' })
    await table.getByText('/api/owners/me').waitFor()
    await page.getByLabel('Status').selectOption('4xx rejected')
    await page.getByText('No matching requests').waitFor()
    await page.getByLabel('Status').selectOption('All')
    await page.getByLabel('Request id').fill(requestId)
    await page.waitForURL(`**/developers/requests?requestId=${requestId}`)
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    const row = table.getByRole('row').filter({ hasText: requestId })
    expect(await row.textContent()).toMatch(/GET \/api\/owners\/me.*200.*Nightly import/)
  }

  /** Events are listed without a webhook, and with one their messages can be sent again. */
  async function findEvent(page: Page, order: () => Promise<string>): Promise<void> {
    const places = page.getByRole('navigation', { name: 'Developers' })
    await places.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByLabel('Type').selectOption('withdrawal.confirmed')
    const table = page.getByRole('table', { name: 'Events' })
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await table.getByText('Not sent').waitFor()

    await places.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByLabel('Address').fill('http://127.0.0.1:9/events')
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await order()
    await places.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('button', { name: 'Send again: job.created' }).click()
    await table.getByRole('link', { name: 'and 1 before' }).click()
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await expect.poll(() => deliveries.getByText('job.created').count()).toBe(2)
  }

  /** The id of the first request that was made with it. */
  async function makeKey(page: Page): Promise<string> {
    await page.getByRole('link', { name: 'Developers', exact: true }).click()
    const places = page.getByRole('navigation', { name: 'Developers' })
    await places.getByRole('link', { name: 'API keys', exact: true }).click()
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByLabel('Name').fill('Nightly import')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('table', { name: 'API keys' }).getByText('Nightly import').waitFor()
    const response = await fetch(`${site.url}/api/owners/me`, { headers: { authorization: `Bearer ${key}` } })
    expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([200, '1000'])
    return response.headers.get('x-request-id') ?? ''
  }
})
