import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { untilPainted, untilSettled } from '../../e2e/web/checks/inspection.ts'

export interface Viewport {
  width: number
  height: number
}

export async function openPage(browser: Browser, viewport: Viewport): Promise<Page> {
  const context = await browser.newContext({
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

/** Signs in with one of the sandbox's own wallets. On a phone the bar is one button. */
export async function actAs(page: Page, role: string): Promise<void> {
  const bar = page.getByRole('complementary', { name: 'Sandbox' })
  const fold = bar.getByRole('button', { name: /^Sandbox/ })
  await bar.waitFor()
  if ((await fold.isVisible()) && (await fold.getAttribute('aria-expanded')) === 'false') await fold.click()
  await bar.getByRole('group', { name: 'Act as' }).getByRole('button', { name: role }).click()
  await page.getByRole('button', { name: new RegExp(`^Account Test ${role}`, 'i') }).waitFor()
}

/** A picture of what stands in the window, or of the whole page, once all of it is there. */
export async function take(page: Page, file: string, { isWhole = false } = {}): Promise<void> {
  await untilSettled(page)
  // The account, whose code comes by itself.
  await page.locator('header .animate-pulse').waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready.then(() => window.scrollTo({ top: 0 })))
  await untilPainted(page)
  const path = join(import.meta.dirname, '../..', file)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide', fullPage: isWhole })
  console.log(file)
}
