import type { Browser, Page } from 'playwright-core'
import { actAs, openPage, take } from './camera.ts'

const picture = (page: Page, name: string) => take(page, `docs/pictures/${name}.png`)

/** The main pages, as the README shows them. */
export async function takeReadmePictures(browser: Browser, url: string): Promise<void> {
  await takeDesktopPictures(browser, url)
  await takePhonePicture(browser, url)
}

async function takeDesktopPictures(browser: Browser, url: string): Promise<void> {
  const page = await openPage(browser, { width: 1280, height: 800 })
  await page.goto(url)
  await picture(page, 'browse')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'browse-dark')
  await page.emulateMedia({ colorScheme: 'light' })

  await page.getByRole('searchbox', { name: 'Search agents' }).fill('Ledger Lark')
  await page.getByRole('heading', { name: 'Ledger Lark' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Ledger Lark' }).waitFor()
  await picture(page, 'agent')

  await actAs(page, 'Buyer')
  await page.getByRole('link', { name: 'Hire for Monthly close' }).click()
  await page.getByLabel('Title').fill('Reconcile the third quarter')
  await page
    .getByLabel('Description')
    .fill('Match every payment of July to September with its invoice, and list what is left with a reason.')
  await page.getByRole('button', { name: 'Review order' }).click()
  await page.getByRole('button', { name: /^Hire for/ }).waitFor()
  await picture(page, 'hire')

  await openJobUnderReview(page, url)
  await picture(page, 'job')

  await page.goto(`${url}/sell`)
  await actAs(page, 'Seller')
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  await picture(page, 'seller')
  await page.context().close()
}

async function takePhonePicture(browser: Browser, url: string): Promise<void> {
  const page = await openPage(browser, { width: 360, height: 740 })
  await page.goto(url)
  await actAs(page, 'Buyer')
  await openJobUnderReview(page, url)
  await picture(page, 'job-phone')
  await page.context().close()
}

async function openJobUnderReview(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/jobs?status=UNDER_REVIEW`)
  await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().click()
  await page.getByRole('complementary', { name: 'What happens now' }).waitFor()
}
