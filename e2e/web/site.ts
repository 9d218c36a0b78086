import type { Browser, Page } from 'playwright-core'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, onTestFailed } from 'vitest'
import { buildWeb } from '../../scripts/building/build-web.mjs'
import { openPage } from '../browser/browser.ts'
import { launchBrowser } from '../browser/chromium.ts'
import { preparedDirectory } from '../service/prepared-directory.ts'
import { endServices, freePort, type ServiceProcess, startService } from '../service/service-process.ts'
import { type InjectedWallet, injectWallet } from './injected-wallet.ts'

export const screens = [
  { name: 'a desktop', viewport: { width: 1280, height: 800 } },
  { name: 'a phone', viewport: { width: 360, height: 740 } },
] as const
export type Screen = (typeof screens)[number]

/** The screens on which a journey is walked: the one named here. `npm run test:journeys` walks it on both. */
export const walkedOn = (name: Screen['name']): readonly Screen[] =>
  process.env.LONG_RUN === 'journeys' ? screens : screens.filter((screen) => screen.name === name)

export interface Site {
  service: ServiceProcess
  url: string
  browser: Browser
  /** Ends the service and starts it again on the same data, under the same address. Something can happen in between. */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** The service as `npm start` runs it, with the page as it is built, and one browser for all who visit it. */
export async function startSite(environment: Record<string, string> = {}): Promise<Site> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  if (!(await buildWeb({ nodePath: process.execPath, env: process.env, say }))) {
    throw new Error('the web page could not be built')
  }
  const directory = preparedDirectory()
  const options = {
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { RATE_LIMITS: 'off', ...environment },
  }
  const [first, browser] = await Promise.all([startService(options), launchBrowser()])
  let service = first
  return {
    get service() {
      return service
    },
    url: first.url,
    browser,
    async restart(meanwhile) {
      await service.end('SIGTERM')
      await meanwhile?.()
      service = await startService(options)
    },
    async close() {
      await browser.close()
      await endServices()
      directory.remove()
    },
  }
}

export interface Visitor {
  page: Page
  wallet: InjectedWallet | undefined
  go(path: string): Promise<void>
  /** Ends the visit: no other host was asked, and the browser complained about nothing else than expected. */
  leave(expected?: { complaints: unknown }): Promise<void>
}

export interface VisitOptions {
  screen: Screen
  /** The account of the wallet that the browser has; without one it has none. */
  account?: PrivateKeyAccount
  colorScheme?: 'light' | 'dark'
}

/** Somebody with a browser of their own: its cookies and its storage belong to this visit. */
export async function visit({ browser, url }: Site, options: VisitOptions): Promise<Visitor> {
  const { screen, account, colorScheme = 'light' } = options
  const context = await browser.newContext({
    viewport: screen.viewport,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  const { page, problems, foreignRequests } = await openPage(context, url)
  const wallet = account && (await injectWallet(page, account))
  onTestFailed(async () => {
    if (!page.isClosed()) await describePage(page, problems)
  })
  return {
    page,
    wallet,
    go: async (path) => {
      await page.goto(`${url}${path}`)
    },
    leave: async ({ complaints } = { complaints: [] }) => {
      // A call that a test takes over may be pending: what comes of it now is nobody's failure.
      for (const open of context.pages()) await open.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
      expect(problems).toEqual(complaints)
      expect(foreignRequests).toEqual([])
    },
  }
}

/** What somebody who looks for the reason of a failure wants to see. */
async function describePage(page: Page, problems: string[]): Promise<void> {
  const content = await page.locator('body').ariaSnapshot()
  process.stderr.write(`\n${page.url()}\n${problems.join('\n')}\n${content}\n`)
}

/**
 * Signs in with the browser's own wallet. The header's button is there on every page; one of a page that is being left may
 * go between the press and the release, and then nothing was clicked.
 */
export async function signInWithWallet(
  page: Page,
  opener = page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true }),
): Promise<void> {
  await opener.click()
  await page
    .getByRole('dialog', { name: 'Sign in' })
    .getByRole('button', { name: 'Test Wallet', exact: true })
    .click()
  await page.getByRole('button', { name: /^Account/ }).waitFor()
}

/** One of the sandbox's tools. On a phone they are behind one button. */
export async function useSandboxTool(page: Page, group: string, tool: string): Promise<void> {
  const bar = page.getByRole('complementary', { name: 'Sandbox' })
  await bar.waitFor()
  const fold = bar.getByRole('button', { name: /^Sandbox/ })
  if ((await fold.isVisible()) && (await fold.getAttribute('aria-expanded')) === 'false') await fold.click()
  const button = bar.getByRole('group', { name: group }).getByRole('button', { name: tool, exact: true })
  await button.click()
}
