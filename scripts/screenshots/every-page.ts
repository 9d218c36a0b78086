import type { Browser, Page } from 'playwright-core'
import { startOAuthClient } from '../../e2e/programs/oauth-client.ts'
import { untilPainted, untilSettled } from '../../e2e/web/checks/inspection.ts'
import { actAs, openPage, take } from './camera.ts'
import { readFacts } from './facts.ts'
import { type Stop, stopsOf } from './stops.ts'

const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
}
const schemes = ['light', 'dark'] as const

/** Every stop whose name has one of the words, or all of them: on both screens, light and dark. */
export async function takeEveryPage(browser: Browser, url: string, words: readonly string[]): Promise<void> {
  const facts = await readFacts(url)
  const app = await startOAuthClient(new URL('/mcp', url.replace('127.0.0.1', 'localhost')))
  const consent: Stop = { name: 'buyer-consent', role: 'buyer', path: await app.asksAt('my_jobs') }
  const isWanted = ({ name }: Stop) => words.length === 0 || words.some((word) => name.includes(word))
  const stops = [...stopsOf(facts), consent].filter(isWanted)
  for (const role of new Set(stops.map((stop) => stop.role))) {
    const page = await openPage(browser, viewports.desktop)
    await page.goto(url.replace('127.0.0.1', 'localhost'))
    if (role !== 'stranger') await actAs(page, role[0]?.toUpperCase() + role.slice(1))
    for (const stop of stops) if (stop.role === role) await takeStop(page, stop)
    await page.context().close()
  }
  await app.close()
}

/** Opened again on each screen: what a page measures when it opens may depend on its width. */
async function takeStop(page: Page, { name, path, open }: Stop): Promise<void> {
  const target = new URL(path, page.url()).href
  for (const [screen, viewport] of Object.entries(viewports)) {
    await page.setViewportSize(viewport)
    await page.goto(target)
    await untilSettled(page)
    await open?.(page)
    await untilPainted(page)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      await take(page, `.screenshots/${screen}-${colorScheme}/${name}.png`, { isWhole: open === undefined })
    }
  }
}
