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

/** The long runs look at everything in both themes and on both screens. */
export const isThorough = ['pages', 'journeys'].includes(process.env.LONG_RUN ?? '')

const themes = ['light', 'dark'] as const
const looks = new WeakMap<Page, number>()

/**
 * Twice one theme, twice the other. Contrast is most of the work, and a test of the tokens holds every pair of colours in both
 * themes; this one finds colours that do not come from them.
 */
function themesOf(page: Page): readonly (typeof themes)[number][] {
  const look = looks.get(page) ?? 0
  looks.set(page, look + 1)
  if (isThorough) return themes
  return look % 4 < 2 ? ['light'] : ['dark']
}

/** What is wrong with the page as it stands: its shape, and every rule of accessibility that it breaks, however minor. */
export async function inspect(page: Page): Promise<string[]> {
  await bringAxe(page)
  return [...(await shapeFaults(page)), ...(await faultsInThemes(page, 'html'))]
}

/** What else is wrong with it on another screen: its shape, and every rule but contrast, which is a matter of colours. */
export async function inspectOnScreen(page: Page, { viewport }: Screen): Promise<string[]> {
  await page.setViewportSize(viewport)
  await untilPainted(page)
  const shape = await shapeFaults(page)
  return isThorough ? [...shape, ...(await violationsOn(page, { passOver: 'color-contrast' }))] : shape
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

/** The same for the dialog or the menu that is open. */
export async function inspectDialog(page: Page, role: 'dialog' | 'menu' = 'dialog'): Promise<string[]> {
  await bringAxe(page)
  const tooWideBy = await page
    .getByRole(role)
    .evaluate((dialog) => Math.max(dialog.scrollWidth - dialog.clientWidth, dialog.clientWidth - innerWidth))
  const faults = await faultsInThemes(page, `[role=${role}]`)
  return [...(tooWideBy > 0 ? [`${tooWideBy} px too wide`] : []), ...faults]
}

/** Every rule in the first theme of this look; in another one only contrast can differ. */
async function faultsInThemes(page: Page, within: string): Promise<string[]> {
  const faults: string[] = []
  for (const [index, colorScheme] of themesOf(page).entries()) {
    await page.emulateMedia({ colorScheme })
    const found = await violationsOn(page, { within, ...(index > 0 && { rules: ['color-contrast'] }) })
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`))
  }
  return faults
}

/** Once for each document: a second look finds it compiled. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
}

/** Nobody has to scroll sideways, no word is broken in two, and there is one heading that says where one is. */
async function shapeFaults(page: Page): Promise<string[]> {
  const { tooWideBy, headings } = await page.evaluate(() => ({
    tooWideBy: document.documentElement.scrollWidth - document.body.clientWidth,
    headings: document.querySelectorAll('h1').length,
  }))
  return [
    ...(tooWideBy > 0 ? [`${tooWideBy} px too wide`] : []),
    ...(headings === 1 ? [] : [`${headings} h1 headings`]),
    ...(await brokenWords(page)).map((word) => `“${word}” is broken in two`),
  ]
}

/** Plain words that stand on two lines. Addresses and other long strings may. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement?.closest('pre, code, script, style')) continue
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(
        /(?<!\S)[A-Za-z]{3,18}(?=[.,:;]?(?:\s|$))/g,
      )) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (tops.size > 1) found.push(word)
      }
    }
    return found
  })

interface Violation {
  id: string
  /** From minor to critical. */
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

async function violationsOn(page: Page, look: Look = {}): Promise<string[]> {
  const { within = 'html', rules, passOver } = look
  const options = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: rules }),
    ...(passOver && { rules: { [passOver]: { enabled: false } } }),
  }
  const script = `axe.run('${within}', ${JSON.stringify(options)}).then(({ violations }) => violations)`
  const violations = await page.evaluate<Violation[]>(script)
  return violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(' ')}`,
  )
}
