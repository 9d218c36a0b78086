import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { inspect, isThorough } from '../checks/inspection.ts'
import { fates, withoutResponses } from '../checks/without-responses.ts'
import { type BusyMarket, openBusyMarket } from '../market/busy-market.ts'
import { type Site, screens, signInWithWallet, startSite, visit } from '../site.ts'
import { pageVisitors } from '../visitors.ts'

/** Every page gets one of them, in turn. `npm run test:pages` gives all of them to every page. */
const fatesOf = (index: number) =>
  isThorough ? fates : fates.slice(index % fates.length, (index % fates.length) + 1)

/** What is seen only for a moment is as fit for everybody as what stays. */
describeInBrowser('pages without their data', () => {
  const admin = privateKeyToAccount(generatePrivateKey())
  let site: Site
  let market: BusyMarket

  beforeAll(async () => {
    site = await startSite({ ADMIN_WALLETS: admin.address })
    market = await openBusyMarket(site.url)
  })
  afterAll(() => site?.close())

  test.each(pageVisitors)('are fit for $who while calls are pending, or fail', async ({ account, paths }) => {
    const wallet = account(market, admin)
    const visitor = await visit(site, { screen: screens[0], ...(wallet && { account: wallet }) })
    const { page } = visitor
    await visitor.go('/')
    if (wallet) await signInWithWallet(page)
    const open = await withoutResponses(page)
    const faults: Record<string, string[]> = {}
    for (const [index, path] of paths(market).entries()) {
      for (const fate of fatesOf(index)) {
        await open(`${site.url}${path}`, fate)
        const found = await inspect(page)
        if (found.length > 0) faults[`${path}, ${fate}`] = found
      }
    }
    expect(faults).toEqual({})
    await visitor.leave({ complaints: expect.any(Array) })
  })
})
