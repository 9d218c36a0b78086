import { expect, test } from 'vitest'
import { describeInBrowser } from '../../browser/browser.ts'
import { backwards, describeShifts, holdArrivals, inOrder } from '../checks/arrivals.ts'
import { inspect, inspectOnScreen, inspectWidths, isThorough } from '../checks/inspection.ts'
import { openPages } from '../open-pages.ts'
import { screens } from '../site.ts'
import { pageVisitors } from '../visitors.ts'

/** A page is opened on one screen, with its parts in one order, and then looked at on the other screen too. */
const looks = [
  { first: screens[0], second: screens[1], order: inOrder },
  { first: screens[1], second: screens[0], order: backwards },
]

/** Every page gets one of them, in turn. `npm run test:pages` gives both to every page. */
const looksAt = (index: number) => (isThorough ? looks : looks.slice(index % 2, (index % 2) + 1))

/** Between the two screens, and beyond them. `npm run test:pages` takes more of them. */
const widths = isThorough ? [390, 480, 640, 768, 1024, 1152, 1536, 1920] : [768, 1920]

describeInBrowser('the pages', () => {
  const opened = openPages()

  test.each(pageVisitors)(
    'are fit for $who on both screens, and stand still while their parts come',
    async ({ account, paths }) => {
      const { site, market, admin } = opened
      const visitor = await opened.enter(screens[0], account(market, admin))
      const { page } = visitor
      const held = await holdArrivals(page)
      const faults: Record<string, string[]> = {}
      for (const [index, path] of [...new Set(['/', ...paths(market)])].entries()) {
        for (const { first, second, order } of looksAt(index)) {
          await page.setViewportSize(first.viewport)
          const { shifts } = await held.load(`${site.url}${path}`, order)
          const found = [...describeShifts(shifts), ...(await inspect(page))]
          if (found.length > 0) faults[`${path} on ${first.name}`] = found
          const foundThen = await inspectOnScreen(page, second)
          if (foundThen.length > 0) faults[`${path} on ${second.name}, after ${first.name}`] = foundThen
        }
        const tooWide = await inspectWidths(page, widths)
        if (tooWide.length > 0) faults[`${path} on other widths`] = tooWide
      }
      expect(faults).toEqual({})
      await visitor.leave()
    },
  )
})
