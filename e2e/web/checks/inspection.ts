import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { Screen } from '../site.ts'

/** axe itself: its builder for Playwright opens a page and carries every passed rule around for each look. */
const builderPath = createRequire(import.meta.url).resolve('@axe-core/playwright')
const axeSource = readFileSync(createRequire(builderPath).resolve('axe-core/axe.min.js'), 'utf8')

/** The page is there: it has its heading, and nothing in it is still loading. */
export async function untilSettled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.waitForFunction(
    () => document.querySelectorAll('main .animate-pulse:not(.rounded-pill)').length === 0,
  )
}

/** The page is there: it has its heading, and nothing in it is still loading. */
export const isSettled = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      document.querySelector('main h1') !== null &&
      document.querySelectorAll('main .animate-pulse:not(.rounded-pill)').length === 0,
  )

/** What is wrong with the page as it stands: its shape, and what shuts people out in light or dark. */
export async function inspect(page: Page): Promise<string[]> {
  await bringAxe(page)
  await page.emulateMedia({ colorScheme: 'light' })
  const shape = await shapeFaults(page)
  const light = await graveViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await graveViolations(page, { rules: ['color-contrast'] })
  return [...shape, ...light, ...dark.map((fault) => `dark: ${fault}`)]
}

/**
 * What else is wrong with it on another screen: its shape, and every rule but contrast, which is a matter of colours and
 * three quarters of the work.
 */
export async function inspectOnScreen(page: Page, { viewport }: Screen): Promise<string[]> {
  await page.setViewportSize(viewport)
  await untilPainted(page)
  return [...(await shapeFaults(page)), ...(await graveViolations(page, { passOver: 'color-contrast' }))]
}

/** On which of these widths somebody would have to scroll sideways. */
export async function inspectWidths(page: Page, widths: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await untilPainted(page)
    const found = await shapeFaults(page)
    faults.push(...found.map((fault) => `${fault} at ${width} px`))
  }
  return faults
}

/** Everything that the page has drawn or measured by now can be seen. */
export async function untilPainted(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
      }),
  )
}

/** The same for the dialog that is open. */
export async function inspectDialog(page: Page): Promise<string[]> {
  await bringAxe(page)
  await page.emulateMedia({ colorScheme: 'light' })
  const tooWideBy = await page
    .getByRole('dialog')
    .evaluate((dialog) => Math.max(dialog.scrollWidth - dialog.clientWidth, dialog.clientWidth - innerWidth))
  const light = await graveViolations(page, { within: '[role=dialog]' })
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await graveViolations(page, { within: '[role=dialog]', rules: ['color-contrast'] })
  return [
    ...(tooWideBy > 0 ? [`${tooWideBy} px too wide`] : []),
    ...light,
    ...dark.map((fault) => `dark: ${fault}`),
  ]
}

/** Once for each document: a second look finds it compiled. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
}

/** Nobody has to scroll sideways, and there is one heading that says where one is. */
async function shapeFaults(page: Page): Promise<string[]> {
  const { tooWideBy, headings } = await page.evaluate(() => ({
    tooWideBy: document.documentElement.scrollWidth - document.body.clientWidth,
    headings: document.querySelectorAll('h1').length,
  }))
  return [
    ...(tooWideBy > 0 ? [`${tooWideBy} px too wide`] : []),
    ...(headings === 1 ? [] : [`${headings} h1 headings`]),
  ]
}

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}

interface Look {
  /** Only what is inside of it. */
  within?: string
  /** Only these rules. */
  rules?: string[]
  /** All rules but this one. */
  passOver?: string
}

async function graveViolations(page: Page, look: Look = {}): Promise<string[]> {
  const { within = 'html', rules, passOver } = look
  const options = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: rules }),
    ...(passOver && { rules: { [passOver]: { enabled: false } } }),
  }
  const script = `axe.run('${within}', ${JSON.stringify(options)}).then(({ violations }) => violations)`
  const violations = await page.evaluate<Violation[]>(script)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
