import { describe, expect, test } from 'vitest'
import { chromiumPath } from '../../browser/chromium.ts'
import {
  backwards,
  describeShifts,
  holdArrivals,
  inOrder,
  lastComes,
  type Order,
} from '../checks/arrivals.ts'
import { openPages } from '../open-pages.ts'
import { screens } from '../site.ts'
import { pageVisitors } from '../visitors.ts'

/**
 * `npm run test:shifts`: every page in every order in which two of its parts can change places: as it asks for them,
 * backwards, and each of them after all the others. pages.test.ts takes one of the first two.
 */
describe.runIf(chromiumPath && process.env.LONG_RUN === 'shifts')('the pages stand still', () => {
  const opened = openPages()

  describe.each(screens)('on $name', (screen) => {
    test.each(pageVisitors)('for $who, whatever comes last', async ({ account, paths }) => {
      const { site, market, admin } = opened
      const visitor = await opened.enter(screen, account(market, admin))
      const { page } = visitor
      const held = await holdArrivals(page)
      const faults: Record<string, string[]> = {}
      for (const path of paths(market)) {
        const look = async (name: string, order: Order) => {
          const { arrivals, shifts } = await held.load(`${site.url}${path}`, order)
          const found = describeShifts(shifts)
          if (found.length > 0) faults[`${path}, ${name}`] = found
          return arrivals
        }
        const names = new Set(await look('in order', inOrder))
        await look('backwards', backwards)
        for (const name of names) await look(`last ${name}`, lastComes(name))
      }
      expect(faults).toEqual({})
      await visitor.leave({ complaints: expect.any(Array) })
    })
  })
})
