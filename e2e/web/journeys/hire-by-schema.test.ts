import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createMarketplaceClient } from '../../../packages/sdk/src/index.ts'
import { startAgentPrograms } from '../../../packages/server/src/demo/agents/agent-programs.ts'
import { houseAgents } from '../../../packages/server/src/demo/agents/house-agents.ts'
import { wallClock } from '../../../packages/server/src/platform/clock/clock.ts'
import { describeInBrowser } from '../../browser/browser.ts'
import { inspect, untilSettled } from '../checks/inspection.ts'
import { type Market, openMarket, untilListed } from '../market/market.ts'
import { type Site, screens, signInWithWallet, startSite, visit, walkedOn } from '../site.ts'

const siteSwift = {
  name: 'Site Swift',
  type: 'research',
  bio: 'Scores web sites.',
  skills: ['audits'],
  services: [
    {
      name: 'Site score',
      priceUSDC: '20000000',
      deliveryTime: 24,
      description: 'A **score** from 0 to 1.\n\n<script>alert(1)</script>\n\n[Method](javascript:alert(1))',
      included: ['Up to 20 pages'],
      inputSchema: {
        type: 'object',
        properties: {
          site: { type: 'string', format: 'uri', title: 'Address of the site' },
          pages: { type: 'integer', minimum: 1, maximum: 20 },
          language: { enum: ['English', 'German'], default: 'English' },
          skip: { type: 'array', items: { type: 'string' }, title: 'Pages to skip' },
          isShop: { type: 'boolean', title: 'It is a shop' },
          contact: {
            type: 'object',
            properties: { email: { type: 'string', format: 'email', title: 'Email' } },
            required: ['email'],
          },
          limits: { type: 'array', items: { type: 'integer' }, title: 'Own limits' },
        },
        required: ['site', 'pages', 'contact'],
      },
      outputSchema: {
        type: 'object',
        properties: { score: { type: 'number', minimum: 0, maximum: 1, title: 'Total score' } },
        required: ['score'],
      },
      examples: [
        {
          title: 'A small shop',
          input: { site: 'https://shop.example/', pages: 2, contact: { email: 'ada@shop.example' } },
          output: { score: 0.8 },
        },
      ],
    },
  ],
}

const byteBee = {
  name: 'Byte Bee',
  type: 'data',
  bio: 'Cleans tables and says what it changed.',
  skills: ['tables'],
  services: [{ name: 'Clean table', priceUSDC: '5000000', deliveryTime: 2, x402Enabled: true }],
}

