import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type A2aProgram,
  startA2aAgent,
} from '../../../packages/server/src/features/connections/testing/start-a2a-agent.ts'
import {
  countValidSignatures,
  type Receiver,
  respondWith,
  startReceiver,
} from '../../../packages/server/src/testing/processes/start-receiver.ts'
import { describeInBrowser, openPage } from '../../browser/browser.ts'
import { startOAuthClient } from '../../programs/oauth-client.ts'
import { inspect, untilSettled } from '../checks/inspection.ts'
import { injectWallet } from '../injected-wallet.ts'
import { type Market, openMarket, succeed, untilListed } from '../market/market.ts'
import { type Site, screens, signInWithWallet, startSite, visit, walkedOn } from '../site.ts'

describeInBrowser('connecting an agent in the browser', () => {
  let site: Site
  let market: Market
  let program: Receiver
  let a2a: A2aProgram

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
    program = await startReceiver()
    a2a = await startA2aAgent()
    a2a.respondWith((message) => a2a.take(message, { state: 'TASK_STATE_FAILED', text: 'Out of ink.' }))
  })
  afterAll(async () => {
    await program?.close()
    await a2a?.close()
    await site?.close()
  })

  test('an app that its user allows by OAuth hires within its caps, until it is disconnected', async () => {
    const home = site.url.replace('127.0.0.1', 'localhost')
    const app = await startOAuthClient(new URL('/mcp', home))
    const account = await market.newBuyer()
    const context = await site.browser.newContext({ viewport: screens[0].viewport, reducedMotion: 'reduce' })
    const { page, problems, foreignRequests } = await openPage(context, home)
    await injectWallet(page, account)
    await untilListed(market)

    await page.goto(await app.asksAt('approve', { jobId: market.agent.id }))
    await signInWithWallet(page)
    await page.getByRole('heading', { level: 1, name: 'Allow Desk Assistant?' }).waitFor()
    await page.getByText(new URL(app.callback).host, { exact: true }).waitFor()
    expect(await inspect(page)).toEqual([])
    await page.getByLabel('At most for one job').fill('30')
    await page.getByLabel('At most in a day').fill('40')
    await page.getByLabel('Allowed agents').fill(market.agent.walletAddress)
    await page.getByRole('button', { name: `Add ${market.agent.name}` }).click()
    await page.getByRole('button', { name: `Remove ${market.agent.name}` }).waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${app.callback}**`)
    await app.finish()

    const found = await app.call('get_agent', { wallet: market.agent.walletAddress })
    const { services } = found.structuredContent as { services: { serviceId: string; priceUsdc: string }[] }
    const serviceOf = (price: string) => services.find(({ priceUsdc }) => priceUsdc === price)?.serviceId
    const hire = (price: string, purchase: string) =>
      app.call('hire', {
        wallet: market.agent.walletAddress,
        serviceId: serviceOf(price),
        input: { task: 'Check my receipts.' },
        idempotencyKey: `a-purchase-of-the-desk-${purchase}`,
      })
    const dear = await hire('150.00', 'dear')
    expect(dear.structuredContent).toMatchObject({ error: { code: 'BUDGET_EXCEEDED' } })
    const hired = await hire('25.00', 'one')
    const { jobId, page: jobPage } = hired.structuredContent as { jobId: string; page: string }
    const again = await hire('25.00', 'two')
    expect(again.structuredContent).toMatchObject({
      error: { code: 'BUDGET_EXCEEDED', details: { limit: 'DAY', left: '15000000' } },
    })

    await page.goto(jobPage)
    await page.getByRole('button', { name: 'Pay 25.00 USDC', exact: true }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign and pay 25.00 USDC' }).click()
    await expect
      .poll(async () => (await market.seller.get(`/api/jobs/${jobId}`)).body.data.job.status)
      .toBe('IN_PROGRESS')
    await succeed(market.seller, `/api/jobs/${jobId}/deliver`, { content: 'All 31 match.' })
    const done = await app.call('wait_for_job', { jobId })
    expect(done.structuredContent).toMatchObject({ status: 'COMPLETED', result: { text: 'All 31 match.' } })

    await page.goto(`${home}/sell/keys`)
    const apps = page.getByRole('table', { name: 'Connected apps' })
    const connections = apps.getByText('Desk Assistant', { exact: true })
    await connections.waitFor()
    await apps.getByText('hires only 1 agent', { exact: true }).waitFor()

    // It asks for another scope and does not get it. With an earlier connection beside the new one it has both budgets.
    const replaces = page.getByLabel('Replace its earlier connection')
    for (const { isReplaced, left } of [
      { isReplaced: false, left: 2 },
      { isReplaced: true, left: 1 },
    ]) {
      await page.goto(await app.asksAt('next_job'))
      await page.getByRole('checkbox', { name: /^Sell/ }).uncheck()
      expect(await replaces.isChecked()).toBe(true)
      await replaces.setChecked(isReplaced)
      expect(await inspect(page)).toEqual([])
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await page.waitForURL(`${app.callback}**`)
      await app.finish()
      await page.goto(`${home}/developers/keys`)
      await expect.poll(() => connections.count()).toBe(left)
    }
    await page.getByRole('button', { name: 'Disconnect Desk Assistant' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect the app' }).click()
    await page.getByText('No apps yet', { exact: true }).waitFor()
    expect(await app.asksAt('my_jobs')).toContain(`${home}/oauth/authorize?`)

    await app.close()
    await context.close()
    expect(problems).toEqual([])
    const cameBack = expect.stringContaining(`${app.callback}?code=`)
    expect(foreignRequests).toEqual([cameBack, cameBack, cameBack])
  })

  test.each(walkedOn('a phone'))(
    'a seller connects it, keeps the secret and sends a test job, on $name',
    async (screen) => {
      const visitor = await visit(site, { screen, account: market.seller.wallet })
      const { page } = visitor
      const edit = `/sell/agents/${market.agent.walletAddress}/edit`
      await visitor.go(edit)
      await signInWithWallet(page)
      const kind = page.getByLabel('How it gets its jobs')
      await kind.selectOption('MANUAL')
      await page.getByRole('button', { name: 'Save the connection' }).click()
      await page.getByText('Jobs are delivered by hand now.').waitFor()
      await visitor.go('/?online=true')
      await page.getByText('No agent fits these filters', { exact: true }).waitFor()

      await visitor.go(edit)
      await kind.selectOption('HTTP')
      const address = page.getByLabel('Address of your program')
      await address.fill('https://10.0.0.1/jobs')
      await page.getByRole('button', { name: 'Save the connection' }).click()
      await page.getByText('This is a private or local address.').waitFor()
      await address.fill(program.url)
      await page.getByRole('button', { name: 'Save the connection' }).click()
      await page.getByRole('heading', { name: 'Your signing secret' }).waitFor()
      const secret = (await page.locator('code', { hasText: /^whsec_/ }).textContent()) ?? ''

      const steps = page.getByRole('list', { name: 'Steps to connect your agent' })
      await steps.waitFor()
      program.respondWith(respondWith(500, 'Out of paper'))
      await page.getByRole('button', { name: 'Send a test job' }).click()
      await page.getByText('It failed', { exact: true }).waitFor()
      program.respondWith(respondWith(200, JSON.stringify({ content: 'Hello.' })))
      await page.getByRole('button', { name: 'Send a test job' }).click()
      await page.getByText('It works', { exact: true }).waitFor()
      await page.getByText('The agent delivered a result.').waitFor()
      await steps.waitFor({ state: 'detached' })
      const sent = program.received.findLast(({ method }) => method === 'POST')
      expect(sent && countValidSignatures(sent, secret)).toBe(1)

      await page.getByText('Code for your agent').click()
      for (const [tab, file] of [
        ['TypeScript', 'http-agent.ts'],
        ['Python', 'http_agent.py'],
        ['curl', 'connect-agent.sh'],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click()
        await page.getByRole('button', { name: `Copy ${file}` }).waitFor()
        const example = readFileSync(join(import.meta.dirname, '../../../examples', file), 'utf8')
        const panel = page.getByRole('tabpanel', { name: tab, exact: true })
        expect(await panel.locator('pre').textContent()).toBe(example)
      }
      expect(await inspect(page)).toEqual([])

      await kind.selectOption('A2A')
      await page.getByLabel('Agent card').fill(a2a.url)
      await page.getByLabel('Token').fill('agents-own-token')
      await page.getByRole('button', { name: 'Save the connection' }).click()
      await page.getByText('One is stored. Leave this empty to keep it.').waitFor()
      await page.getByRole('button', { name: 'Send a test job' }).click()
      await page.getByRole('status').getByText('The agent failed: Out of ink.').waitFor()
      expect(a2a.headers.at(-1)?.authorization).toBe('Bearer agents-own-token')
      expect(await inspect(page)).toEqual([])

      const { walletAddress, name } = market.agent
      const card = page.getByRole('link', { name, exact: true })
      const isFoundOnline = async () => {
        const { body } = await market.seller.get('/api/agents/search?online=true&limit=100')
        return body.data.agents.some((found) => found.walletAddress === walletAddress)
      }
      await expect.poll(isFoundOnline).toBe(true)
      await visitor.go('/')
      const fold = page.getByRole('button', { name: 'Filters', exact: true })
      await card.waitFor()
      if (await fold.isVisible()) await fold.click()
      await page.getByRole('checkbox', { name: 'Online now', exact: true }).check()
      await page.getByRole('button', { name: 'Remove filter: Online now' }).waitFor()
      await expect.poll(() => new URL(page.url()).search).toBe('?online=true')
      await card.waitFor()
      await untilSettled(page)
      expect(await inspect(page)).toEqual([])
      await visitor.leave({ complaints: [expect.stringContaining('400 (Bad Request)')] })
    },
  )
})
