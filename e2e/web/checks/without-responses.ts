import type { Page, Request } from 'playwright-core'
import { untilPainted } from './inspection.ts'

/** What becomes of the calls of a page: none of them comes back, all of them fail, or nothing is found. */
export const fates = ['pending', 'failed', 'not found'] as const
export type Fate = (typeof fates)[number]

const failure = (status: number, code: string) => ({
  status,
  json: { success: false, error: { code, message: 'This call fails here.', details: {} } },
})
const failures = { failed: failure(403, 'FORBIDDEN'), 'not found': failure(404, 'NOT_FOUND') }

/** All calls but those that say who is signed in, and where: without them no page gets as far as its own. */
const isOwnCall = ({ pathname }: URL): boolean =>
  /^\/(api|rpc)\b/.test(pathname) && !/^\/api\/(auth\/|config$)|\/stream$/.test(pathname)

/** Opens pages whose own calls have a fate, and returns once nothing more will come of them. */
export async function withoutResponses(page: Page): Promise<(url: string, fate: Fate) => Promise<void>> {
  const underWay = new Set<Request>()
  let fate: Fate = 'pending'
  const isAwaited = (url: URL): boolean =>
    !url.pathname.endsWith('/stream') && !(fate === 'pending' && isOwnCall(url))
  page.on('request', (request) => {
    if (isAwaited(new URL(request.url()))) underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  await page.route(isOwnCall, (route) => (fate === 'pending' ? undefined : route.fulfill(failures[fate])))
  return async (url, next) => {
    fate = next
    underWay.clear()
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator('main').waitFor()
    // Three times in a row, because what has just arrived asks for the next only when it is painted.
    for (let calm = 0; calm < 3; calm = underWay.size === 0 ? calm + 1 : 0) await untilPainted(page)
  }
}