describeInBrowser('choosing and hiring in the browser', () => {
  let site: Site
  let market: Market
  let rival: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url, siteSwift)
    rival = await openMarket(site.url, byteBee)
    await untilListed(market)
    await untilListed(rival)
  })
  afterAll(() => site?.close())

  test.each(walkedOn('a phone'))(
    'on $name: what you get, an order by the form of the service, and a result that fits',
    async (screen) => {
      const account = await market.newBuyer()
      const buyer = await visit(site, { screen, account })
      const { page } = buyer
      await buyer.go(`/agents/${market.agent.walletAddress}`)

      await page.getByText('What you get').click()
      await page.getByRole('list', { name: 'Included' }).getByText('Up to 20 pages').waitFor()
      await page.locator('strong', { hasText: 'score' }).waitFor()
      // HTML stays text, and a link that is none stays words.
      await page.getByText('<script>alert(1)</script>').waitFor()
      expect(await page.getByRole('link', { name: 'Method' }).count()).toBe(0)
      await page.getByRole('heading', { name: 'Sample work' }).waitFor()
      await page.getByText('A small shop').click()
      await page.getByText('https://shop.example/').waitFor()

      await page.getByRole('link', { name: 'Hire for Site score' }).click()
      await signInWithWallet(page, page.getByRole('button', { name: 'Sign in with a wallet' }))
      await page.getByLabel('Address of the site').fill('example')
      await page.getByLabel('Pages', { exact: true }).fill('21')
      await page.getByLabel('Language').selectOption('German')
      await page.getByLabel('Pages to skip').fill('/login\n/cart')
      await page.getByLabel('It is a shop').check()
      await page.getByRole('group', { name: 'Contact' }).getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Own limits').fill('[1, 2')
      const review = page.getByRole('button', { name: 'Review order' })
      await review.click()
      await page.getByText('This is not JSON yet.').waitFor()
      await page.getByLabel('Own limits').fill('[1, 2]')
      await review.click()
      await page.getByText('This must be at most 20.').waitFor()
      await page.getByText('This must be an address such as https://example.com/a.').waitFor()
      await page.getByLabel('Address of the site').fill('https://example.com/')
      await page.getByLabel('Pages', { exact: true }).fill('3')
      await review.click()

      await page.getByRole('heading', { name: 'Site score' }).waitFor()
      await page.getByText('/login, /cart').waitFor()
      await page.getByRole('button', { name: 'Hire for 20.00 USDC' }).click()
      await page.getByRole('heading', { name: 'The order' }).waitFor()
      const jobId = new URL(page.url()).pathname.split('/').at(-1)
      const { body } = await market.seller.get(`/api/jobs/${jobId}`)
      expect(body.data.job.input).toEqual({
        site: 'https://example.com/',
        pages: 3,
        language: 'German',
        skip: ['/login', '/cart'],
        isShop: true,
        contact: { email: 'ada@example.com' },
        limits: [1, 2],
      })

      const seller = await visit(site, { screen, account: market.seller.wallet })
      await seller.go(`/jobs/${jobId}`)
      await signInWithWallet(seller.page)
      await seller.page.getByRole('button', { name: 'Deliver the work' }).first().click()
      const dialog = seller.page.getByRole('dialog', { name: 'Deliver the work' })
      await dialog.getByLabel('The result').fill('{ "score": 7 }')
      await dialog.getByRole('button', { name: 'Deliver the work' }).click()
      await dialog.getByText('/score This must be at most 1.').waitFor()
      await dialog.getByLabel('The result').fill('{ "score": 0.7 }')
      await dialog.getByRole('button', { name: 'Deliver the work' }).click()
      await seller.page.getByText('Total score').waitFor()
      await page.getByText('Total score').waitFor()
      await page.getByText('0.7', { exact: true }).waitFor()
      await seller.leave({ complaints: [expect.stringContaining('400')] })

      // Again: the same order is filled in, nothing is signed or paid, and what has changed since is said.
      const signed = [...(buyer.wallet?.signed ?? [])]
      const again = page.getByRole('link', { name: 'Hire again', exact: true })
      await again.click()
      const notice = page.getByRole('complementary', { name: 'Hire again' })
      await notice.getByText('Filled in from your last order.').waitFor()
      const filled = async () => [
        await page.getByLabel('Address of the site').inputValue(),
        await page.getByLabel('Pages', { exact: true }).inputValue(),
        await page.getByLabel('Language').inputValue(),
        await page.getByLabel('Pages to skip').inputValue(),
        await page.getByLabel('It is a shop').isChecked(),
        await page.getByRole('group', { name: 'Contact' }).getByLabel('Email').inputValue(),
        JSON.parse(await page.getByLabel('Own limits').inputValue()),
      ]
      const same = ['https://example.com/', '3', 'German', '/login\n/cart', true, 'ada@example.com', [1, 2]]
      await expect.poll(filled).toEqual(same)
      expect(await notice.getByText('The price has changed').count()).toBe(0)
      await page.getByLabel('Pages', { exact: true }).fill('4')
      const [service] = siteSwift.services
      if (!service) throw new Error('Site Swift sells nothing')
      const shop = createMarketplaceClient({ baseUrl: site.url, account: market.seller.wallet })
      await shop.updateAgent(market.agent.walletAddress, {
        services: [{ ...service, priceUSDC: '30000000' }],
      })
      await page.reload()
      await notice.getByText('The price has changed: 30.00 USDC, last time 20.00 USDC.').waitFor()
      await expect.poll(filled).toEqual(same.with(1, '4'))
      await page.getByRole('button', { name: 'Review order' }).click()
      await page.getByRole('button', { name: 'Hire for 30.00 USDC' }).waitFor()
      await shop.updateAgent(market.agent.walletAddress, { services: [{ ...service, name: 'Site audit' }] })
      await buyer.go(`/jobs/${jobId}`)
      await again.click()
      await notice.getByText('What you ordered then is not offered any more.').waitFor()
      // A draft that was begun without it is not thrown away: it goes when its writer says so.
      await page.getByLabel('Description').fill('Something new')
      await page.evaluate(() => {
        const [key = ''] = Object.keys(sessionStorage).filter((name) => name.includes('.order.'))
        sessionStorage.setItem(
          key,
          JSON.stringify({ ...JSON.parse(sessionStorage.getItem(key) ?? '{}'), againOf: '' }),
        )
      })
      await buyer.go(`/jobs/${jobId}`)
      await again.click()
      await notice.getByText('You have started another order').waitFor()
      await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Something new')
      await notice.getByRole('button', { name: 'Replace it with your last order' }).click()
      await notice.getByText('Filled in from your last order.').waitFor()
      // The service of before has a form of its own.
      await page.getByLabel('Description').waitFor({ state: 'detached' })
      await shop.updateAgent(market.agent.walletAddress, { services: siteSwift.services })
      expect(buyer.wallet?.signed).toEqual(signed)
      await buyer.leave({ complaints: [expect.stringContaining('400')] })
    },
  )

  test.each(walkedOn('a phone'))(
    'on $name: agents are chosen on their cards and stand side by side, for everybody with the address',
    async (screen) => {
      const visitor = await visit(site, { screen })
      const { page } = visitor
      await visitor.go('/')
      await page.getByRole('checkbox', { name: 'Compare Site Swift' }).check()
      const bar = page.getByRole('region', { name: 'Chosen to compare' })
      await bar.getByText('Choose another', { exact: true }).waitFor()
      await page.getByRole('checkbox', { name: 'Compare Byte Bee' }).check()
      expect(await inspect(page)).toEqual([])
      await bar.getByRole('link', { name: 'Compare 2' }).click()
      const table = page.getByRole('region', { name: 'Comparison' })
      await table.waitFor()
      const wallets = `${market.agent.walletAddress},${rival.agent.walletAddress}`
      expect(new URL(page.url()).searchParams.get('agents')).toBe(wallets)
      const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) })
      expect(await row('Price').getByRole('cell').allTextContents()).toEqual(['20.00 USDC', '5.00 USDC'])
      expect(await row('On time').getByRole('cell').allTextContents()).toEqual([
        // As many as the walks before this one have ordered.
        expect.stringMatching(/^(New|(\d) of \2)$/),
        'New',
      ])
      expect(await row('Sample').getByRole('cell').allTextContents()).toEqual(['A small shop', '–'])
      await row('Availability').getByText('Takes new jobs').first().waitFor()
      await row('Paid by the same').waitFor()
      for (const label of ['Delivers in', 'Jobs done', 'Rating', 'Seller', 'Responds in', 'Services']) {
        await row(label).waitFor()
      }

      // It scrolls within itself, and its first column stays.
      const sideways = await table.evaluate((box) => box.scrollWidth - box.clientWidth)
      expect(sideways > 0).toBe(screen.name === 'a phone')
      const label = row('Price').getByRole('rowheader')
      const before = await label.boundingBox()
      await table.evaluate((box) => box.scrollTo(box.scrollWidth, 0))
      expect((await label.boundingBox())?.x).toBe(before?.x)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.body.clientWidth),
      ).toBe(0)

      await page.getByLabel('Only differences').check()
      await row('Paid by').waitFor({ state: 'detached' })
      const friend = await visit(site, { screen })
      await friend.go(`/compare?agents=${wallets}`)
      for (const { name } of [market.agent, rival.agent]) {
        await friend.page
          .getByRole('region', { name: 'Comparison' })
          .getByRole('link', { name, exact: true })
          .waitFor()
      }
      await friend.leave()
      await table.getByRole('button', { name: 'Remove Byte Bee' }).click()
      await page.getByText('Choose two to four agents', { exact: true }).waitFor()
      await visitor.leave()
    },
  )

  test.each(walkedOn('a desktop'))(
    'on $name: an agent is saved once its buyer is signed in, found again elsewhere, and removed',
    async (screen) => {
      const account = await market.newBuyer()
      const visitor = await visit(site, { screen, account })
      const { page } = visitor
      await visitor.go('/')
      const heart = page.getByRole('button', { name: 'Save Byte Bee', exact: true })
      await heart.click()
      const dialog = page.getByRole('dialog', { name: 'Sign in' })
      const stored = page.waitForResponse((response) => response.request().method() === 'PUT')
      await dialog.getByRole('button', { name: 'Test Wallet', exact: true }).click()
      await page.getByRole('button', { name: /^Account/ }).waitFor()
      await dialog.waitFor({ state: 'detached' })
      // It is what they signed in for: nobody clicks twice.
      await page.getByRole('button', { name: 'Saved Byte Bee', pressed: true }).waitFor()
      expect((await stored).status()).toBe(200)

      const elsewhere = await visit(site, { screen, account })
      await elsewhere.go('/saved')
      await elsewhere.page.getByRole('heading', { name: 'Sign in to see your saved agents' }).waitFor()
      await signInWithWallet(elsewhere.page)
      const list = elsewhere.page.getByRole('list', { name: 'Saved agents' })
      await list.getByRole('heading', { name: 'Byte Bee' }).waitFor()
      expect(await list.getByRole('heading', { level: 2 }).count()).toBe(1)
      await list.getByRole('heading', { name: 'Byte Bee' }).getByRole('link').click()
      const saved = elsewhere.page.getByRole('button', { name: 'Saved Byte Bee', pressed: true })
      await saved.getByText('Saved', { exact: true }).waitFor()
      const removed = elsewhere.page.waitForResponse((response) => response.request().method() === 'DELETE')
      await saved.click()
      expect((await removed).status()).toBe(200)
      await elsewhere.go('/saved')
      await elsewhere.page.getByText('Nothing saved yet', { exact: true }).waitFor()
      await elsewhere.leave()
      await visitor.leave()
    },
  )

  test.each(walkedOn('a desktop'))(
    'on $name: a newcomer finds a house agent by a sentence, and their first order is delivered',
    async (screen) => {
      const [house] = houseAgents
      if (!house) throw new Error('there are no house agents')
      const { name, category: type, bio, skills, service } = house
      const programs = await startAgentPrograms([house], wallClock)
      onTestFinished(() => programs.close())
      const offered = { name, type, bio, skills, services: [service], customOrders: 'OFF' }
      const shop = await openMarket(site.url, offered)
      const { walletAddress } = shop.agent
      const seller = createMarketplaceClient({ baseUrl: site.url, account: shop.seller.wallet })
      const { secret } = await seller.setAgentConnection(walletAddress, {
        kind: 'HTTP',
        url: programs.urlOf(house),
      })
      programs.trust(house, String(secret))
      await untilListed(shop)

      const newcomer = await visit(site, { screen, account: await shop.newBuyer(1) })
      const { page } = newcomer
      await newcomer.go('/?q=please+clean+up+my+csv+table')
      const cards = page.getByRole('link', { name, exact: true })
      await cards.and(page.locator(`[href="/agents/${walletAddress}"]`)).click()
      await page.getByRole('link', { name: 'Hire for Clean a CSV table' }).click()
      await signInWithWallet(page, page.getByRole('button', { name: 'Sign in with a wallet' }))
      await page.getByLabel('Your table').fill('name ;price\n Tea;3.50\n;\nTea;3.50\n')
      await page.getByRole('button', { name: 'Review order' }).click()
      await page.getByRole('button', { name: 'Hire for 0.25 USDC' }).click()
      await page.getByRole('heading', { name: 'The delivery', exact: true }).waitFor()
      await page.getByText('The clean table', { exact: true }).waitFor()
      await page.getByText('name,price Tea,3.50', { exact: true }).waitFor()
      const jobId = new URL(page.url()).pathname.split('/').at(-1)
      const { body } = await shop.seller.get(`/api/jobs/${jobId}`)
      expect(body.data.job.delivery?.output).toMatchObject({ csv: 'name,price\nTea,3.50\n', rows: 1 })
      await newcomer.leave()
    },
  )

  test('price, what you get and Hire stay in sight: top right on a desktop, at the lower edge of a phone', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    const boxOf = async (part: Locator) => {
      const box = await part.boundingBox()
      if (!box) throw new Error(`${part} is not to be seen`)
      return { ...box, end: box.y + box.height }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await visitor.go(`/agents/${market.agent.walletAddress}`)
    await untilSettled(page)
    const panel = page.getByRole('complementary', { name: 'Hire', exact: true })
    const hire = panel.getByRole('link', { name: 'Hire Site Swift', exact: true })
    const title = await boxOf(page.getByRole('heading', { level: 1 }))
    for (const part of [panel.getByText(/^20\.00/).first(), panel.getByText('Up to 20 pages'), hire]) {
      const box = await boxOf(part)
      expect(box.x, String(part)).toBeGreaterThan(title.x + title.width)
      expect(box.end, String(part)).toBeLessThanOrEqual(800)
    }

    await page.setViewportSize({ width: 390, height: 844 })
    const bar = page.getByRole('region', { name: 'Price', exact: true })
    await page.getByRole('heading', { name: 'Sample work' }).scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 300)
    await bar.getByRole('link', { name: 'Hire Site Swift', exact: true }).waitFor()
    expect((await boxOf(bar)).end).toBe(844)
    await hire.scrollIntoViewIfNeeded()
    await bar.waitFor({ state: 'hidden' })
    // At the end of the page it has a place of its own, and lies on nothing.
    const footer = page.getByRole('contentinfo')
    await footer.scrollIntoViewIfNeeded()
    await bar.waitFor()
    expect((await boxOf(bar)).end).toBeLessThanOrEqual((await boxOf(footer)).y)
    expect(
      (await boxOf(page.locator('main section').filter({ visible: true }).nth(-2))).end,
    ).toBeLessThanOrEqual((await boxOf(bar)).y)
    await visitor.leave()
  })

  test('a seller writes what a service promises, and reads which part of a schema is wrong', async () => {
    const seller = await visit(site, { screen: screens[0], account: market.seller.wallet })
    const { page } = seller
    await seller.go(`/sell/agents/${market.agent.walletAddress}/edit`)
    await signInWithWallet(page)
    await page.getByText('What you get, what you need, sample work').click()
    const schema = page.getByLabel('Output schema')
    const written = await schema.inputValue()
    expect(JSON.parse(written)).toEqual(siteSwift.services[0]?.outputSchema)
    await schema.fill('{ "type": "object", "patternProperties": {} }')
    await page.getByLabel('Sample work').fill('')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('/patternProperties: This is not supported.').first().waitFor()
    await schema.fill('{ "type": "number" }')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Site Swift is saved.').waitFor()
    const { agent } = await succeedGet(market)
    expect(agent.services[0]).toMatchObject({
      outputSchema: { type: 'number' },
      examples: [],
      inputRequired: true,
    })
    await seller.leave({ complaints: [expect.stringContaining('400')] })
  })
})

async function succeedGet({ seller, agent }: Market) {
  return (await seller.get(`/api/agents/${agent.walletAddress}`)).body.data
}
