import { expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { inspect, isThorough } from '../checks/inspection.ts'
import { fates, withoutResponses } from '../checks/without-responses.ts'
import { openPages } from '../open-pages.ts'
import { screens } from '../site.ts'
import { pageVisitors } from '../visitors.ts'

/** Every page gets one of them, in turn. `npm run test:pages` gives all of them to every page. */
const fatesOf = (index: number) =>
  isThorough ? fates : fates.slice(index % fates.length, (index % fates.length) + 1)

/** What is seen only for a moment is as fit for everybody as what stays. */
describeInBrowser('pages without their data', () => {
  const opened = openPages()

  test.each(pageVisitors)('are fit for $who while calls are pending, or fail', async ({ account, paths }) => {
    const { site, market, admin } = opened
    const visitor = await opened.enter(screens[0], account(market, admin))
    const { page } = visitor
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
