import type { Browser, BrowserContext, Page } from 'playwright-core'
import { describe } from 'vitest'
import { PATIENCE_MS } from '../../packages/server/src/testing/patience.ts'
import { chromiumPath } from './chromium.ts'

/** Where there is no browser these tests are skipped, and the test command says so; CI refuses to run without one. */
export const describeInBrowser = describe.skipIf(chromiumPath === undefined)

export interface WatchedPage {
  page: Page
  /** What the page complained about: console errors and warnings, and exceptions. */
  problems: string[]
  /** Requests to any other host than the service. */
  foreignRequests: string[]
}

/** An x402 payment begins with a 402, which every browser writes to its console as an error. */
const CHALLENGE = 'Failed to load resource: the server responded with a status of 402 (Payment Required)'

/** A page whose complaints are written down. */
export async function openPage(opener: Browser | BrowserContext, url: string): Promise<WatchedPage> {
  const page = await opener.newPage()
  // For everything in it that is waited for, also in pages that are opened beside it.
  page.context().setDefaultTimeout(PATIENCE_MS)
  const problems: string[] = []
  const foreignRequests: string[] = []
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    if (isComplaint && message.text() !== CHALLENGE) {
      problems.push(`${message.text()} (${message.location().url})`)
    }
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    const target = request.url()
    if (!target.startsWith(url) && !/^(data|blob):/.test(target)) foreignRequests.push(target)
  })
  return { page, problems, foreignRequests }
}
