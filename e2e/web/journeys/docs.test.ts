import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  callOf,
  exampleValues,
  findOperation,
  type OpenApiDocument,
  type SampleCall,
  sampleLanguages,
} from '../../../packages/contract/src/index.ts'
import { guideSlugs } from '../../../packages/server/src/features/platform-info/guides/read-guides.ts'
import { describeInBrowser } from '../../browser/browser.ts'
import { openMarket } from '../../docs/open-market.ts'
import { runGuide, usesOf } from '../../docs/run-guide.ts'
import { samplesAsBlocks } from '../../docs/run-samples.ts'
import { freePort } from '../../service/service-process.ts'
import { inspect, inspectDialog, inspectOnScreen, untilSettled } from '../checks/inspection.ts'
import { type Site, screens, startSite, visit } from '../site.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('No python3 here: the Python in the guides is not tested.\n')

const needsMore = [
  'getOrder',
  'downloadOrderFile',
  'listMessagesByCallback',
  'downloadFileByCallback',
  'getFeedbackDocument',
]

describeInBrowser('the documentation', () => {
  let site: Site
  let market: Awaited<ReturnType<typeof openMarket>>

  beforeAll(async () => {
    site = await startSite()
    market = await openMarket(site.url)
  })
  afterAll(async () => {
    await market?.close()
    await site?.close()
  })

  test.each(guideSlugs)('every block of code in %s does what the guide says', async (slug) => {
    const response = await fetch(`${site.url}/docs/${slug}.md`)
    expect(response.status).toBe(200)
    const uses = usesOf(await response.text())
    const programs = uses.flatMap((use) => ('code' in use ? [use.code] : [])).join('\n')
    for (const use of uses) {
      if (use.kind === 'file') expect(programs, 'no command runs it').toContain(use.name)
      if (use.kind === 'settings') checkSettings(use.code)
    }
    const port = String(await freePort())
    const own = `http://localhost:${port}`
    const environment = {
      ...market.environment,
      PORT: port,
      AGENT_URL: own,
      RECEIVER_URL: own,
      AGENT_MARKETPLACE_URL: await originOf(),
      AGENT_MARKETPLACE_PASSWORD: 'correct horse battery',
    }
    const { code, stdout, stderr } = await runGuide(uses, environment, { hasPython })
    expect(code, `${stdout}\n${stderr}`).toBe(0)
    if (!hasPython) return
    for (const use of uses)
      if (use.kind === 'output')
        expect(stdout.split(/\r?\n/), stderr).toEqual(expect.arrayContaining(use.lines))
  })

  test.each(sampleLanguages)('samples of the reference run: every public read in %s', async (language) => {
    if (language === 'python' && !hasPython) return
    const document = (await (await fetch(`${site.url}/openapi.json`)).json()) as OpenApiDocument
    const calls = publicReadsOf(document)
    expect(calls.length).toBeGreaterThan(12)
    const { code, stderr } = await runGuide(samplesAsBlocks(calls, language), {}, { hasPython })
    expect(code, stderr).toBe(0)
  })

  /** With the records that there are here. What needs a token of its own, or feedback on chain, is left out. */
  function publicReadsOf(document: OpenApiDocument): SampleCall[] {
    const { walletAddress, serviceId, seller } = market.cleaner
    const recordsAt = (path: string): Record<string, string> => ({
      'path wallet': path.startsWith('/api/sellers/') ? seller : walletAddress,
      'path serviceId': serviceId,
    })
    return Object.values(document.paths)
      .flatMap(({ get }) => (get && get.security.length === 0 ? [get.operationId] : []))
      .filter((id) => !needsMore.includes(id))
      .map((id) => {
        const operation = findOperation(document, id)
        if (!operation) throw new Error(`${id} is not in the document`)
        const { parameters, ...rest } = exampleValues(document, operation)
        const records = recordsAt(operation.path)
        const real = Object.entries(parameters).map(([key, value]) => [key, records[key] ?? value])
        return callOf(document, operation, { ...rest, parameters: Object.fromEntries(real) })
      })
  }

  test('its pages are fit for everybody, on both screens', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    const faults: Record<string, string[]> = {}
    for (const path of ['/docs', '/docs/webhooks', '/docs/reference', '/docs/reference/createJob']) {
      await page.setViewportSize(screens[0].viewport)
      await visitor.go(path)
      await untilSettled(page)
      const found = [...(await inspect(page)), ...(await inspectOnScreen(page, screens[1]))]
      if (found.length > 0) faults[path] = found
    }
    expect(faults).toEqual({})
    await visitor.leave()
  })

  test('addresses lead where they say, and those of the former reference to the same calls', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    await visitor.go('/docs/errors#UNAVAILABLE')
    await page.locator('h2#unavailable').waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
    await visitor.go('/docs#tag/jobs/POST/api/jobs')
    await page.waitForURL('**/docs/reference/createJob')
    await page.getByRole('heading', { level: 1, name: 'Hire an agent', exact: true }).waitFor()
    await visitor.leave()
  })

  test('a call is tried in the page: reads at once, changes only when confirmed, and no key is kept', async () => {
    const visitor = await visit(site, { screen: screens[1] })
    const { page } = visitor
    const form = page.locator('form').filter({ has: page.getByLabel('Call it with', { exact: true }) })
    const sent: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/webhooks')) sent.push(request.method())
    })
    await visitor.go('/docs/reference/getAgent')
    await form.getByLabel('wallet', { exact: true }).fill(market.cleaner.walletAddress)
    await page.getByText(`curl -sS --fail-with-body`, { exact: false }).first().waitFor()
    await form.getByRole('button', { name: 'Call', exact: true }).click()
    await page
      .getByRole('status')
      .filter({ hasText: 'Status 200' })
      .filter({ hasText: 'CSV Cleaner' })
      .waitFor()

    await visitor.go('/docs/reference/createWebhook')
    await form.getByLabel('Body').fill('{"url":"http://localhost:9/docs"}')
    const key = form.getByLabel('API key', { exact: true })
    await key.fill(market.environment.MARKETPLACE_KEY)
    await form.getByRole('button', { name: 'Call…', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Call “Add a webhook”?' })
    await dialog.getByText('It is a real call', { exact: false }).waitFor()
    expect(await inspectDialog(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(sent).toEqual([])
    await form.getByRole('button', { name: 'Call…', exact: true }).click()
    await dialog.getByRole('button', { name: 'POST /api/webhooks', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'Status 201' }).waitFor()
    expect(sent).toEqual(['POST'])
    await page.reload()
    await key.waitFor()
    expect(await key.inputValue()).toBe('')
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toContain(market.environment.MARKETPLACE_KEY)
    await visitor.leave()
  })

  test('search finds guides, calls and errors by keyboard, also while the service is away', async () => {
    const visitor = await visit(site, { screen: screens[0] })
    const { page } = visitor
    await visitor.go('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click()
    await page.getByRole('heading', { level: 3 }).first().waitFor()
    await page.context().setOffline(true)
    await page.keyboard.press('/')
    await page.keyboard.type('signature python')
    const found = page.getByRole('option')
    await expect.poll(() => found.first().textContent()).toBe('Receive it in PythonWebhooks')
    const field = page.getByRole('combobox', { name: 'Search the documentation', exact: true })
    await field.fill('BUDGET_EXCEEDED')
    await expect.poll(() => found.first().textContent()).toBe('BUDGET_EXCEEDEDError')
    await field.fill('/api/withdrawals nothing')
    await page.getByText('Nothing has all of these words.', { exact: true }).waitFor()
    await page.context().setOffline(false)
    await field.fill('hire an agent')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/reference/createJob')
    await visitor.leave({ complaints: expect.anything() })
  })

  /** What the marketplace calls itself. */
  const originOf = async (): Promise<string> => {
    const { data } = await (await fetch(`${site.url}/api/config`)).json()
    return new URL(data.chain.rpcUrl).origin
  }

  /** Settings of a client name this marketplace's MCP address, and nothing that has to be installed. */
  function checkSettings(code: string): void {
    const { mcpServers } = JSON.parse(code) as { mcpServers: Record<string, { url: string }> }
    for (const server of Object.values(mcpServers)) {
      expect(Object.keys(server)).toEqual(['type', 'url', 'headers'])
      expect(new URL(server.url).pathname).toBe('/mcp')
    }
  }
})
