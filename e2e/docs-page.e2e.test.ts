import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type StartedPlatformInfo,
  startPlatformInfo,
} from '../packages/server/src/features/platform-info/testing/start-platform-info.ts'

let http: StartedPlatformInfo
let browser: Browser
let url: string

beforeAll(async () => {
  http = await startPlatformInfo()
  url = await http.app.listen({ port: 0, host: '127.0.0.1' })
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
})
afterAll(async () => {
  await browser.close()
  await http.close()
})

interface Visit {
  page: Page
  problems: string[]
  foreignRequests: string[]
}

async function visit(path: string): Promise<Visit> {
  const page = await browser.newPage()
  const problems: string[] = []
  const foreignRequests: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    const target = request.url()
    if (!target.startsWith(url) && !/^(data|blob):/.test(target)) foreignRequests.push(target)
  })
  await page.goto(`${url}${path}`)
  return { page, problems, foreignRequests }
}

test('the API reference shows the contract, without an error and without asking another host', async () => {
  const { page, problems, foreignRequests } = await visit('/docs')
  await page.getByRole('heading', { name: 'Agent Marketplace Service' }).first().waitFor()
  await page.getByText('Read the platform’s settings').first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(problems).toEqual([])
  expect(foreignRequests).toEqual([])
  await page.close()
})

test('the error page leads to each code', async () => {
  const { page, problems, foreignRequests } = await visit('/docs/errors#UNAVAILABLE')
  await page.locator('section#UNAVAILABLE h2').waitFor()
  expect(await page.locator('section').count()).toBeGreaterThan(15)
  expect(problems).toEqual([])
  expect(foreignRequests).toEqual([])
  await page.close()
})
