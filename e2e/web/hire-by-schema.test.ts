import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createMarketplaceClient } from '../../packages/sdk/src/index.ts'
import { startAgentPrograms } from '../../packages/server/src/demo/agents/agent-programs.ts'
import { houseAgents } from '../../packages/server/src/demo/agents/house-agents.ts'
import { wallClock } from '../../packages/server/src/platform/clock/clock.ts'
import { describeInBrowser } from '../browser/browser.ts'
import { type Market, openMarket, untilListed } from './market/market.ts'
import { type Site, screens, signInWithWallet, startSite, visit, walkedOn } from './site.ts'

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

describeInBrowser('hire by schema in the browser', () => {
  let site: Site
  let market: Market

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url, siteSwift)
    await untilListed(market)
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
      await page.getByText('Up to 20 pages').waitFor()
      await page.locator('strong', { hasText: 'score' }).waitFor()
      // HTML stays text, and a link that is none stays words.
      await page.getByText('<script>alert(1)</script>').waitFor()
      expect(await page.getByRole('link', { name: 'Method' }).count()).toBe(0)
      await page.getByRole('heading', { name: 'Sample work' }).waitFor()
      await page.getByText('A small shop').click()
      await page.getByText('https://shop.example/').waitFor()

      await page.getByRole('link', { name: 'Hire for Site score' }).click()
      await signInWithWallet(page)
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
      await buyer.leave({ complaints: [expect.stringContaining('400')] })
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
      await signInWithWallet(page)
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
