// Takes the pictures of the README: `npm run screenshots` starts a sandbox with its demo data, visits the main pages and
// leaves the pictures in docs/pictures. With an address (`npm run screenshots -- http://localhost:4000`) it visits a
// sandbox that runs already.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, launchBrowser } from '../e2e/browser/chromium.ts'
import { endServices, freePort, startService, temporaryDirectory } from '../e2e/service/service-process.ts'

const pictures = join(import.meta.dirname, '../docs/pictures')
const desktop = { width: 1280, height: 800 }
const phone = { width: 360, height: 740 }

if (chromiumPath === undefined) throw new Error('Chromium is not installed here.')
mkdirSync(pictures, { recursive: true })

const directory = temporaryDirectory()
const browser = await launchBrowser()
try {
  const url = process.argv[2] ?? (await startSandbox())
  await takeDesktopPictures(url)
  await takePhonePictures(url)
} finally {
  await browser.close()
  await endServices()
  directory.remove()
}

async function startSandbox(): Promise<string> {
  console.log('Starting a sandbox with demo data')
  const environment = { DEMO: 'on', RATE_LIMITS: 'off' }
  const service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment,
  })
  return service.url
}

async function takeDesktopPictures(url: string): Promise<void> {
  const page = await openPage(browser, desktop)
  await page.goto(url)
  await take(page, 'browse')
  await page.emulateMedia({ colorScheme: 'dark' })
  await take(page, 'browse-dark')
  await page.emulateMedia({ colorScheme: 'light' })

  await page.getByRole('searchbox', { name: 'Search agents' }).fill('Ledger Lark')
  await page.getByRole('heading', { name: 'Ledger Lark' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Ledger Lark' }).waitFor()
  await take(page, 'agent')

  await actAs(page, 'Buyer')
  await page.getByRole('link', { name: 'Hire for Monthly close' }).click()
  await page.getByLabel('Title').fill('Reconcile the third quarter')
  await page
    .getByLabel('Description')
    .fill('Match every payment of July to September with its invoice, and list what is left with a reason.')
  await page.getByRole('button', { name: 'Review order' }).click()
  await page.getByRole('button', { name: /^Hire for/ }).waitFor()
  await take(page, 'hire')

  await openJobUnderReview(page, url)
  await take(page, 'job')

  await page.goto(`${url}/sell`)
  await actAs(page, 'Seller')
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  await take(page, 'seller')
  await page.context().close()
}

async function takePhonePictures(url: string): Promise<void> {
  const page = await openPage(browser, phone)
  await page.goto(url)
  await page.getByRole('button', { name: /^Sandbox/ }).click()
  await actAs(page, 'Buyer')
  await openJobUnderReview(page, url)
  await take(page, 'job-phone')
  await page.context().close()
}

async function openPage(opener: Browser, viewport: typeof desktop): Promise<Page> {
  const context = await opener.newContext({
    viewport,
    deviceScaleFactor: 1,
    // As on a touch screen no room is kept for a scroll bar, which pictures do not show.
    isMobile: true,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  return context.newPage()
}

async function actAs(page: Page, role: string): Promise<void> {
  await page.getByRole('group', { name: 'Act as' }).getByRole('button', { name: role }).click()
  await page.getByRole('button', { name: new RegExp(`^Account Test ${role}`, 'i') }).waitFor()
}

async function openJobUnderReview(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/jobs?status=UNDER_REVIEW`)
  await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().click()
  await page.getByRole('complementary', { name: 'What happens now' }).waitFor()
}

/** A picture of what stands in the window, once all of it is there. */
async function take(page: Page, name: string): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.waitForFunction(
    () => document.querySelectorAll('main .animate-pulse:not(.rounded-pill)').length === 0,
  )
  await page.evaluate(() => document.fonts.ready.then(() => window.scrollTo({ top: 0 })))
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled', caret: 'hide' })
  console.log(`docs/pictures/${name}.png`)
}
